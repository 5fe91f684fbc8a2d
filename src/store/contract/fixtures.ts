import type { Draft, Listing, ListQuery, Store, TagSettings, Thing, ThingForm, View } from '../store.ts'

const plainDate = 1_700_000_000

type Shown = [id: string, title: string, tags: string, archived: boolean, ...rest: (boolean | Partial<Thing>)[]]

/** What a shown thing holds beside the first fields, left out when all of it is plain. */
const restOf = ({ date, url, html }: Thing): readonly Partial<Thing>[] =>
  date === plainDate && url === undefined && html === undefined
    ? []
    : [{ date, ...(url === undefined ? {} : { url }), ...(html === undefined ? {} : { html }) }]

const showThing = (thing: Thing, isTodo: boolean): string =>
  JSON.stringify([
    thing.id,
    thing.title,
    thing.tags,
    thing.archived,
    ...(isTodo ? [thing.todoStatus] : []),
    ...restOf(thing),
  ])

/** A plain form of things: tags are separated by spaces, any `todo` setting makes a todo. */
export const contractForm: ThingForm = {
  tagsOf: (thing) => [...new Set(thing.tags.split(' ').filter((tag) => tag !== ''))],
  isTodoTag: (settings) => settings.todo !== false,
  showThing,
  showKept: ({ bytes, start, end }, isTodo, target, offset) =>
    offset + target.write(showThing(JSON.parse(bytes.toString('utf8', start, end)), isTodo), offset),
  keepShown: (json, { archived, todoStatus }) => {
    const { archived: _, todoStatus: __, ...content } = contractForm.readThing(json)
    return JSON.stringify({ ...content, archived, todoStatus }).slice(0, -1)
  },
  readThing: (json) => {
    const [id, title, tags, archived, ...rest] = JSON.parse(json) as Shown
    const plain = { id, title, tags, date: plainDate, archived, todoStatus: false }
    return Object.assign(plain, ...rest.filter((more) => typeof more === 'object'))
  },
}

/** A thing with these fields, the rest plain. */
export const makeThing = (id: string, fields: Partial<Thing> = {}): Thing => ({
  id,
  title: `title of ${id}`,
  tags: '',
  date: plainDate,
  archived: false,
  todoStatus: false,
  ...fields,
})

/** Settings with this `todo`. */
export const makeSettings = (todo: TagSettings['todo'] = false): TagSettings => ({
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
  const changed: unknown = JSON.parse(`[${runs.join('')}]`)
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

/** All that a view answers, to be compared with what it or another answers later. */
export const readEverything = async (view: View, ids: readonly string[]) => ({
  position: view.position,
  things: await Promise.all(ids.map(view.findThing)),
  full: await readList(view, { after: 0 }),
  delta: await readList(view, { after: 1 }),
  archived: await readList(view, { after: 0, archived: true }),
  unarchived: await readList(view, { after: 0, archived: false, skip: 1, limit: 2 }),
  tagged: await readList(view, { after: 0, tag: 'red' }),
  tags: await view.listTags(0),
  tagCounts: await view.countTags(),
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

/** An account of which nothing is to be told. */
export const noErrands: ReadonlyMap<string, number> = new Map()

/** A pipeline's surroundings in which nothing is to be told, and nobody wants to know what is visible. */
export const nobodyAround = { listErrands: () => noErrands, shown: () => undefined }

/** Nobody reads earlier positions, and no time passes. */
export const noReaders = { now: (): number => 0, lowestListed: (): undefined => undefined }
