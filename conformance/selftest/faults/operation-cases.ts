import { type Behavior, type Exchange, findParameter, type ListingOf, rightServer } from '../../src/model/behavior.ts'
import { type Account, ApiError, type JsonObject, type ServerState, type Thing } from '../../src/model/state.ts'
import { createFaults, type Fault, fault, replies } from './fault.ts'

const othersOf = (state: ServerState, account: Account | undefined): readonly Account[] =>
  [...state.accounts.values()].filter((other) => other !== account)

const livingOf = ({ things }: Account): Thing[] => [...things.values()].filter(({ deleted }) => !deleted)

/** Also lists the living things of all other users. */
const listingAll = (applies: (of: ListingOf, thing: Thing) => boolean): Partial<Behavior> => ({
  listed: (list, kind, of) => {
    if (kind === 'deleted') return list
    const foreign = othersOf(of.exchange.state, of.account)
      .flatMap(livingOf)
      .filter((thing) => applies(of, thing))
    return [...list, ...foreign.map((thing) => ({ id: thing.id, json: rightServer.thing(thing, false) }))]
  },
})

const has = ({ exchange }: ListingOf, name: string): boolean => findParameter(exchange.parameters, name) !== undefined

/** Servers that show a user the data of others in some forms of sync. */
export const isolationFilterFaults: readonly Fault[] = [
  ...createFaults(
    listingAll,
    ['page-of-all-users', 'lists the things of all users on pages', (of) => has(of, 'limit') && has(of, 'skip')],
    ['archived-of-all-users', 'lists archived things of all users', (_of, { fields }) => fields.archived],
    [
      'post-lists-all-users',
      'lists the things of all users by POST without an upload',
      ({ exchange }) => exchange.method === 'POST' && !exchange.parameters.some(([name]) => /thing|tag/.test(name)),
    ],
    [
      'upload-lists-all-users',
      'lists the things of all users with the response to new things',
      ({ exchange }) => exchange.parameters.some(([name]) => name.startsWith('new_thing')),
    ],
    ['skip-id-lists-all-users', 'lists the things of all users beside skip_id', (of) => has(of, 'skip_id')],
  ),
  fault('tags-of-all-users-with-limit', 'lists the tags of all users on pages', {
    syncResponse: (response, { state, account, parameters }) => {
      if (findParameter(parameters, 'limit') === undefined) return response
      const foreign = othersOf(state, account).flatMap(({ tags }) => [...tags])
      const added = Object.fromEntries(foreign.map(([name, { settings }]) => [name, settings]))
      return { ...response, tags: { ...(response.tags as object | undefined), ...added } }
    },
  }),
]

/** Edits the array that things/get returns. */
const gettingAll = (applies: (exchange: Exchange, thing: Thing) => boolean): Partial<Behavior> =>
  replies('things/get', 'success', (body, _reply, exchange) => {
    const foreign = othersOf(exchange.state, exchange.account)
      .flatMap(livingOf)
      .filter((thing) => applies(exchange, thing))
    return [...(body as unknown as readonly unknown[]), ...foreign.map((thing) => rightServer.thing(thing, false))]
  })

const parameterOf = ({ parameters }: Exchange, name: string): unknown => findParameter(parameters, name)

/** Servers that mix up accounts in the other operations; they violate only the contract. */
export const isolationOperationFaults: readonly Fault[] = [
  ...createFaults(
    gettingAll,
    [
      'things-get-archived-of-all-users',
      'lists archived things of all users in things/get',
      (exchange, { fields }) => parameterOf(exchange, 'archived') === 'true' && fields.archived,
    ],
    [
      'things-get-tag-of-all-users',
      'lists the things of all users by tag',
      (exchange, { fields }) => fields.tags.split(' ').includes(String(parameterOf(exchange, 'tag'))),
    ],
    [
      'things-get-pages-of-all-users',
      'lists the things of all users on pages of things/get',
      (exchange) => parameterOf(exchange, 'skip') !== undefined,
    ],
  ),
  fault(
    'tags-get-of-all-users',
    'counts the tags of all users in tags/get',
    replies('tags/get', 'success', (body, _reply, { state, account }) => {
      const names = othersOf(state, account)
        .flatMap(livingOf)
        .flatMap(({ fields }) => fields.tags.split(' '))
      return { ...body, other: { ...(body.other as object), ...Object.fromEntries(names.map((name) => [name, 1])) } }
    }),
  ),
  fault(
    'tags-get-counts-all-users',
    'counts the things of all users that carry a tag of the user',
    replies('tags/get', 'success', (body, _reply, { state, account }) => {
      const foreign = othersOf(state, account).flatMap(livingOf)
      const more = (name: string): number =>
        foreign.filter(({ fields }) => fields.tags.split(' ').includes(name)).length
      const counts = Object.entries(body.other as Record<string, number>).map(([name, count]) => [
        name,
        count + more(name),
      ])
      return { ...body, other: Object.fromEntries(counts) }
    }),
  ),
  fault(
    'hooks-listed-for-all-users',
    'lists the webhooks of all users',
    replies('webhook/list', 'success', (body, _reply, { state, account }) => [
      ...(body as unknown as readonly unknown[]),
      ...othersOf(state, account).flatMap(({ webhooks }) =>
        [...webhooks.values()].map(({ target, event }) => ({ target_url: target, event })),
      ),
    ]),
  ),
  ...createFaults(
    (path: string): Partial<Behavior> => ({
      reply: (reply, { path: given, account, state, parameters, method }) => {
        if (given !== path || reply.status !== 404 || method !== 'POST') return reply
        const id = findParameter(parameters, '_id')
        const thing = othersOf(state, account)
          .map(({ things }) => things.get(id))
          .find((each) => each?.deleted === false)
        if (thing === undefined) return reply
        if (path === 'thing/delete') thing.deleted = true
        else thing.fields.title = String(findParameter(parameters, 'title'))
        return reply
      },
    }),
    ['op-change-crosses-accounts', 'changes things of other users by thing/change', 'thing/change'],
    ['op-delete-crosses-accounts', 'deletes things of other users by thing/delete', 'thing/delete'],
  ),
  ...createFaults(
    (path: string): Partial<Behavior> => ({
      reply: (reply, { path: given, account, state, parameters }) => {
        const id = findParameter(parameters, '_id')
        const isForeign = othersOf(state, account).some(({ things }) => things.get(id)?.deleted === false)
        const isHidden = given === path && reply.status === 404 && isForeign
        return isHidden ? { status: 200, headers: {}, body: { _id: id } } : reply
      },
    }),
    [
      'op-change-of-other-user-ignored',
      'ignores a thing/change of a thing of another user, with a success',
      'thing/change',
    ],
    [
      'op-delete-of-other-user-ignored',
      'ignores a thing/delete of a thing of another user, with a success',
      'thing/delete',
    ],
  ),
  fault(
    'user-get-counts-all-users',
    'counts the things of all users in user/get',
    replies('user/get', 'success', (body, _reply, { state }) => ({
      ...body,
      thingCount: [...state.accounts.values()].flatMap(livingOf).length,
    })),
  ),
  fault(
    'duplicate-of-all-users',
    'takes a thing of another user for a duplicate',
    replies('thing/add', 'success', (body, _reply, { state, account }) => {
      const isTaken = othersOf(state, account)
        .flatMap(livingOf)
        .some(({ fields }) => fields.url !== undefined && fields.url === body.url)
      return isTaken ? { ...body, duplicate: true } : body
    }),
  ),
]

const findDuplicate = (exchange: Exchange, matches: (thing: Thing, url: string) => boolean): Thing | undefined => {
  const url = findParameter(exchange.parameters, 'url')
  const { account } = exchange
  return account === undefined || typeof url !== 'string'
    ? undefined
    : [...account.things.values()].find((thing) => matches(thing, url))
}

/** Also takes other things for duplicates. */
const alsoDuplicate = (matches: (thing: Thing, url: string) => boolean): Partial<Behavior> =>
  replies('thing/add', 'success', (body, _reply, exchange) => {
    const asked = /^(true|1)$/i.test(String(findParameter(exchange.parameters, 'prevent_duplicate')))
    const same = asked
      ? findDuplicate(exchange, (thing, url) => thing.id !== body._id && matches(thing, url))
      : undefined
    return same === undefined || body.duplicate === true ? body : { ...body, duplicate: true }
  })

/** Does not take some things for duplicates: creates another thing. */
const noDuplicate = (isOverlooked: (thing: Thing, exchange: Exchange) => boolean): Partial<Behavior> =>
  replies('thing/add', 'success', (body, _reply, exchange) => {
    const same = exchange.account?.things.get(body._id)
    if (body.duplicate !== true || same === undefined || !isOverlooked(same, exchange)) return body
    const { duplicate: _, ...rest } = body as JsonObject
    return { ...rest, _id: `${body._id}x` }
  })

/** The kind of a write: a part of an upload, or an operation; undefined for a request that writes nothing. */
const writeKind = ({ path, method, parameters }: Exchange): string | undefined => {
  if (path !== 'sync') return method === 'POST' ? path : undefined
  return parameters.map(([name]) => /^(new|changed|deleted)_thing/.exec(name)?.[1]).find((kind) => kind !== undefined)
}

type Counts = Readonly<Record<string, unknown>>

/** Keeps the counts of an operation, and takes other ones after each write: `now` are the right ones. */
const keepingCounts = (
  path: string,
  count: (things: readonly Thing[]) => Counts,
  next: (kind: string, last: Counts, now: Counts) => Counts,
): Partial<Behavior> => ({
  reply: (reply, exchange) => {
    const { account } = exchange
    if (account === undefined || reply.status >= 400) return reply
    const key = `counts of ${path}`
    const [kind, now] = [writeKind(exchange), count(livingOf(account))]
    const last = account.memory.get(key) as Counts | undefined
    const counts = last === undefined ? now : kind === undefined ? last : next(kind, last, now)
    account.memory.set(key, counts)
    return exchange.path === path ? { ...reply, body: { ...(reply.body as JsonObject), ...counts } } : reply
  },
})

const countTags = (things: readonly Thing[]): Counts => {
  const other: Record<string, number> = {}
  for (const { fields } of things)
    for (const tag of new Set(fields.tags.split(' '))) if (tag !== '') other[tag] = (other[tag] ?? 0) + 1
  return { other }
}

const countThings = (things: readonly Thing[]): Counts => ({ thingCount: things.length })

const similar = (url: string): string =>
  url
    .toLowerCase()
    .replace(/^https?:\/\/(www\.)?/, '')
    .replace(/[/#?].*$|\/$/g, '')

/** Servers that count, filter or unregister wrongly; they violate only the contract. */
export const operationCaseFaults: readonly Fault[] = [
  ...createFaults(
    keepingCounts,
    [
      'tags-get-misses-creations',
      'counts new things in tags/get from the next change or deletion on',
      'tags/get',
      countTags,
      (kind, last, now) => (kind === 'new' ? last : now),
    ],
    [
      'tags-get-misses-changes',
      'counts changed things in tags/get from the next creation or deletion on',
      'tags/get',
      countTags,
      (kind, last, now) => (kind === 'changed' ? last : now),
    ],
    [
      'user-get-misses-creations',
      'counts what sync creates in user/get from the next write on',
      'user/get',
      countThings,
      (kind, last, now) => (kind === 'new' ? last : now),
    ],
    [
      'user-get-misses-added',
      'counts what thing/add creates in user/get from the next write on',
      'user/get',
      countThings,
      (kind, last, now) => (kind === 'thing/add' ? last : now),
    ],
    [
      'user-get-counts-changes',
      'counts a change as another thing in user/get until the next write',
      'user/get',
      countThings,
      (kind, _last, now) => (kind === 'changed' ? { thingCount: Number(now.thingCount) + 1 } : now),
    ],
  ),
  fault(
    'tags-get-counts-since',
    'counts in tags/get with from only what changed since',
    replies('tags/get', 'success', (body, _reply, { account, parameters }) => {
      const from = Number(findParameter(parameters, 'from') ?? 0)
      if (from === 0 || account === undefined) return body
      const since = livingOf(account).filter(({ position }) => position > from)
      const count = (name: string): number => since.filter(({ fields }) => fields.tags.split(' ').includes(name)).length
      const other = Object.keys(body.other as object).map((name) => [name, count(name)])
      return { ...body, other: Object.fromEntries(other) }
    }),
  ),
  ...createFaults(
    (count: (tags: string, name: string) => number): Partial<Behavior> =>
      replies('tags/get', 'success', (body, _reply, { account }) => {
        const things = account === undefined ? [] : livingOf(account)
        const sum = (name: string): number => things.reduce((all, { fields }) => all + count(fields.tags, name), 0)
        const other = Object.keys(body.other as object).map((name) => [name, sum(name)])
        return { ...body, other: Object.fromEntries(other) }
      }),
    [
      'tags-get-counts-twice',
      'counts a thing twice that carries a tag twice',
      (tags, name) => tags.split(' ').filter((tag) => tag === name).length,
    ],
    [
      'tags-get-counts-parts',
      'counts things whose tag contains the name',
      (tags, name) => (tags.includes(name) ? 1 : 0),
    ],
  ),
  fault(
    'tags-get-keeps-old-tags',
    'also counts the tags that a thing was created with',
    replies('tags/get', 'success', (body, _reply, { account }) => {
      const things = account === undefined ? [] : livingOf(account)
      const lost = things.flatMap(({ first, fields }) =>
        first.tags.split(' ').filter((tag) => !fields.tags.split(' ').includes(tag)),
      )
      const other = { ...(body.other as Record<string, number>) }
      for (const name of lost) other[name] = (other[name] ?? 0) + 1
      return { ...body, other }
    }),
  ),
  ...createFaults(
    (count: (things: readonly Thing[]) => number): Partial<Behavior> =>
      replies('user/get', 'success', (body, _reply, { account }) => ({
        ...body,
        thingCount: count([...(account?.things.values() ?? [])]),
      })),
    ['user-get-counts-deleted', 'counts deleted things in user/get', (things) => things.length],
    [
      'user-get-omits-archived',
      'does not count archived things in user/get',
      (things) => things.filter(({ deleted, fields }) => !deleted && !fields.archived).length,
    ],
    [
      'user-get-counts-since-start',
      'counts in user/get the things that nobody changed',
      (things) => things.filter(({ deleted, position, created }) => !deleted && position === created).length,
    ],
  ),
  ...createFaults(
    alsoDuplicate,
    [
      'duplicate-by-similar-url',
      'takes a similar url for a duplicate',
      ({ deleted, fields }, url) => !deleted && fields.url !== url && similar(fields.url ?? '') === similar(url),
    ],
    [
      'duplicate-by-letter-case',
      'ignores the letter case of urls when it looks for duplicates',
      ({ deleted, fields }, url) => !deleted && fields.url !== url && fields.url?.toLowerCase() === url.toLowerCase(),
    ],
    [
      'duplicate-of-deleted',
      'takes a deleted thing for a duplicate',
      ({ deleted, fields }, url) => deleted && fields.url === url,
    ],
    [
      'duplicate-of-earlier-url',
      'takes a url for a duplicate that a thing had before',
      ({ first, fields }, url) => first.url === url && fields.url !== url,
    ],
  ),
  ...createFaults(
    noDuplicate,
    ['duplicate-not-of-archived', 'does not find archived duplicates', ({ fields }) => fields.archived],
    [
      'duplicate-not-of-synced',
      'finds only duplicates that thing/add created',
      ({ fields }) => fields.url?.endsWith('/archived') === true,
    ],
    [
      'duplicate-spelled-true-only',
      'reads prevent_duplicate only as true',
      (_thing, { parameters }) => findParameter(parameters, 'prevent_duplicate') !== 'true',
    ],
  ),
  fault(
    'duplicate-always-prevented',
    'gives the thing that has the url for prevent_duplicate=false',
    replies('thing/add', 'success', (body, _reply, exchange) => {
      if (findParameter(exchange.parameters, 'prevent_duplicate') !== 'false') return body
      const same = findDuplicate(exchange, ({ deleted, fields }, url) => !deleted && fields.url === url)
      return same === undefined ? body : { ...body, _id: same.id }
    }),
  ),
  fault(
    'duplicate-overwrites',
    'gives a duplicate the new fields',
    replies('thing/add', 'success', (body, _reply, { parameters }) =>
      body.duplicate === true ? { ...body, html: findParameter(parameters, 'html') } : body,
    ),
  ),
  ...createFaults(
    (edit: (things: readonly JsonObject[], exchange: Exchange) => readonly JsonObject[]): Partial<Behavior> =>
      replies('things/get', 'success', (body, _reply, exchange) =>
        edit(body as unknown as readonly JsonObject[], exchange),
      ),
    [
      'things-get-tag-by-part',
      'finds things by a part of a tag',
      (things, { account, parameters }) => {
        const tag = findParameter(parameters, 'tag')
        if (typeof tag !== 'string' || findParameter(parameters, 'archived') !== undefined || account === undefined)
          return things
        const found = livingOf(account).filter(({ fields }) => !fields.archived && fields.tags.includes(tag))
        return found.map((thing) => rightServer.thing(thing, false) as JsonObject)
      },
    ],
    [
      'things-get-tag-by-small-letters',
      'ignores the letter case of tag without a limit',
      (things, { account, parameters }) => {
        const tag = String(findParameter(parameters, 'tag')).toLowerCase()
        const isWhole = ['limit', 'archived'].every((name) => findParameter(parameters, name) === undefined)
        if (!isWhole || account === undefined) return things
        const listed = new Set(things.map(({ _id }) => _id))
        const more = livingOf(account).filter(
          ({ id, fields }) => !listed.has(id) && !fields.archived && fields.tags.toLowerCase().split(' ').includes(tag),
        )
        return [...things, ...more.map((thing) => rightServer.thing(thing, false) as JsonObject)]
      },
    ],
    [
      'things-get-archived-ignores-tag',
      'ignores the tag with archived=true',
      (things, { account, parameters }) => {
        if (findParameter(parameters, 'archived') !== 'true' || account === undefined) return things
        return livingOf(account)
          .filter(({ fields }) => fields.archived)
          .map((thing) => rightServer.thing(thing, false) as JsonObject)
          .concat([{ title: 'of another tag', _id: 'x' }])
      },
    ],
    [
      'things-get-page-before-filter',
      'takes a page before it looks for the tag',
      (things, { parameters }) => (findParameter(parameters, 'limit') === undefined ? things : things.slice(0, 1)),
    ],
    [
      'things-get-lists-deleted',
      'lists deleted things by tag',
      (things, { account, parameters }) => {
        const tag = String(findParameter(parameters, 'tag'))
        const gone = [...(account?.things.values() ?? [])].filter(
          ({ deleted, fields }) => deleted && fields.tags.split(' ').includes(tag),
        )
        return [...things, ...gone.map((thing) => rightServer.thing(thing, false) as JsonObject)]
      },
    ],
  ),
  ...createFaults(
    (isRejected: (exchange: Exchange) => boolean): Partial<Behavior> => ({
      parameters: (all, exchange) => {
        const request = { ...exchange, parameters: all }
        if (exchange.method === 'POST' && isRejected(request))
          throw new ApiError('thing-unknown', 'it is not registered')
        return all
      },
    }),
    [
      'unregister-unknown-rejected',
      'rejects the unregistering of an unknown webhook',
      ({ path, parameters }) => path === 'webhook/unregister' && findParameter(parameters, 'event') === 'tag',
    ],
    [
      'unregister-device-unknown-rejected',
      'rejects the unregistering of an unknown device',
      ({ path, parameters }) => path === 'unregister/device' && findParameter(parameters, 'type') === 'another-service',
    ],
  ),
  fault('unregister-twice-rejected', 'rejects the second unregistering of a webhook', {
    isSelected: (hook, named) => rightServer.isSelected(hook, named),
    parameters: (all, { path, state }) => {
      if (path !== 'webhook/unregister') return all
      const key = JSON.stringify([findParameter(all, 'target_url'), findParameter(all, 'event')])
      const seen = (state.memory.get('unregistered') ?? new Set()) as Set<string>
      state.memory.set('unregistered', seen)
      if (seen.has(key)) throw new ApiError('thing-unknown', 'it is not registered')
      seen.add(key)
      return all
    },
  }),
  fault('unregister-unknown-ends-others', 'ends all webhooks of a user by the unregistering of an unknown one', {
    isSelected: () => true,
  }),
]
