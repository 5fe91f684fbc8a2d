import { runToEnd } from '../../src/scheduling.ts'
import type { Account, AccountSteps } from '../../src/store/account/account.ts'
import type { TagSettings, Thing } from '../../src/store/model.ts'
import type { Change } from '../../src/store/record/change.ts'
import { encodeChange } from '../../src/store/record/change-text.ts'
import { encodeThingStep, type WrittenThing } from '../../src/store/record/encoded-thing.ts'
import type { Draft, Listing, ListQuery, Store, TagCounts, ThingForm, View } from '../../src/store/store.ts'
import { thingForm } from '../../src/things/thing.ts'

const plainDate = 1_700_000_000

/** The returned form of things, and the rules of tags: what the store is given. */
export const contractForm: ThingForm = thingForm

/** A thing in its returned form. */
export type Listed = WrittenThing['thing']

/** A listed thing as cases compare it: what is plain in it is left out. */
export const shortenListed = ({
  _id,
  title,
  tags,
  date,
  url,
  html,
  archived,
  todoStatus,
}: Listed): readonly unknown[] => {
  const isPlain = date === plainDate && url === undefined && html === undefined
  const rest = { date, ...(url === undefined ? {} : { url }), ...(html === undefined ? {} : { html }) }
  return [
    _id,
    title,
    tags,
    archived ?? false,
    ...(todoStatus === undefined ? [] : [todoStatus]),
    ...(isPlain ? [] : [rest]),
  ]
}

/** The steps of a write as JSON, as a line has them. */
export const encodeSteps = (changes: readonly Change[]): string =>
  `[${changes
    .map((change) => {
      if (!('thing' in change)) return encodeChange(change)
      const { thing } = change
      const metadata = { ...thing, writerJson: JSON.stringify(thing.writer) }
      return encodeThingStep(contractForm.showThing(thing, false), thing, false, metadata)
    })
    .join(',')}]`

/** Makes the changes of one write visible in an account. */
export const applyAll = (account: Account, write: AccountSteps): void => runToEnd(account.applySteps(write))

/** A thing with these fields, the rest plain. */
export const createThing = (id: string, fields: Partial<Thing> = {}): Thing => ({
  id,
  title: `title of ${id}`,
  tags: '',
  date: plainDate,
  archived: false,
  todoStatus: false,
  ...fields,
})

/** Settings with this `todo`. */
export const createSettings = (todo: TagSettings['todo'] = false): TagSettings => ({
  favorite: true,
  color: '#fff',
  todo,
})

/** Puts things in one write. */
export const putThings = (store: Store, userId: string, ...things: readonly Thing[]): Promise<void> =>
  store.write(userId, 'writer', async (draft: Draft) => {
    for (const thing of things) await draft.putThing(thing)
  })

/** All that a listing holds: the shown things, the deleted ids and its counts. */
export const readListing = async (listing: Listing) => {
  const runs: string[] = []
  for await (const { json } of listing.changed())
    runs.push(typeof json === 'string' ? json : Buffer.from(json).toString())
  const deleted: string[] = []
  for await (const id of listing.deleted()) deleted.push(id)
  const { changedCount, deletedCount, pageChangedCount, pageDeletedCount } = listing
  const listed = JSON.parse(`[${runs.join('')}]`) as readonly Listed[]
  const changed = listed.map(shortenListed)
  return { changed, deleted, changedCount, deletedCount, pageChangedCount, pageDeletedCount }
}

/** What a view lists. */
export const readList = async (view: View, query: ListQuery) => readListing(await view.list(query))

/** Ids of the things and of the deletions that a view lists after a position. */
export const listIds = async (view: View, after: number) => {
  const { changed, deleted } = await readList(view, { after })
  const ids = Array.isArray(changed) ? changed.map((shown: unknown) => (Array.isArray(shown) ? shown[0] : shown)) : []
  return { changed: ids as readonly unknown[], deleted }
}

/** The items of some pieces, none of which is empty. */
export const readPieces = async <Item>(pieces: AsyncIterable<readonly Item[]>): Promise<readonly Item[]> => {
  const items: Item[] = []
  for await (const piece of pieces) {
    if (piece.length === 0) throw new Error('a piece is empty')
    items.push(...piece)
  }
  return items
}

/** The settings of tags that changed after a position, in the order of their changes. */
export const readTags = async (view: Pick<View, 'listTags'>, after: number): Promise<Map<string, TagSettings>> =>
  new Map(await readPieces(view.listTags(after)))

/** What was counted of tags. */
export const readTagCounts = async ({ favorite, other }: TagCounts) => ({
  favorite: new Map(await readPieces(favorite())),
  other: new Map(await readPieces(other())),
})

/** All that a view returns, to be compared with what it or another view returns later. */
export const readEverything = async (view: View, ids: readonly string[]) => ({
  position: view.position,
  things: await Promise.all(ids.map(view.findThing)),
  full: await readList(view, { after: 0 }),
  incremental: await readList(view, { after: 1 }),
  archived: await readList(view, { after: 0, archived: true }),
  unarchived: await readList(view, { after: 0, archived: false, skip: 1, limit: 2 }),
  tagged: await readList(view, { after: 0, tag: 'red' }),
  tags: await readTags(view, 0),
  tagCounts: await readTagCounts(await view.countTags()),
  count: await view.countThings(),
})

/** A promise and the function that resolves it. */
export const createGate = (): { readonly opened: Promise<void>; readonly open: () => void } => {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** An account with an empty outbox. */
export const noOutboxEntries: ReadonlyMap<string, number> = new Map()

/** The surroundings of a pipeline with an empty outbox and without listeners. */
export const nobodyAround = { listOutboxEntries: () => noOutboxEntries, onVisible: () => undefined }

/** Nobody reads earlier positions, and no time passes. */
export const noReaders = { monotonicMs: (): number => 0, lowestListed: (): undefined => undefined }
