import type { SyncResponse, SyncThings, TagSettings, Thing } from '../../generated/types.ts'
import { ClientError } from './client-error.ts'
import { createJsonSplitter, type IsOpened, type JsonPiece, readChunks } from './json-stream.ts'

/** One part of a sync response (interface 4.3), in the order in which the server writes them. */
export type SyncEvent =
  | { readonly kind: 'position'; readonly position: number }
  | { readonly kind: 'count'; readonly thingCount: number }
  | { readonly kind: 'tag'; readonly name: string; readonly settings: TagSettings }
  | { readonly kind: 'new'; readonly localId: string; readonly id: string }
  | { readonly kind: 'changed'; readonly thing: Thing }
  | { readonly kind: 'deleted'; readonly id: string }

/** The progress of a download. */
export interface SyncProgress {
  /** Number of changed things and deleted ids so far. */
  readonly listed: number
  /** `thingCount` of the response; undefined until it has arrived. */
  readonly thingCount: number | undefined
  /** Bytes so far, after decompression. */
  readonly bytes: number
}

/** The options of a download. */
export interface StreamOptions {
  readonly signal?: AbortSignal | undefined
  /** Called after each chunk of the response. */
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined
}

const isOpened: IsOpened = (path, key) =>
  path.length === 0
    ? key === 'things' || key === 'tags'
    : path.length === 1 && path[0] === 'things' && (key === 'changed' || key === 'deleted' || key === 'new')

/**
 * Reads a sync response while it arrives, and yields the events of each chunk together. It holds one chunk in memory,
 * for any length of the listing. The end of the iteration ends the download.
 * @throws ClientError `network` when the connection breaks, `unexpected_response` for a body that is no sync response,
 * `rejected` for an error object (interface 7): a server may send it with the status 200
 */
export async function* readSyncParts(
  body: ReadableStream<Uint8Array>,
  { onProgress, signal }: StreamOptions = {},
): AsyncGenerator<readonly SyncEvent[], void, undefined> {
  const splitter = createJsonSplitter(isOpened)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let listed = 0
  let thingCount: number | undefined
  let bytes = 0
  let hasPosition = false
  const errorBody: Record<string, string> = {}

  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch (error) {
      if (error instanceof TypeError) throw unexpected('the response is not UTF-8')
      throw error
    }
  }
  const toEvents = (pieces: readonly JsonPiece[]): readonly SyncEvent[] => {
    const events: SyncEvent[] = []
    for (const piece of pieces) {
      if (piece.path.length === 0 && errorMembers.has(String(piece.key)) && typeof piece.value === 'string') {
        errorBody[String(piece.key)] = piece.value
      }
      const event = toEvent(piece)
      if (event === undefined) continue
      if (event.kind === 'changed' || event.kind === 'deleted') listed++
      else if (event.kind === 'count') thingCount = event.thingCount
      else if (event.kind === 'position') hasPosition = true
      events.push(event)
    }
    return events
  }
  for await (const chunk of readChunks(body, signal)) {
    bytes += chunk.length
    yield toEvents(splitter.push(decode(chunk)))
    onProgress?.({ listed, thingCount, bytes })
  }
  yield toEvents([...splitter.push(decode()), ...splitter.finish()])
  onProgress?.({ listed, thingCount, bytes })
  if (hasPosition) return
  const { error, error_description: description = '' } = errorBody
  if (error === undefined) throw unexpected('the response has no pos')
  throw new ClientError('rejected', `200 ${error}: ${description}`, { status: 200, error, description })
}

/** The members of an error object (interface 7). */
const errorMembers = new Set(['error', 'error_description'])

const unexpected = (message: string) => new ClientError('unexpected_response', message)

/** Converts a value to an event; undefined for values that the interface does not specify. */
const toEvent = ({ path, key, value }: JsonPiece): SyncEvent | undefined => {
  const fieldPath = path.length === 0 ? String(key) : path.length === 1 ? String(path[0]) : `${path[0]}.${path[1]}`
  if (path.length === 0 && key === undefined) throw unexpected('the response is no object')
  if (fieldPath === 'pos' && Number.isFinite(value)) return { kind: 'position', position: value as number }
  if (fieldPath === 'thingCount' && Number.isFinite(value)) return { kind: 'count', thingCount: value as number }
  if (fieldPath === 'tags' && path.length === 1 && isObject(value)) {
    return { kind: 'tag', name: String(key), settings: value as TagSettings }
  }
  if (fieldPath === 'things.new' && typeof value === 'string') return { kind: 'new', localId: String(key), id: value }
  if (fieldPath === 'things.changed' && isObject(value) && '_id' in value && typeof value._id === 'string') {
    return { kind: 'changed', thing: value as Thing }
  }
  if (fieldPath === 'things.deleted' && typeof value === 'string') return { kind: 'deleted', id: value }
  // Some servers send null for a part that is absent.
  if (value === null && key !== 'pos' && !isEntry(path)) return undefined
  if (isKnown(fieldPath, key)) throw unexpected(`${fieldPath} does not have the shape of the interface`)
  return undefined
}

const knownMembers = new Set(['pos', 'thingCount', 'tags', 'things.new', 'things.changed', 'things.deleted'])

const isKnown = (fieldPath: string, key: string | number | undefined): boolean =>
  knownMembers.has(fieldPath) || (fieldPath === 'things' && ['new', 'changed', 'deleted'].includes(String(key)))

/** Returns true inside a map or a list of the response: there null is no absent part. */
const isEntry = (path: JsonPiece['path']): boolean => path.length > (path[0] === 'things' ? 1 : 0)

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Collects the whole response, as the server wrote it: empty parts are absent (interface 4.3, response). */
export const collectResponse = async (events: AsyncIterable<SyncEvent>): Promise<SyncResponse> => {
  const { position, thingCount, tags, assigned, changed, deleted } = await collectEvents(events)
  const things: SyncThings = {
    ...(assigned.size > 0 ? { new: Object.fromEntries(assigned) } : {}),
    ...(changed.length > 0 ? { changed } : {}),
    ...(deleted.length > 0 ? { deleted } : {}),
  }
  return {
    pos: position,
    ...(thingCount > 0 ? { thingCount } : {}),
    ...(tags.size > 0 ? { tags: Object.fromEntries(tags) } : {}),
    ...(Object.keys(things).length > 0 ? { things } : {}),
  }
}

/** Collects the parts of a response. Names that clients choose are keys of maps, not of objects. */
const collectEvents = async (events: AsyncIterable<SyncEvent>) => {
  let position = 0
  let thingCount = 0
  const tags = new Map<string, TagSettings>()
  const assigned = new Map<string, string>()
  const changed: Thing[] = []
  const deleted: string[] = []
  for await (const event of events) {
    if (event.kind === 'position') position = event.position
    else if (event.kind === 'count') thingCount = event.thingCount
    else if (event.kind === 'tag') tags.set(event.name, event.settings)
    else if (event.kind === 'new') assigned.set(event.localId, event.id)
    else if (event.kind === 'changed') changed.push(event.thing)
    else deleted.push(event.id)
  }
  return { position, thingCount, tags, assigned, changed, deleted }
}

/** The options of a listing in pages. */
export interface PageOptions {
  /** The last position that the application has kept; 0 or undefined lists everything. */
  readonly from?: number
  /** Maximum things and deleted ids on a page; 500 by default. */
  readonly pageSize?: number
  readonly signal?: AbortSignal
}

/** One page of a listing. */
export interface ChangesPage {
  /**
   * The position of the listing, the same on all of its pages. Keep it as the next `from` only after you have applied
   * the last page.
   */
  readonly position: number
  /**
   * True for the first page of a listing. When the server loses the listing between two pages, because it was
   * restarted, all pages come again, and the first one has true again: then drop the earlier pages.
   */
  readonly isFirst: boolean
  /** Number of changed things and deleted ids on all pages. */
  readonly thingCount: number
  readonly changed: readonly Thing[]
  readonly deleted: readonly string[]
  readonly tags: ReadonlyMap<string, TagSettings>
}

type Stream = (
  parameters: { from: number; skip: number; limit: number },
  options: { signal?: AbortSignal | undefined },
) => AsyncIterable<SyncEvent>

/** Maximum restarts of a listing. */
const maxRestarts = 5

/**
 * Requests the next page when the caller wants it, until the number of listed things is `thingCount`.
 * @throws ClientError `unexpected_response` when the server loses the listing too often
 */
export async function* listPages(stream: Stream, options: PageOptions = {}): AsyncGenerator<ChangesPage, void> {
  const { from = 0, pageSize: limit = 500, signal } = options
  let skip = 0
  let position: number | undefined
  let restarts = 0
  while (true) {
    const { assigned: _, ...page } = await collectEvents(stream({ from, skip, limit }, { signal }))
    const isFirst = skip === 0
    // Another position is another listing: a thing may have moved to an earlier page.
    if (!isFirst && page.position !== position) {
      restarts += 1
      if (restarts > maxRestarts)
        throw new ClientError('unexpected_response', 'the pages of the sync do not fit together')
      skip = 0
      continue
    }
    position = page.position
    const listed = page.changed.length + page.deleted.length
    skip += listed
    if (listed > 0 || skip === 0) yield { ...page, isFirst }
    if (listed === 0 || skip >= page.thingCount) return
  }
}
