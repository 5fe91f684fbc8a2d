import { randomUUID } from 'node:crypto'
import { createListeners } from '../listeners.ts'
import type { Store, VisibleChange } from '../store.ts'
import { type Database, encodeTexts, type Statement } from './database.ts'
import { Client } from './driver.ts'

/** Tells all processes that listen. */
const notify: Statement = {
  name: 'notify',
  text: 'select pg_notify($1, $2)',
  reaches: { all: 'the processes, and no table' },
  isRepeatable: true,
}

/** Where some accounts are, for those who wait for their changes. */
const findPlaces: Statement = {
  name: 'find-places',
  text: 'select id as "userId", position, writer from account where id = any($1::text[])',
  reaches: { all: 'every few seconds: the accounts that somebody waits for here' },
  isRepeatable: true,
}

/** Says whether the database takes writes. */
export const findState: Statement = {
  name: 'find-state',
  text: `select pg_is_in_recovery() as "isStandby", current_setting('default_transaction_read_only') as "isReadOnly"`,
  reaches: { all: 'the database, and no table' },
  isRepeatable: true,
}

/** Forgets the ids of transactions that everybody has heard of. */
export const dropKeptWrites: Statement = {
  name: 'drop-kept-writes',
  text: `delete from kept_write where made_at < clock_timestamp() - interval '1 hour'`,
  reaches: { all: 'once a minute: what has ended' },
  isRepeatable: true,
}

/** What processes tell each other: hints, which may be lost. */
interface Notices {
  /** An account has changed; told soon, together with others. */
  readonly tellChange: (userId: string, change: VisibleChange, from: number) => void
  readonly tellRemoval: (userId: string) => void
  /** Sessions were removed or suspended. */
  readonly tellEnds: (sessionIds: readonly string[]) => void
  /** Errands were put, moved or released. */
  readonly tellErrands: () => void
  /** Begins to listen, or again after the connection was lost; to be called every few seconds. */
  readonly listen: () => Promise<void>
  readonly close: () => Promise<void>
}

/** What is done with what others tell. */
interface NoticeListeners {
  readonly onChange: (userId: string, change: VisibleChange, from: number) => void
  readonly onRemoval: (userId: string) => void
  readonly onEnd: (sessionId: string) => void
  readonly onErrands: () => void
}

/** As one notice says it. */
interface Notice {
  readonly by: string
  readonly changes: readonly (readonly [userId: string, position: number, writer: string, from: number])[]
  readonly removals: readonly string[]
  readonly ends?: readonly string[]
  readonly errands: boolean
}

interface NotifiedChange extends VisibleChange {
  readonly from: number
}

/** How notices come and go. */
interface NoticesParts extends NoticeListeners {
  readonly database: Pick<Database, 'run'>
  /** Where to listen: not through a pooler that gives connections away between transactions. */
  readonly listenUrl: string
}

const channel = 'thingsync'
/** Telling in the transaction of a write would have all commits wait for each other. */
const coalesceMilliseconds = 20
/** A notice has 8000 bytes at most, and an id of a user or of a session less than a hundred. */
const maxChanges = 24
const connectMilliseconds = 5000

const slice = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

/** Nobody has been told anything, and nobody listens. */
export const createNotices = ({
  database,
  listenUrl,
  onChange,
  onRemoval,
  onEnd,
  onErrands,
}: NoticesParts): Notices => {
  const by = randomUUID()
  const changes = new Map<string, NotifiedChange[]>()
  const removals = new Set<string>()
  const ends = new Set<string>()
  let hasErrands = false
  let timer: NodeJS.Timeout | undefined
  let listening: InstanceType<typeof Client> | undefined
  let isClosed = false

  const send = async (): Promise<void> => {
    timer = undefined
    const told = [...changes].flatMap(([userId, made]) =>
      made.map(({ position, writer, from }) => [userId, position, writer, from] as const),
    )
    const notices: Notice[] = slice(told, maxChanges).map((part) => ({
      by,
      changes: part,
      removals: [],
      errands: false,
    }))
    for (const part of slice([...removals], maxChanges))
      notices.push({ by, changes: [], removals: part, errands: false })
    for (const part of slice([...ends], maxChanges))
      notices.push({ by, changes: [], removals: [], ends: part, errands: false })
    if (hasErrands) notices.push({ by, changes: [], removals: [], errands: true })
    changes.clear()
    removals.clear()
    ends.clear()
    hasErrands = false
    try {
      for (const notice of notices) await database.run(notify, [channel, JSON.stringify(notice)])
    } catch {
      // A hint: who waits looks for himself every few seconds, and a write that is kept has not failed.
    }
  }

  const sendSoon = (): void => {
    if (!isClosed) timer ??= setTimeout(() => void send(), coalesceMilliseconds).unref()
  }

  const hear = (payload: string): void => {
    const notice = JSON.parse(payload) as Notice
    if (notice.by === by) return
    for (const [userId, position, writer, from] of notice.changes) onChange(userId, { position, writer }, from)
    for (const userId of notice.removals) onRemoval(userId)
    for (const sessionId of notice.ends ?? []) onEnd(sessionId)
    if (notice.errands) onErrands()
  }

  const forget = (client: InstanceType<typeof Client>): void => {
    if (listening === client) listening = undefined
  }

  return {
    tellChange: (userId, { position, writer }, from) => {
      const made = changes.get(userId) ?? []
      changes.set(userId, made)
      const before = made.at(-1)
      // What is between two changes another process made, which tells it by itself.
      if (before?.position !== from) made.push({ position, writer, from })
      // Of changes by several sessions each is to hear.
      else made[made.length - 1] = { position, writer: before.writer === writer ? writer : '', from: before.from }
      sendSoon()
    },
    tellRemoval: (userId) => {
      removals.add(userId)
      sendSoon()
    },
    tellEnds: (sessionIds) => {
      for (const id of sessionIds) ends.add(id)
      sendSoon()
    },
    tellErrands: () => {
      hasErrands = true
      sendSoon()
    },
    listen: async () => {
      if (listening !== undefined || isClosed) return
      const client = new Client({
        connectionString: listenUrl,
        application_name: 'thingsync listener',
        keepAlive: true,
        connectionTimeoutMillis: connectMilliseconds,
      })
      listening = client
      client.on('error', () => forget(client))
      client.on('end', () => forget(client))
      client.on('notification', ({ payload }) => {
        if (payload !== undefined) hear(payload)
      })
      try {
        await client.connect()
        await client.query(`listen ${channel}`)
      } catch {
        // It is tried again; until then those who wait look for themselves.
        forget(client)
        void client.end().catch(() => undefined)
      }
    },
    close: async () => {
      isClosed = true
      if (timer !== undefined) {
        clearTimeout(timer)
        await send()
      }
      await listening?.end()
    },
  }
}

/** Positions after one and up to another. */
interface Span {
  readonly after: number
  readonly upTo: number
}

/** Changes of one account of which it is known here that they were made, and not by whom. */
interface UnknownChanges {
  /** `onEnd` is called with the last of them when nobody has said in time who made them all. */
  readonly add: (span: Span, onEnd: (position: number) => void) => void
  /** Who made these is known now; gives whether it was not before. */
  readonly settle: (span: Span) => boolean
  readonly forgetAll: () => void
}

/** So long a notice may be behind the change itself, or behind a later one. Milliseconds. */
const maxUnknownMilliseconds = 2000

const without = (spans: readonly Span[], { after, upTo }: Span): readonly Span[] =>
  spans
    .flatMap((span) => [
      { after: span.after, upTo: Math.min(span.upTo, after) },
      { after: Math.max(span.after, upTo), upTo: span.upTo },
    ])
    .filter((span) => span.after < span.upTo)

/** All is known. */
const createUnknownChanges = (): UnknownChanges => {
  const found = new Map<NodeJS.Timeout, readonly Span[]>()

  return {
    add: (span, onEnd) => {
      if (span.after >= span.upTo) return
      const timer = setTimeout(() => {
        const last = found.get(timer)?.at(-1)
        found.delete(timer)
        if (last !== undefined) onEnd(last.upTo)
      }, maxUnknownMilliseconds).unref()
      found.set(timer, [span])
    },
    settle: (span) => {
      let isNew = false
      for (const [timer, spans] of found) {
        const left = without(spans, span)
        const size = (all: readonly Span[]): number => all.reduce((sum, { after, upTo }) => sum + upTo - after, 0)
        if (size(left) === size(spans)) continue
        isNew = true
        found.set(timer, left)
      }
      return isNew
    },
    forgetAll: () => {
      for (const timer of found.keys()) clearTimeout(timer)
      found.clear()
    },
  }
}

/** Who waits in this process for changes of accounts, whoever makes them. */
interface Watches {
  readonly watch: Store['watch']
  /** What changed after `from` is visible, and who wrote it; of several writers, `writer` is empty. */
  readonly tell: (userId: string, change: VisibleChange, from: number) => void
  /** The same, by nobody knows whom: soon somebody says so, or all who watch are told. */
  readonly noteMoved: (userId: string, position: number, from: number) => void
  /** Somebody has read the account: who watches it by now knows of all up to this position. */
  readonly noteRead: (userId: string, position: number) => void
  readonly forget: (userId: string) => void
  /** Looks where the watched accounts are, in case that nobody has said so. @throws StoreFailed */
  readonly look: () => Promise<void>
  readonly forgetAll: () => void
}

/** An account that somebody watches. */
interface WatchedAccount {
  count: number
  /** Up to where those who watch were told, or have read, or soon will be; 0 while that is not known. */
  known: number
  /** What of it nobody was told, because its writer may be among those who watch. */
  readonly unknown: UnknownChanges
}

interface KnownPosition {
  readonly userId: string
  readonly position: number
  readonly writer: string
}

/** Nobody waits. */
export const createWatches = (database: Pick<Database, 'run'>): Watches => {
  const watchers = createListeners<VisibleChange>()
  const watched = new Map<string, WatchedAccount>()

  const addUnknown = (userId: string, account: WatchedAccount, span: Span): void =>
    account.unknown.add(span, (position) => watchers.notify(userId, { position, writer: '' }))

  const tell = (userId: string, change: VisibleChange, from: number): void => {
    const account = watched.get(userId)
    if (account === undefined) return
    const { position } = change
    const wasUnknown = account.unknown.settle({ after: from, upTo: position })
    if (!wasUnknown && position <= account.known) return
    // Notices of several processes come in any order. All but the writer of this one are told of the whole by it.
    if (account.known > 0) addUnknown(userId, account, { after: account.known, upTo: from })
    account.known = Math.max(account.known, position)
    watchers.notify(userId, change)
  }

  const noteMoved = (userId: string, position: number, from: number): void => {
    const account = watched.get(userId)
    if (account === undefined) return
    addUnknown(userId, account, { after: Math.max(account.known, from), upTo: position })
    account.known = Math.max(account.known, position)
  }

  const noteRead = (userId: string, position: number): void => {
    const account = watched.get(userId)
    if (account?.known === 0) account.known = position
  }

  const forget = (userId: string): void => {
    watched.get(userId)?.unknown.forgetAll()
    watched.delete(userId)
    watchers.forget(userId)
  }

  return {
    watch: (userId, onChange) => {
      const account = watched.get(userId) ?? { count: 0, known: 0, unknown: createUnknownChanges() }
      account.count += 1
      watched.set(userId, account)
      const stop = watchers.listen(userId, onChange)
      let isStopped = false
      return () => {
        stop()
        if (isStopped) return
        isStopped = true
        account.count -= 1
        if (account.count === 0 && watched.get(userId) === account) forget(userId)
      }
    },
    tell,
    noteMoved,
    noteRead,
    forget,
    look: async () => {
      if (watched.size === 0) return
      const known = new Map(Array.from(watched, ([userId, account]) => [userId, account.known]))
      for (const { userId, position, writer } of await database.run<KnownPosition>(findPlaces, [
        encodeTexts([...known.keys()]),
      ])) {
        const from = known.get(userId) ?? 0
        // Whoever began to watch since has read the account, or reads it now.
        if (from === 0) noteRead(userId, position)
        // Of several changes the database says only who made the last.
        else if (position === from + 1) tell(userId, { position, writer }, from)
        else noteMoved(userId, position, from)
      }
    },
    forgetAll: () => {
      for (const userId of [...watched.keys()]) forget(userId)
    },
  }
}
