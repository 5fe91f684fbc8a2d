import type { TagSettings, Thing } from '../../generated/types.ts'
import { ClientError } from './client-error.ts'
import { createJsonSplitter, type IsOpened, type JsonPiece } from './json-splitter.ts'
import { readChunks } from './read-chunks.ts'

/** One part of a sync answer (interface 4.3), in whatever order the server writes them. */
export type SyncEvent =
  | { readonly kind: 'position'; readonly position: number }
  | { readonly kind: 'count'; readonly thingCount: number }
  | { readonly kind: 'tag'; readonly name: string; readonly settings: TagSettings }
  | { readonly kind: 'new'; readonly localId: string; readonly id: string }
  | { readonly kind: 'changed'; readonly thing: Thing }
  | { readonly kind: 'deleted'; readonly id: string }

/** How far a download has come. */
export interface SyncProgress {
  /** Changed things and deleted ids so far. */
  readonly listed: number
  /** What `thingCount` says; undefined as long as the server has not said it. */
  readonly thingCount: number | undefined
  /** Bytes so far, after decompression. */
  readonly bytes: number
}

/** What may be told to a download. */
export interface StreamOptions {
  readonly signal?: AbortSignal | undefined
  /** Called after each chunk of the answer. */
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined
}

const isOpened: IsOpened = (path, key) =>
  path.length === 0
    ? key === 'things' || key === 'tags'
    : path.length === 1 && path[0] === 'things' && (key === 'changed' || key === 'deleted' || key === 'new')

/**
 * Reads a sync answer while it arrives, all that a chunk completes together; holds one chunk and what is in it, however
 * long the listing is. Breaking off the iteration ends the download.
 * @throws ClientError `network` when the connection breaks, `unexpected_answer` for what is no sync answer
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

  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch (error) {
      if (error instanceof TypeError) throw unexpected('the answer is not UTF-8')
      throw error
    }
  }
  const toEvents = (pieces: readonly JsonPiece[]): readonly SyncEvent[] => {
    const events: SyncEvent[] = []
    for (const piece of pieces) {
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
  if (!hasPosition) throw unexpected('the answer has no pos')
}

const unexpected = (message: string) => new ClientError('unexpected_answer', message)

/** Undefined for what the interface does not know. */
const toEvent = ({ path, key, value }: JsonPiece): SyncEvent | undefined => {
  const place = path.length === 0 ? String(key) : path.length === 1 ? String(path[0]) : `${path[0]}.${path[1]}`
  if (path.length === 0 && key === undefined) throw unexpected('the answer is no object')
  if (place === 'pos' && Number.isFinite(value)) return { kind: 'position', position: value as number }
  if (place === 'thingCount' && Number.isFinite(value)) return { kind: 'count', thingCount: value as number }
  if (place === 'tags' && path.length === 1 && isObject(value)) {
    return { kind: 'tag', name: String(key), settings: value as TagSettings }
  }
  if (place === 'things.new' && typeof value === 'string') return { kind: 'new', localId: String(key), id: value }
  if (place === 'things.changed' && isObject(value) && '_id' in value && typeof value._id === 'string') {
    return { kind: 'changed', thing: value as Thing }
  }
  if (place === 'things.deleted' && typeof value === 'string') return { kind: 'deleted', id: value }
  if (isKnown(place, key)) throw unexpected(`${place} has another shape than the interface says`)
  return undefined
}

const knownPlaces = new Set(['pos', 'thingCount', 'tags', 'things.new', 'things.changed', 'things.deleted'])

const isKnown = (place: string, key: string | number | undefined): boolean =>
  knownPlaces.has(place) || (place === 'things' && ['new', 'changed', 'deleted'].includes(String(key)))

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
