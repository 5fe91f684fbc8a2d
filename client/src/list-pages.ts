import type { TagSettings, Thing } from '../../generated/types.ts'
import { ClientError } from './client-error.ts'
import { collectEvents } from './collect-answer.ts'
import type { SyncEvent } from './sync-events.ts'

/** Which listing, and how large its pages are. */
export interface PageOptions {
  /** The position that was kept last; 0 or nothing lists everything. */
  readonly from?: number
  /** Things and deleted ids in a page at most; 500 by default. */
  readonly pageSize?: number
  readonly signal?: AbortSignal
}

/** One page of a listing. */
export interface ChangesPage {
  /**
   * The position of the listing, the same in all of its pages. Keep it as the next `from` only after the last page was
   * taken over.
   */
  readonly position: number
  /**
   * True for the first page of a listing, and once more when the server forgot the listing between two pages (it was
   * restarted): then all pages come again, and what the earlier ones said is to be dropped.
   */
  readonly isFirst: boolean
  /** Number of all that is listed, on whatever page; 0 when nothing is. */
  readonly thingCount: number
  readonly changed: readonly Thing[]
  readonly deleted: readonly string[]
  readonly tags: ReadonlyMap<string, TagSettings>
}

type Stream = (
  parameters: { from: number; skip: number; limit: number },
  options: { signal?: AbortSignal | undefined },
) => AsyncIterable<SyncEvent>

/** How often a listing is begun again, before it is given up. */
const mostRestarts = 5

/**
 * Asks for the next page when it is wanted, until everything that `thingCount` says was listed.
 * @throws ClientError `unexpected_answer` when the server forgets the listing again and again
 */
export async function* listPages(stream: Stream, options: PageOptions = {}): AsyncGenerator<ChangesPage, void> {
  const { from = 0, pageSize: limit = 500, signal } = options
  let skip = 0
  let position: number | undefined
  let restarts = 0
  while (true) {
    const { assigned: _, ...page } = await collectEvents(stream({ from, skip, limit }, { signal }))
    const isFirst = skip === 0
    // Another position is another listing, in which a thing may have moved to a page that was taken already.
    if (!isFirst && page.position !== position) {
      restarts += 1
      if (restarts > mostRestarts) throw new ClientError('unexpected_answer', 'the pages do not fit together')
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
