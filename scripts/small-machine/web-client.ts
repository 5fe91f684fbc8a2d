/** A small sync: when it began (`performance.now`), and how long it took, in ms. */
export interface SmallSync {
  readonly at: number
  readonly ms: number
}

/** What a client noted about its requests. */
export interface WebClient {
  readonly name: string
  /** Each sync that listed at most `maxSmall` things. */
  readonly smallSyncs: readonly SmallSync[]
  /** Time of each page that listed more things, in ms. */
  readonly pagesMs: readonly number[]
  /** Time of the first full sync, with all its pages, in ms. */
  readonly fullMs: number
  /** The number of events that arrived on the live stream. */
  readonly events: number
  /** Uploads one new thing and lists what changed, as the web app does after an edit. */
  readonly edit: () => Promise<void>
  /** Lists what changed since the last sync. */
  readonly sync: () => Promise<void>
  /** Whether the stream announced a change that the client has not listed. */
  readonly isBehind: () => boolean
  /** The number of things that the client has. */
  readonly countThings: () => number
  /** Closes the live stream. */
  readonly close: () => Promise<void>
}

/** A sync that lists more things is not small. */
const maxSmall = 20
/** The number of things that the client requests in one page. */
const pageSize = 1_000

interface SyncBody {
  readonly pos: number
  readonly thingCount?: number
  readonly things?: {
    readonly new?: Readonly<Record<string, string>>
    readonly changed?: readonly { readonly _id: string }[]
  }
}

/** Sends one sync as JSON. @throws Error for any status but 200 */
export const postSync = async (baseUrl: string, token: string, body: object): Promise<SyncBody> => {
  const response = await fetch(`${baseUrl}sync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== 200)
    throw new Error(`the response to a sync has status ${response.status}: ${text.slice(0, 300)}`)
  return JSON.parse(text) as SyncBody
}

/** Opens a client that works as the web app does: a full sync in pages, then a live stream and small syncs. */
export const openWebClient = async (baseUrl: string, token: string, name: string): Promise<WebClient> => {
  const ids = new Set<string>()
  const smallSyncs: SmallSync[] = []
  const pagesMs: number[] = []
  let [position, announced, events, edits] = [0, 0, 0, 0]

  const note = (response: SyncBody, at: number): number => {
    const ms = performance.now() - at
    const listed = response.things?.changed ?? []
    for (const { _id } of listed) ids.add(_id)
    for (const id of Object.values(response.things?.new ?? {})) ids.add(id)
    if (listed.length <= maxSmall) smallSyncs.push({ at, ms })
    else pagesMs.push(ms)
    return listed.length
  }
  /** Uploads, if there is something to upload, and lists all pages of what changed since `position`. */
  const sync = async (upload: object = {}): Promise<void> => {
    const from = position
    for (let skip = 0; ; skip += pageSize) {
      const start = performance.now()
      const body = skip === 0 ? { from, limit: pageSize, ...upload } : { from, skip, limit: pageSize }
      const response = await postSync(baseUrl, token, body)
      const count = note(response, start)
      if (skip === 0) position = response.pos
      if (count < pageSize) return
    }
  }

  const start = performance.now()
  await sync()
  const fullMs = performance.now() - start

  const ending = new AbortController()
  const stream = await fetch(`${baseUrl}sync/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: ending.signal,
  })
  if (stream.status !== 200 || stream.body === null)
    throw new Error(`the response to a live stream has status ${stream.status}`)
  const reader = stream.body.getReader()
  const readEvents = async (): Promise<void> => {
    const decoder = new TextDecoder()
    let rest = ''
    for (;;) {
      const { value, done } = await reader.read()
      if (done) throw new Error('the server closed a live stream')
      const lines = `${rest}${decoder.decode(value, { stream: true })}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const id = /^id: ?(\d+)/.exec(line)?.[1]
        if (id === undefined) continue
        events += 1
        announced = Math.max(announced, Number(id))
      }
    }
  }
  // `close` throws the failure; without a handler until then it would end the process.
  const ended = readEvents().then(
    () => undefined,
    (error: unknown) => error,
  )

  return {
    name,
    smallSyncs,
    pagesMs,
    fullMs,
    get events() {
      return events
    },
    edit: async () => {
      edits += 1
      const thing = { local_id: `${name}-${edits}`, title: `edit ${edits} of ${name}`, tags: 'small machine' }
      await sync({ new_thing: [thing] })
    },
    sync: () => sync(),
    isBehind: () => announced > position,
    countThings: () => ids.size,
    close: async () => {
      ending.abort()
      const error = await ended
      if (error instanceof Error && error.name !== 'AbortError') throw error
    },
  }
}
