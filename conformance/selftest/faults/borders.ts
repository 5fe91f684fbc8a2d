import { type Behavior, findParameter, type ListingOf, rightServer } from '../../src/model/behavior.ts'
import { ApiError, type JsonObject, type StoredTag, type TagSettings } from '../../src/model/state.ts'
import { createFaults, type Fault, fault, responses, without } from './fault.ts'

/** Lists only some of the tags that a listing contains. */
const tagsIf = (isListed: (settings: TagSettings, of: ListingOf, tag: StoredTag) => boolean): Partial<Behavior> => ({
  listsTag: (name, tag, of) => rightServer.listsTag(name, tag, of) && isListed(tag.settings, of, tag),
})

const isPage = ({ exchange }: ListingOf): boolean => findParameter(exchange.parameters, 'limit') !== undefined

/** Gives a change of settings no position, if `isMissed` says so. */
const tagMoves = (isMissed: (change: Partial<TagSettings>, old: TagSettings) => boolean): Partial<Behavior> => ({
  changedTag: (old, change) => rightServer.changedTag(old, change),
  applied: (upload, _session, account) => {
    const missed = [...upload.tags].filter(([name, change]) => {
      const old = account.tags.get(name)?.settings
      return old !== undefined && isMissed(change, old)
    })
    account.memory.set('missed', new Map(missed.map(([name]) => [name, account.tags.get(name)?.position])))
    return upload
  },
  afterWrite: (account) => {
    for (const [name, position] of (account.memory.get('missed') ?? new Map()) as ReadonlyMap<string, number>) {
      const tag = account.tags.get(name)
      if (tag !== undefined) tag.position = position
    }
  },
})

/** Servers that do not list some settings. */
export const listedTagFaults: readonly Fault[] = [
  ...createFaults(
    tagsIf,
    [
      'full-tags-no-colors',
      'does not list tags with a color alone in full syncs',
      ({ favorite, todo }, { full }) => !full || favorite || todo !== false,
    ],
    [
      'full-tags-favorites-without-color',
      'lists favorites with a color only in full syncs',
      ({ favorite, color }, { full }) => !full || !favorite || color !== false,
    ],
    [
      'full-tags-not-by-post',
      'lists no tags in a full sync by POST',
      (_settings, { full, exchange }) => !full || exchange.method === 'GET',
    ],
    [
      'full-tags-only-without-from',
      'lists tags only in full syncs without from',
      (_settings, { full, exchange }) => !full || findParameter(exchange.parameters, 'from') === undefined,
    ],
    [
      'full-tags-lost-with-limit',
      'lists no tags on the pages of a full sync',
      (_settings, of) => !of.full || !isPage(of),
    ],
    [
      'incremental-tags-lost-with-limit',
      'lists no tags on the pages of an incremental sync',
      (_settings, of) => of.full || !isPage(of),
    ],
    [
      'page-tags-after-the-end',
      'lists tags only on a page beyond the end',
      (_settings, of) => !isPage(of) || Number(findParameter(of.exchange.parameters, 'skip') ?? 0) > 1_000_000,
    ],
    [
      'tag-off-unlisted-from-far-behind',
      'does not list a tag whose settings are all default again to a client that is four changes behind',
      ({ favorite, color, todo }, { full, from }, { position }) =>
        full || favorite || color !== false || todo !== false || position - from < 4,
    ],
    [
      'tag-second-change-unlisted',
      'does not list a tag whose settings are all default again',
      ({ favorite, color, todo }, { full }) => full || favorite || color !== false || todo !== false,
    ],
  ),
  fault('full-tags-colors-of-favorites', 'gives colors of favorites only in full syncs', {
    syncResponse: (response, { parameters }) => {
      const isFull = Number(findParameter(parameters, 'from') ?? 0) === 0
      if (!isFull || response.tags === undefined) return response
      const tags = Object.entries(response.tags as Record<string, TagSettings>)
      return {
        ...response,
        tags: Object.fromEntries(tags.map(([name, tag]) => [name, tag.favorite ? tag : { ...tag, color: false }])),
      }
    },
  }),
  ...createFaults(
    tagMoves,
    [
      'tag-color-takes-no-position',
      'gives a change of a color alone no position',
      (change, old) => change.favorite === old.favorite && (change.todo !== false) === (old.todo !== false),
    ],
    [
      'tag-todo-takes-no-position',
      'gives a change of todo alone no position',
      (change, old) => change.favorite === old.favorite && change.color === old.color,
    ],
    [
      'tag-off-takes-no-position',
      'gives settings that are all taken away no position',
      ({ favorite, color, todo }) => favorite === false && color === false && todo === false,
    ],
  ),
]

/** Reads limit or skip in another way. */
const reading = (name: 'limit' | 'skip', read: (value: number) => number | undefined): Partial<Behavior> => ({
  page: (list, skip, limit) =>
    name === 'limit'
      ? rightServer.page(list, skip, limit === undefined ? undefined : Math.max(0, read(limit) ?? limit))
      : rightServer.page(list, Math.max(0, read(skip) ?? skip), limit),
})

const pageOf = ({
  exchange,
}: {
  readonly exchange: ListingOf['exchange']
}): { skip: number; limit: number | undefined } => {
  const limit = findParameter(exchange.parameters, 'limit')
  return {
    skip: Number(findParameter(exchange.parameters, 'skip') ?? 0),
    limit: limit === undefined ? undefined : Number(limit),
  }
}

/** Edits `things` of a page. */
const pageThings = (
  edit: (things: JsonObject, of: ListingOf, page: ReturnType<typeof pageOf>) => JsonObject,
): Partial<Behavior> => ({
  things: (things, of) => {
    const page = pageOf(of)
    return rightServer.things(page.limit === undefined ? things : edit(things, of, page), of)
  },
})

/** Ids that were deleted after `from`. */
const deletedIn = ({ account, from }: ListingOf): unknown[] =>
  [...account.things.values()]
    .filter(({ deleted, position, created }) => deleted && position > from && created <= from)
    .map(({ id }) => id)

/** Servers that page wrongly at some numbers, or over deleted IDs. */
export const borderPageFaults: readonly Fault[] = [
  ...createFaults(
    reading,
    [
      'limit-above-32767-lists-nothing',
      'lists nothing for a limit above 32,767',
      'limit',
      (limit) => (limit > 32_767 ? 0 : limit),
    ],
    ['limit-of-8-bits', 'keeps 8 bits of a limit', 'limit', (limit) => limit % 256],
    ['limit-of-16-bits', 'keeps 16 bits of a limit', 'limit', (limit) => limit % 65_536],
    ['limit-of-31-bits', 'keeps 32 bits of a limit, one of them for the sign', 'limit', (limit) => limit | 0],
    ['limit-of-32-bits', 'keeps 32 bits of a limit', 'limit', (limit) => limit % 2 ** 32],
    [
      'limit-above-1000-ignored-with-empty',
      'lists nothing for a limit above 1,000',
      'limit',
      (limit) => (limit > 1000 ? 0 : limit),
    ],
    ['skip-of-8-bits', 'keeps 8 bits of skip', 'skip', (skip) => skip % 256],
    ['skip-of-16-bits', 'keeps 16 bits of skip', 'skip', (skip) => skip % 65_536],
    ['skip-of-31-bits', 'keeps 32 bits of skip, one of them for the sign', 'skip', (skip) => skip | 0],
    ['skip-of-32-bits', 'keeps 32 bits of skip', 'skip', (skip) => skip % 2 ** 32],
    ['skip-large-is-none', 'takes a skip above 10,000 for none', 'skip', (skip) => (skip > 10_000 ? 0 : skip)],
  ),
  fault('skip-alone-limited', 'lists at most 100 entries behind skip when there is no limit', {
    page: (list, skip, limit) => rightServer.page(list, skip, limit ?? (skip > 0 ? 100 : undefined)),
  }),
  fault('limit-as-large-as-count-loses-one', 'loses the last entry when limit is the number of entries', {
    page: (list, skip, limit) => rightServer.page(list, skip, limit === list.length && limit > 1 ? limit - 1 : limit),
  }),
  ...createFaults(
    pageThings,
    [
      'deleted-on-every-page',
      'lists all deleted IDs on every page',
      (things, of) => {
        const deleted = deletedIn(of)
        return deleted.length === 0 ? things : { ...things, deleted }
      },
    ],
    [
      'deleted-never-beside-things',
      'lists no deleted IDs on a page with things',
      (things) => (things.changed === undefined ? things : without(things, 'deleted')),
    ],
    [
      'deleted-last-page-lost',
      'loses the last page of deleted IDs',
      (things, of, { skip, limit = 0 }) =>
        skip > 0 && skip + limit > deletedIn(of).length + 3 ? without(things, 'deleted') : things,
    ],
    [
      'deleted-alone-not-paged',
      'lists all deleted IDs on each page when nothing else changed',
      (things, of) =>
        things.changed === undefined && things.deleted !== undefined ? { ...things, deleted: deletedIn(of) } : things,
    ],
  ),
  fault('page-count-deleted-twice', 'counts the deleted IDs of a page twice', {
    syncResponse: (response, { parameters }) => {
      const deleted = (response.things as { deleted?: unknown[] } | undefined)?.deleted?.length ?? 0
      const isPaged = findParameter(parameters, 'limit') !== undefined
      return isPaged && deleted > 0 ? { ...response, thingCount: Number(response.thingCount) + deleted } : response
    },
  }),
  fault('page-count-without-deleted', 'does not count deleted IDs on pages', {
    syncResponse: (response, { parameters }) => {
      const deleted = (response.things as { deleted?: unknown[] } | undefined)?.deleted?.length ?? 0
      const isPaged = findParameter(parameters, 'limit') !== undefined
      return isPaged && deleted > 0 ? { ...response, thingCount: Number(response.thingCount) - deleted } : response
    },
  }),
]

/** Servers that count the response to an upload wrongly, or ignore skip_id in some syncs. */
export const uploadCountFaults: readonly Fault[] = [
  fault('thing-count-without-new', 'does not count new things', {
    thingCount: ({ changed, deleted }) => changed + deleted,
  }),
  fault('thing-count-new-is-one', 'counts new things as one', {
    thingCount: ({ created, changed, deleted }) => Math.min(created, 1) + changed + deleted,
  }),
  ...createFaults(
    responses,
    [
      'thing-count-without-new-in-full',
      'does not count new things in full syncs',
      (response, { parameters }) => {
        const isFull = Number(findParameter(parameters, 'from') ?? 0) === 0
        const created = Object.keys((response.things as { new?: object } | undefined)?.new ?? {}).length
        return isFull && created > 0 ? { ...response, thingCount: Number(response.thingCount) - created } : response
      },
    ],
    [
      'thing-count-of-uploads-missing',
      'gives no thingCount with the response to an upload',
      (response, { method, parameters }) =>
        method === 'POST' && parameters.some(([name]) => /_thing/.test(name))
          ? without(response, 'thingCount')
          : response,
    ],
    [
      'thing-count-of-uploads-without-from-missing',
      'gives no thingCount with the response to an upload without from',
      (response, { parameters }) =>
        findParameter(parameters, 'from') === undefined && parameters.some(([name]) => name.startsWith('new_thing'))
          ? without(response, 'thingCount')
          : response,
    ],
    [
      'thing-count-new-alone-missing',
      'gives no thingCount when it lists new things alone',
      (response) => {
        const things = Object.keys((response.things as object | undefined) ?? {})
        return things.length === 1 && things[0] === 'new' ? without(response, 'thingCount') : response
      },
    ],
  ),
]

/** Reads skip_id only in some requests. */
const skipIdsIf = (isRead: (parameters: ListingOf['exchange']['parameters']) => boolean): Partial<Behavior> => ({
  parameters: (all) => (isRead(all) ? all : all.filter(([name]) => !name.startsWith('skip_id'))),
})

const isFullSync = (all: ListingOf['exchange']['parameters']): boolean => Number(findParameter(all, 'from') ?? 0) === 0

/** Servers that ignore skip_id in some syncs. */
export const fullSkipFaults: readonly Fault[] = [
  ...createFaults(
    skipIdsIf,
    ['skip-id-ignored-in-full', 'ignores skip_id in full syncs', (all) => !isFullSync(all)],
    ['skip-id-ignored-without-from', 'ignores skip_id without from', (all) => findParameter(all, 'from') !== undefined],
    [
      'skip-id-ignored-beside-upload',
      'ignores skip_id beside new things',
      (all) => !all.some(([name]) => name.startsWith('new_thing')),
    ],
  ),
  fault('skip-id-rejected-in-full', 'rejects skip_id in full syncs', {
    parameters: (all, { path }) => {
      if (path === 'sync' && isFullSync(all) && all.some(([name]) => name.startsWith('skip_id')))
        throw new ApiError('parameter-invalid', 'skip_id needs a position')
      return all
    },
  }),
  fault(
    'skip-id-full-counts-none',
    'gives 0 for thingCount in a full sync with skip_id',
    responses((response, { parameters }) =>
      isFullSync(parameters) && parameters.some(([name]) => name.startsWith('skip_id'))
        ? { ...response, thingCount: 0 }
        : response,
    ),
  ),
  fault('skip-id-empties-full', 'lists nothing in a full sync with skip_id', {
    listed: (list, _kind, { exchange, full }) =>
      full && exchange.parameters.some(([name]) => name.startsWith('skip_id')) ? [] : list,
  }),
  fault('skip-id-full-first-only', 'reads the first skip_id in a full sync', {
    several: (kind, given) => {
      const all = rightServer.several(kind, given)
      return kind === 'skip_id' ? all.slice(0, 1) : all
    },
  }),
]
