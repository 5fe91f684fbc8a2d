import { randomUUID } from 'node:crypto'
import type { VisibleChange } from '../store.ts'
import type { Database } from './database/open-database.ts'
import { Client } from './driver.ts'
import { notify } from './statements/notices.ts'

/** What processes tell each other: hints, which may be lost. */
export interface Notices {
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
export interface NoticeHearers {
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

interface ToldChange extends VisibleChange {
  readonly from: number
}

/** How notices come and go. */
export interface NoticesParts extends NoticeHearers {
  readonly database: Pick<Database, 'run'>
  /** Where to listen: not through a pooler that gives connections away between transactions. */
  readonly listenUrl: string
}

const channel = 'thingsync'
/** Telling in the transaction of a write would have all commits wait for each other. */
const coalesceMilliseconds = 20
/** A notice has 8000 bytes at most, and an id of a user or of a session less than a hundred. */
const mostChanges = 24
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
  const changes = new Map<string, ToldChange[]>()
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
    const notices: Notice[] = slice(told, mostChanges).map((part) => ({
      by,
      changes: part,
      removals: [],
      errands: false,
    }))
    for (const part of slice([...removals], mostChanges))
      notices.push({ by, changes: [], removals: part, errands: false })
    for (const part of slice([...ends], mostChanges))
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
