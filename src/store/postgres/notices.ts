import { randomUUID } from 'node:crypto'
import { createListeners } from '../listeners.ts'
import type { Store, VisibleChange } from '../store.ts'
import { type Database, encodeTexts, type Statement } from './database.ts'
import { Client } from './driver.ts'

/** Sends a notice to all processes that listen. */
const sendNotice: Statement = {
  name: 'notify',
  text: 'select pg_notify($1, $2)',
  reaches: { all: 'the processes, and no table' },
  isRepeatable: true,
}

/** Finds the positions of the watched accounts. */
const findPositions: Statement = {
  name: 'find-positions',
  text: 'select id as "userId", position, writer from account where id = any($1::text[])',
  reaches: { all: 'every few seconds: the accounts that are watched here' },
  isRepeatable: true,
}

/** Finds out if the database accepts writes. */
export const findState: Statement = {
  name: 'find-state',
  text: `select pg_is_in_recovery() as "isStandby", current_setting('default_transaction_read_only') as "isReadOnly"`,
  reaches: { all: 'the database, and no table' },
  isRepeatable: true,
}

/** Deletes the ids of transactions whose outcome no process needs any more. */
export const dropTransactionIds: Statement = {
  name: 'drop-transaction-ids',
  text: `delete from kept_write where made_at < clock_timestamp() - interval '1 hour'`,
  reaches: { all: 'once a minute: what has ended' },
  isRepeatable: true,
}

/** Notices between processes. They are hints and may be lost. Each is sent soon, coalesced with others. */
interface Notices {
  /** Tells other processes that an account has changed after the position `from`. */
  readonly notifyChange: (userId: string, change: VisibleChange, from: number) => void
  /** Tells other processes that an account was removed. */
  readonly notifyRemoval: (userId: string) => void
  /** Tells other processes that sessions were removed or suspended. */
  readonly notifySessionEnds: (sessionIds: readonly string[]) => void
  /** Tells other processes that outbox entries were put, moved or released. */
  readonly notifyOutbox: () => void
  /** Starts to listen, also again after a lost connection; to be called every few seconds. */
  readonly listen: () => Promise<void>
  /** Sends the waiting notices and stops to listen. */
  readonly close: () => Promise<void>
}

/** Callbacks for the notices of other processes. */
interface NoticeListeners {
  readonly onChange: (userId: string, change: VisibleChange, from: number) => void
  readonly onRemoval: (userId: string) => void
  readonly onEnd: (sessionId: string) => void
  readonly onOutbox: () => void
}

/** The payload of a notice. `by` is the process that sent it. */
interface Notice {
  readonly by: string
  readonly changes: readonly (readonly [userId: string, position: number, writer: string, from: number])[]
  readonly removals: readonly string[]
  readonly ends?: readonly string[]
  readonly hasOutboxChanges: boolean
}

interface NotifiedChange extends VisibleChange {
  readonly from: number
}

/** The dependencies of the notices. */
interface NoticesParts extends NoticeListeners {
  readonly database: Pick<Database, 'run'>
  /** URL to listen on. It must not be a pooler that shares connections between transactions. */
  readonly listenUrl: string
}

const channel = 'thingsync'
/** Notices are not sent in the transaction of a write: a `notify` there would serialize all commits. */
const coalesceMilliseconds = 20
/** PostgreSQL limits a payload to 8000 bytes. The id of a user or a session has fewer than a hundred. */
const maxChanges = 24
const connectMilliseconds = 5000

const slice = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

/** Creates the notices of this process. It does not listen before `listen`. */
export const createNotices = ({ database, listenUrl, onChange, onRemoval, onEnd, onOutbox }: NoticesParts): Notices => {
  const by = randomUUID()
  const changes = new Map<string, NotifiedChange[]>()
  const removals = new Set<string>()
  const ends = new Set<string>()
  let hasOutboxChanges = false
  let timer: NodeJS.Timeout | undefined
  let listening: InstanceType<typeof Client> | undefined
  let isClosed = false

  const send = async (): Promise<void> => {
    timer = undefined
    const allChanges = [...changes].flatMap(([userId, accountChanges]) =>
      accountChanges.map(({ position, writer, from }) => [userId, position, writer, from] as const),
    )
    const notices: Notice[] = slice(allChanges, maxChanges).map((part) => ({
      by,
      changes: part,
      removals: [],
      hasOutboxChanges: false,
    }))
    for (const part of slice([...removals], maxChanges))
      notices.push({ by, changes: [], removals: part, hasOutboxChanges: false })
    for (const part of slice([...ends], maxChanges))
      notices.push({ by, changes: [], removals: [], ends: part, hasOutboxChanges: false })
    if (hasOutboxChanges) notices.push({ by, changes: [], removals: [], hasOutboxChanges: true })
    changes.clear()
    removals.clear()
    ends.clear()
    hasOutboxChanges = false
    try {
      for (const notice of notices) await database.run(sendNotice, [channel, JSON.stringify(notice)])
    } catch {
      // Notices are hints: each process polls every few seconds, and a committed write must not fail.
    }
  }

  const sendSoon = (): void => {
    if (!isClosed) timer ??= setTimeout(() => void send(), coalesceMilliseconds).unref()
  }

  const receive = (payload: string): void => {
    const notice = JSON.parse(payload) as Notice
    if (notice.by === by) return
    for (const [userId, position, writer, from] of notice.changes) onChange(userId, { position, writer }, from)
    for (const userId of notice.removals) onRemoval(userId)
    for (const sessionId of notice.ends ?? []) onEnd(sessionId)
    if (notice.hasOutboxChanges) onOutbox()
  }

  const forget = (client: InstanceType<typeof Client>): void => {
    if (listening === client) listening = undefined
  }

  return {
    notifyChange: (userId, { position, writer }, from) => {
      const accountChanges = changes.get(userId) ?? []
      changes.set(userId, accountChanges)
      const last = accountChanges.at(-1)
      // Another process made the changes between two of these, and it sends its own notice.
      if (last?.position !== from) accountChanges.push({ position, writer, from })
      // An empty writer stands for several sessions: each of them must be notified.
      else
        accountChanges[accountChanges.length - 1] = {
          position,
          writer: last.writer === writer ? writer : '',
          from: last.from,
        }
      sendSoon()
    },
    notifyRemoval: (userId) => {
      removals.add(userId)
      sendSoon()
    },
    notifySessionEnds: (sessionIds) => {
      for (const id of sessionIds) ends.add(id)
      sendSoon()
    },
    notifyOutbox: () => {
      hasOutboxChanges = true
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
        if (payload !== undefined) receive(payload)
      })
      try {
        await client.connect()
        await client.query(`listen ${channel}`)
      } catch {
        // The next call tries again. Until then the polls find changes.
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

/** The positions above `after`, up to and including `upTo`. */
interface Span {
  readonly after: number
  readonly upTo: number
}

/** Changes of one account whose writers are unknown here. */
interface UnknownChanges {
  /** Adds changes. Calls `onEnd` with the last position that is still unknown after `maxUnknownMilliseconds`. */
  readonly add: (span: Span, onEnd: (position: number) => void) => void
  /** Removes changes whose writer is known now. Returns true if one of them was unknown. */
  readonly settle: (span: Span) => boolean
  readonly forgetAll: () => void
}

/** Maximum delay of a notice after its change, or after the notice of a later change. */
const maxUnknownMilliseconds = 2000

const without = (spans: readonly Span[], { after, upTo }: Span): readonly Span[] =>
  spans
    .flatMap((span) => [
      { after: span.after, upTo: Math.min(span.upTo, after) },
      { after: Math.max(span.after, upTo), upTo: span.upTo },
    ])
    .filter((span) => span.after < span.upTo)

/** Creates an empty set of unknown changes. */
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
        const remaining = without(spans, span)
        const size = (all: readonly Span[]): number => all.reduce((sum, { after, upTo }) => sum + upTo - after, 0)
        if (size(remaining) === size(spans)) continue
        isNew = true
        found.set(timer, remaining)
      }
      return isNew
    },
    forgetAll: () => {
      for (const timer of found.keys()) clearTimeout(timer)
      found.clear()
    },
  }
}

/** The watchers of accounts in this process. They are notified of the changes of all processes. */
interface Watches {
  readonly watch: Store['watch']
  /** Notifies the watchers of a change after the position `from`. `writer` is empty for several writers. */
  readonly notify: (userId: string, change: VisibleChange, from: number) => void
  /** Notes a change by unknown writers. If no notice names them soon, all watchers are notified. */
  readonly noteMoved: (userId: string, position: number, from: number) => void
  /** Notes that the account was read: its watchers know all changes up to this position. */
  readonly noteRead: (userId: string, position: number) => void
  readonly forget: (userId: string) => void
  /** Reads the positions of the watched accounts, in case a notice was lost. @throws StoreError */
  readonly poll: () => Promise<void>
  readonly forgetAll: () => void
}

/** A watched account. */
interface WatchedAccount {
  count: number
  /** The position up to which the watchers were notified, have read, or soon will be notified; 0 if unknown. */
  known: number
  /** Changes without a notification yet, because their writer may be one of the watchers. */
  readonly unknown: UnknownChanges
}

interface KnownPosition {
  readonly userId: string
  readonly position: number
  readonly writer: string
}

/** Creates the watches without a watcher. */
export const createWatches = (database: Pick<Database, 'run'>): Watches => {
  const watchers = createListeners<VisibleChange>()
  const watched = new Map<string, WatchedAccount>()

  const addUnknown = (userId: string, account: WatchedAccount, span: Span): void =>
    account.unknown.add(span, (position) => watchers.notify(userId, { position, writer: '' }))

  const notify = (userId: string, change: VisibleChange, from: number): void => {
    const account = watched.get(userId)
    if (account === undefined) return
    const { position } = change
    const wasUnknown = account.unknown.settle({ after: from, upTo: position })
    if (!wasUnknown && position <= account.known) return
    // Notices of several processes come in any order. This one covers all earlier changes, but not for its own writer.
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
    notify,
    noteMoved,
    noteRead,
    forget,
    poll: async () => {
      if (watched.size === 0) return
      const known = new Map(Array.from(watched, ([userId, account]) => [userId, account.known]))
      for (const { userId, position, writer } of await database.run<KnownPosition>(findPositions, [
        encodeTexts([...known.keys()]),
      ])) {
        const from = known.get(userId) ?? 0
        // A watcher that has just started has read the account, or is reading it.
        if (from === 0) noteRead(userId, position)
        // Of several changes the database knows only the writer of the last one.
        else if (position === from + 1) notify(userId, { position, writer }, from)
        else noteMoved(userId, position, from)
      }
    },
    forgetAll: () => {
      for (const userId of [...watched.keys()]) forget(userId)
    },
  }
}
