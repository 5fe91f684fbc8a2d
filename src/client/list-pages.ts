import type { TagSettings, Thing } from '../../generated/types.ts'
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
   * The position of the listing. Keep it as the next `from` only after the last page was taken over. All pages of a
   * listing have the same one; another in a later page says that the server has begun a new listing (it forgot the
   * first): begin again from the same `from`.
   */
  readonly position: number
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

/** Asks for the next page when it is wanted, until everything that `thingCount` says was listed. */
export async function* listPages(stream: Stream, options: PageOptions = {}): AsyncGenerator<ChangesPage, void> {
  const { from = 0, pageSize: limit = 500, signal } = options
  let skip = 0
  while (true) {
    const { assigned: _, ...page } = await collectEvents(stream({ from, skip, limit }, { signal }))
    const listed = page.changed.length + page.deleted.length
    skip += listed
    if (listed > 0 || skip === 0) yield page
    if (listed === 0 || skip >= page.thingCount) return
  }
}
