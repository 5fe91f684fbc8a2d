import { createRandom } from '../../src/lab.ts'
import { type Behavior, findParameter, type Parameter, plainTag, rightServer } from '../../src/model/behavior.ts'
import { ApiError, type Json, type Session } from '../../src/model/state.ts'
import {
  createFaults,
  type Fault,
  fault,
  fromOf,
  postWithout,
  rejecting,
  replies,
  responses,
  status,
  without,
} from './fault.ts'

const random = createRandom('shuffled pages')

function shuffled<T>(list: readonly T[]): readonly T[] {
  return list
    .map((value) => ({ value, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value)
}

function paging(
  cut: <T>(list: readonly T[], skip: number, limit: number | undefined) => readonly T[],
): Partial<Behavior> {
  return { page: cut }
}

function plus(limit: number | undefined, more: number): number | undefined {
  return limit === undefined ? undefined : limit + more
}

/** Never lists a thing again to a session that got it in a page, even after a change. */
function givenByPages(): Partial<Behavior> {
  const given = new WeakMap<Session, Set<Json>>()
  return {
    listed: (list, kind, { session, exchange }) => {
      const known = given.get(session) ?? new Set()
      if (kind === 'deleted') return list
      if (findParameter(exchange.parameters, 'limit') === undefined) return list.filter(({ id }) => !known.has(id))
      given.set(session, new Set([...known, ...list.map(({ id }) => id)]))
      return list
    },
  }
}

/** Faults of skip and limit (interface 4.3, 8). */
export const pagingFaults: readonly Fault[] = [
  ...createFaults(
    paging,
    ['skip-ignored', 'ignores skip', (list, _skip, limit) => rightServer.page(list, 0, limit)],
    ['limit-ignored', 'ignores limit', (list, skip) => rightServer.page(list, skip, undefined)],
    [
      'limit-one-more',
      'lists one more than limit',
      (list, skip, limit) => rightServer.page(list, skip, plus(limit, 1)),
    ],
    [
      'skip-one-less',
      'skips one less than skip',
      (list, skip, limit) => rightServer.page(list, Math.max(0, skip - 1), limit),
    ],
    ['limit-before-skip', 'limits before it skips', (list, skip, limit) => list.slice(0, limit).slice(skip)],
    [
      'skip-beyond-starts-again',
      'starts again when skip is beyond the end',
      (list, skip, limit) => rightServer.page(list, skip < list.length ? skip : 0, limit),
    ],
    [
      'skip-beyond-last-page',
      'gives the last page again when skip is beyond the end',
      (list, skip, limit) =>
        rightServer.page(
          list,
          skip >= list.length && limit !== undefined ? Math.max(0, list.length - limit) : skip,
          limit,
        ),
    ],
  ),
  fault('page-pos-ahead', 'counts each further page as a position', {
    keepsPages: false,
    position: (account, _session, { exchange }) =>
      account.position + (Number(findParameter(exchange.parameters, 'skip') ?? 0) > 0 ? 1 : 0),
  }),
  fault('last-page-pos-ahead', 'gives the next position with the last page', {
    keepsPages: false,
    position: (account, _session, { exchange }) =>
      account.position + (Number(findParameter(exchange.parameters, 'skip') ?? 0) > 3 ? 1 : 0),
  }),
  fault('paged-things-not-again', 'lists no thing again to a session that was given it by pages', givenByPages()),
  ...createFaults(
    paging,
    [
      'page-order-random',
      'puts each page in another order',
      (list, skip, limit) => rightServer.page(limit === undefined ? list : shuffled(list), skip, limit),
    ],
    [
      'page-size-capped',
      'lists at most ten on a page',
      (list, skip, limit) => rightServer.page(list, skip, limit && Math.min(limit, 10)),
    ],
    [
      'page-last-missing',
      'lists nothing on a last page that is not full',
      (list, skip, limit = 0) =>
        skip > 0 && list.length - skip < limit ? [] : rightServer.page(list, skip, limit || undefined),
    ],
  ),
  fault('thing-count-of-page', 'counts only the page in thingCount', {
    thingCount: ({ created, page: count }) => created + count,
  }),
  fault('paged-deleted-lost', 'lists no deletions in pages', {
    listed: (list, kind, { exchange }) =>
      kind === 'deleted' && findParameter(exchange.parameters, 'limit') !== undefined ? [] : list,
  }),
  fault('post-skip-ignored', 'ignores skip in a POST', postWithout('skip')),
  fault('post-limit-ignored', 'ignores limit in a POST', postWithout('limit')),
]

const noThings = new Set<never>()

/** Faults against the contract on sync. */
export const fullSyncFaults: readonly Fault[] = [
  fault('future-from-empty', 'lists nothing for a from beyond the current position', {
    isFull: (from) => from === undefined || from === 0,
  }),
  fault('full-lists-deleted-ids', 'lists deleted ids in full', {
    listsDeleted: (thing, of) => rightServer.listsDeleted(thing, of) || (of.full && thing.deleted),
  }),
  fault('incremental-created-and-deleted-listed', 'lists what was created and deleted after the position', {
    listsDeleted: (thing, of) => rightServer.listsDeleted({ ...thing, created: 0 }, of),
  }),
  fault('own-uploads-echoed', 'lists own uploads as changed', {
    listsThing: (thing, of) => rightServer.listsThing(thing, { ...of, own: noThings }),
  }),
  fault('own-deletions-echoed', 'lists own deletions', {
    listsDeleted: (thing, of) => rightServer.listsDeleted(thing, { ...of, own: noThings }),
  }),
  fault('submitted-tags-not-returned', 'does not return the tag settings that were submitted', {
    returnsOwnTags: false,
  }),
  fault('full-tags-no-colored', 'leaves colored tags out of full syncs', {
    listsTag: (name, tag, of) =>
      rightServer.listsTag(name, tag, of) && !(of.full && !tag.settings.favorite && !tag.settings.todo),
  }),
  fault('thing-count-ignores-skip-id', 'counts what skip_id leaves out', {
    thingCount: (counts) => rightServer.thingCount(counts) + counts.skipped,
  }),
  fault('listing-order-by-id', 'lists in the order of ids', {
    order: (a, b) => (String(a.id) < String(b.id) ? -1 : 1),
  }),
  fault('listing-order-newest-first', 'lists the latest change first', { order: (a, b) => b.position - a.position }),
  fault('listing-deleted-first', 'lists deleted ids before things', { deletedFirst: true }),
  fault('page-skips-under-writes', 'makes each page from the state of that moment, and returns its pos', {
    keepsPages: false,
  }),
  fault(
    'page-pos-moves',
    'returns the current pos with each page',
    responses((response, { account }) => ({ ...response, pos: account?.position })),
  ),
  fault(
    'page-pos-goes-back',
    'returns the position from which it pages with the later pages',
    responses((response, exchange) =>
      findParameter(exchange.parameters, 'skip') === undefined
        ? response
        : { ...response, pos: Number(fromOf(exchange)) },
    ),
  ),
  fault('limit-zero-lists-all', 'lists everything for limit=0', {
    page: (list, skip, limit) => rightServer.page(list, skip, limit || undefined),
  }),
  fault('retry-duplicates', 'creates things again in a retry', { rememberedUploads: () => undefined }),
  fault('retry-without-from', 'takes an upload without from for a retry', {
    rememberedUploads: ({ uploads }, from) => uploads.get(from ?? -1),
  }),
  fault('retry-other-id', 'responds to a retry with another id', {
    rememberedUploads: ({ uploads }, from) =>
      new Map(
        [...(uploads.get(from ?? -2) ?? [])].map(([localId, { id, given }]) => [localId, { id: `${id}b`, given }]),
      ),
  }),
  fault('retry-fields-ignored', 'ignores the fields of a retry', { retryApplies: false }),
  fault('retry-deletion-hidden', 'does not list a thing in the response to a retry that was deleted in between', {
    retryListsDeleted: false,
  }),
  fault('pos-not-whole', 'gives positions with fractions', {
    position: ({ position }) => position + 0.5,
    since: (from) => Math.floor(from),
  }),
  fault('retry-whatever-comes', 'takes every repeated client-assigned ID for a retry', { isRetry: () => true }),
  fault('retry-by-title-only', 'takes a repeated upload with another title for a new thing', {
    isRetry: (earlier, given) => earlier.title === given.title,
  }),
  fault('retry-remembered-forever', 'remembers an upload when the session has asked from a later position', {
    forgets: ['id'],
  }),
  fault('retry-remembered-after-use', 'remembers an upload when the session has named its thing by the id', {
    forgets: ['from'],
  }),
  fault('tags-sorted', 'sorts the tags of a thing', {
    keepText: (text, field) => (field === 'tags' ? text.split(' ').sort().join(' ') : text),
  }),
  fault('null-clears', 'clears the fields that are null', { nullIsAbsent: false }),
  fault('null-title-accepted', 'takes a title that is null for an empty one', {
    nullIsAbsent: false,
    submittedThing: (thing) => ({ ...thing, title: thing.title ?? '' }),
  }),
  fault('null-tag-setting-resets', 'resets tag settings that are null', { nullTagSetting: 'resets' }),
  fault('null-parameter-rejected', 'rejects parameters that are null', {
    nullIsAbsent: false,
    parameters: (all) => {
      const given = all.find(([, value]) => value === null)
      if (given !== undefined) throw new ApiError('parameter-invalid', `${given[0]} is null`)
      return all
    },
  }),
  fault('null-rejected', 'rejects null in a field', {
    nullIsAbsent: false,
    submittedThing: (thing) => {
      if (Object.values(thing).includes(null)) throw new ApiError('parameter-invalid', 'a field is null')
      return thing
    },
  }),
  fault('retry-other-session', 'takes the upload of another session for a retry', {
    rememberedUploads: ({ username }, from, { sessions }) =>
      sessions
        .find((session) => session.username === username && session.uploads.has(from ?? -2))
        ?.uploads.get(from ?? -2),
  }),
  fault('change-absent-clears', 'clears the fields that a changed thing leaves out', {
    changedFields: (old, change) => ({ ...old, tags: '', url: undefined, html: undefined, ...change }),
  }),
  fault('change-empty-keeps', 'does not clear a field for ""', { clearsEmpty: false }),
  fault('change-resurrects-deleted', 'brings a deleted thing back when it is changed', {
    findToChange: (account, id) => {
      const thing = account.things.get(id)
      if (thing !== undefined) thing.deleted = false
      return thing
    },
  }),
  fault('change-unknown-not-listed', 'does not report the change of an unknown id', { reportsUnknownChange: false }),
  fault('change-unknown-rejected', 'rejects the change of an unknown id', {
    onUnknownChange: () => {
      throw new ApiError('thing-unknown', 'there is no such thing')
    },
  }),
  fault('deletion-unknown-rejected', 'rejects the deletion of an unknown id', {
    findToDelete: (account, id, state) => {
      const thing = rightServer.findToDelete(account, id, state)
      if (thing === undefined) throw new ApiError('thing-unknown', 'there is no such thing')
      return thing
    },
  }),
  fault('request-order-deleted-first', 'applies deletions before changes', {
    uploadOrder: ['new', 'deleted', 'changed', 'tags'],
  }),
  fault('date-milliseconds-default', 'dates things in milliseconds', { defaultDate: (now) => now }),
  fault('date-zero-replaced', 'takes the date 0 for none', { keepDate: (date) => date || 1e9 }),
  fault('todo-true-as-dont-strike', 'takes todo: true for dont-strike', { todoTrue: 'dont-strike' }),
  fault('todo-text-rejected', 'takes no text for todo', { readsTodoText: false }),
  fault('color-case-kept', 'keeps the case of colors', { keepColor: (color) => color }),
  fault('color-three-digits-doubled', 'writes a color of three digits with six', {
    keepColor: (color) => color.toLowerCase().replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3'),
  }),
  fault('color-unchecked', 'takes any text for a color', { overlooks: ['color-invalid'] }),
  fault('tag-absent-resets', 'resets the tag settings that were left out', {
    changedTag: (_old, change) => ({ ...plainTag, ...change }),
  }),
]

/** Edits the parameters of one operation. */
function parameters(path: string, edit: (all: readonly Parameter[]) => readonly Parameter[]): Partial<Behavior> {
  return { parameters: (all, exchange) => (exchange.path === path ? edit(all) : all) }
}

/** Treats unknown ids of one operation as known. */
function unknownAccepted(path: string, body: Json): Partial<Behavior> {
  return {
    reply: (reply, exchange) =>
      exchange.path === path && reply.status === 404 ? { status: 200, headers: {}, body } : reply,
  }
}

function reading(...names: readonly string[]): Partial<Behavior> {
  return { thingsGetReads: names }
}

function lacking(path: string, field: string): Partial<Behavior> {
  return replies(path, 'success', (body) => without(body, field))
}

/** Faults against the contract on the other operations. */
export const fullOperationFaults: readonly Fault[] = [
  fault('tags-get-pos-missing', 'gives no pos in tags/get', lacking('tags/get', 'pos')),
  fault('tags-get-counts-deleted', 'counts deleted things in tags/get', { countsThing: () => true }),
  fault('tags-get-omits-archived', 'does not count archived things in tags/get', {
    countsThing: ({ deleted, fields }) => !deleted && !fields.archived,
  }),
  fault('tags-get-from-ignored', 'ignores from in tags/get', { tagsGetReadsFrom: false }),
  fault('tags-get-favorites-in-other', 'counts favorites among the other tags', { favoritesApart: false }),
  fault(
    'add-title-optional',
    'needs no title in thing/add',
    parameters('thing/add', (all) => [['title', ''], ...all]),
  ),
  fault(
    'add-fields-dropped',
    'reads only the title in thing/add',
    parameters('thing/add', (all) => all.filter(([name]) => ['title', 'prevent_duplicate'].includes(name))),
  ),
  fault('add-url-not-taken-from-title', 'takes no url from the title', { urlFromTitle: false }),
  fault('add-duplicate-created', 'ignores prevent_duplicate', { preventsDuplicates: false }),
  fault(
    'add-duplicate-unasked',
    'prevents duplicates unasked',
    parameters('thing/add', (all) => [['prevent_duplicate', 'true'], ...all]),
  ),
  fault('add-duplicate-unmarked', 'does not mark duplicates', lacking('thing/add', 'duplicate')),
  fault('add-not-in-incremental', 'gives thing/add no position of its own', { operationMoves: ['change', 'delete'] }),
  fault('op-change-not-in-incremental', 'gives thing/change no position of its own', {
    operationMoves: ['add', 'delete'],
  }),
  fault('op-delete-not-in-incremental', 'gives thing/delete no position of its own', {
    operationMoves: ['add', 'change'],
  }),
  fault('op-change-absent-clears', 'clears in thing/change what is left out', { operationKeepsAbsent: false }),
  fault(
    'op-change-unarchives',
    'takes a thing out of the archive in thing/change',
    parameters('thing/change', (all) => [['archived', 'false'], ...all]),
  ),
  fault(
    'op-change-unknown-200',
    'responds to thing/change of an unknown id with success',
    unknownAccepted('thing/change', {}),
  ),
  fault(
    'op-delete-twice-ok',
    'responds to thing/delete of an unknown id with success',
    unknownAccepted('thing/delete', { deleted_thing: 'x' }),
  ),
  fault('op-delete-response-empty', 'does not return the deleted id', lacking('thing/delete', 'deleted_thing')),
  fault('things-get-includes-archived', 'gets archived things unasked', {
    getsThing: (thing, archived) => archived === undefined || rightServer.getsThing(thing, archived),
  }),
  fault('things-get-include-ignored', 'ignores archived=include', {
    getsThing: ({ fields }, archived) => fields.archived === (archived === 'true'),
  }),
  fault('things-get-archived-ignored', 'ignores archived=true', {
    getsThing: ({ fields }, archived) => archived === 'include' || !fields.archived,
  }),
  fault('things-get-tag-ignored', 'ignores tag', reading('archived', 'skip', 'limit')),
  fault('things-get-skip-ignored', 'ignores skip', reading('archived', 'tag', 'limit')),
  fault('things-get-limit-ignored', 'ignores limit', reading('archived', 'tag', 'skip')),
  fault(
    'things-get-as-object',
    'wraps the list of things/get in an object',
    replies('things/get', 'success', (things) => ({ things })),
  ),
  fault('user-get-other-name', 'returns another user name', { userName: ({ username }) => `${username}x` }),
  fault('user-get-date-missing', 'gives no date in user/get', lacking('user/get', 'date')),
  fault('user-get-pos-missing', 'gives no pos in user/get', lacking('user/get', 'pos')),
  fault('user-get-thing-count-missing', 'gives no thingCount in user/get', lacking('user/get', 'thingCount')),
  fault('webhook-event-unchecked', 'takes any event', { overlooks: ['event-invalid'] }),
  fault('webhook-target-unchecked', 'takes any target_url', { overlooks: ['target-invalid'] }),
  fault('webhook-register-response', 'does not confirm a webhook', lacking('webhook/register', 'registered')),
  fault(
    'webhook-unregister-response',
    'does not confirm the end of a webhook',
    lacking('webhook/unregister', 'unregistered'),
  ),
  fault('device-type-unchecked', 'needs nothing of a device', { overlooks: ['device-invalid'] }),
  fault('device-register-response', 'does not confirm a device', lacking('register/device', 'registered')),
  fault(
    'device-unregister-response',
    'does not confirm the end of a device',
    lacking('unregister/device', 'unregistered'),
  ),
  fault(
    'device-alias-missing',
    'does not know device/register',
    rejecting(({ path }) => path === 'device/register'),
  ),
  fault(
    'device-unregister-alias-response',
    'does not confirm device/unregister',
    lacking('device/unregister', 'unregistered'),
  ),
  fault(
    'device-register-rejected',
    'does not know register/device',
    rejecting(({ path }) => path === 'register/device'),
  ),
  fault(
    'webhook-register-rejected',
    'does not know webhook/register',
    rejecting(({ path }) => path === 'webhook/register'),
  ),
  fault(
    'thing-add-rejected',
    'does not know thing/add',
    rejecting(({ path }) => path === 'thing/add'),
  ),
  fault(
    'thing-add-invalid',
    'takes nothing for a right thing/add',
    parameters('thing/add', (all) => all.filter(([name]) => name !== 'title')),
  ),
  fault(
    'operations-reject-forms',
    'takes no forms for operations on single things',
    rejecting(({ path, contentType }) => path.startsWith('thing/') && contentType !== 'application/json'),
  ),
  fault(
    'unknown-parameter-rejected-by-add',
    'rejects parameters that thing/add does not know',
    rejecting(({ path, body }) => path === 'thing/add' && body.some(([name]) => name === 'app_version')),
  ),
  fault('tags-get-other-missing', 'gives no other tags in tags/get', lacking('tags/get', 'other')),
  fault('test-user-missing', 'does not return the user in test', lacking('test', 'user')),
]

/** Faults against the contract on link previews. */
export const linkPreviewFaults: readonly Fault[] = [
  fault(
    'preview-missing',
    'has no link previews',
    rejecting(({ path }) => path === 'link/preview'),
  ),
  fault('preview-entities-raw', 'leaves the entities of a page as they are', { decodeEntities: (text) => text }),
  fault('preview-lines-kept', 'keeps the line breaks of a title', { joinLines: (text) => text }),
  fault('preview-description-missing', 'does not read descriptions of pages', lacking('link/preview', 'description')),
  fault('preview-canonical-relative', 'does not resolve canonical URLs', { resolveCanonical: (href) => href }),
  fault('preview-site-missing', 'does not read names of sites', lacking('link/preview', 'site_name')),
  fault('preview-empty-texts', 'returns empty texts for what a page does not say', { preview: (found) => found }),
  fault('preview-charset-utf-8', 'reads every page as UTF-8', { pageCharset: () => 'utf-8' }),
  fault('preview-charset-header-only', 'does not read the charset in a page', {
    pageCharset: (header) => header ?? 'utf-8',
  }),
  fault('preview-charset-meta-only', 'does not read the charset in the header of a page', {
    pageCharset: (_header, meta) => meta ?? 'utf-8',
  }),
  fault('preview-url-unnamed', 'does not say that the URL of a page is the wrong parameter', {
    reply: (reply, { path }) =>
      path === 'link/preview' && reply.status === 400
        ? { ...reply, body: { error: 'parameter_invalid', error_description: 'a parameter is wrong' } }
        : reply,
  }),
  fault('preview-address-unchecked', 'reads pages of private addresses', {
    reply: (reply, { path, query }) => {
      const isInside = /^http:/.test(String(findParameter(query, 'url'))) && reply.status === 400
      return path === 'link/preview' && isInside ? { ...reply, status: 422 } : reply
    },
  }),
  fault('preview-url-unchecked', 'takes any text for the URL of a page', { checksPageUrl: false }),
  fault('preview-redirect-kept', 'does not follow redirects of pages', {
    followsPageRedirects: false,
    checksPageStatus: false,
  }),
  fault('preview-cookie-sent', 'returns the cookies of pages', {
    previewHeaders: (_from, cookie) => (cookie === '' ? {} : { cookie }),
  }),
  fault('preview-referrer-sent', 'says from which page a redirect came', {
    previewHeaders: (from) => (from === '' ? {} : { referer: from }),
  }),
  fault('preview-token-sent', 'sends the access token to pages', {
    previewHeaders: (_from, _cookie, authorization) => ({ authorization: authorization || 'Bearer none' }),
  }),
  fault('preview-by-post', 'reads pages by POST', { previewMethod: 'POST' }),
  fault('preview-error-ignored', 'takes the title of an error page', { checksPageStatus: false }),
  fault('preview-error-status', 'gives pages that cannot be read the status 503', status('page-unavailable', 503)),
  fault('preview-redirects-empty', 'says nothing of a page that redirects without end', { endlessPage: {} }),
]
