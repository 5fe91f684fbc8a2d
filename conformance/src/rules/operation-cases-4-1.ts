/*
 * Generated cases of the other operations (interface 4.1; contract, the other operations): absolute counts, duplicates by
 * url, unregistering, filters of things/get; and the separation of accounts in every operation and filter (interface 1).
 */
import type { Reply } from '../client.ts'
import { isObject, type JsonObject, showValue } from '../encoding.ts'
import { expect, expectSame } from '../expect.ts'
import type { Replica } from '../replica.ts'
import { asSetup } from '../result.ts'
import { coreRulesOf, extensionRule, type Rule } from '../rule.ts'
import { isSyncResponse, off, readSyncResponse, type SyncParameters, type ThingFields } from '../sync-messages.ts'
import { createForeign } from './isolation-1.ts'
import { describeReply, expectArray, expectError, expectObject, type Fields, get, post } from './operation-steps.ts'

/** Things of every kind, with the mark in each text. */
const everyKind = (mark: string): readonly ThingFields[] => [
  { title: `${mark} plain` },
  { title: `${mark} tagged`, tags: mark },
  { title: `${mark} archived`, tags: mark, archived: true },
  { title: `${mark} todo`, tags: `${mark} ${mark}todo`, todoStatus: false },
  { title: `${mark} done`, tags: `${mark}todo`, todoStatus: true, archived: true },
  { title: `${mark} link`, url: `https://example.org/${mark}` },
  { title: `${mark} note`, html: `<p>${mark}</p>`, date: 0 },
]

/** Syncs of another user in every form of request. */
const foreignSyncs = (from: number, unique: () => string): readonly SyncParameters[] =>
  [{}, { from: 0 }, { from }].flatMap((start): SyncParameters[] => [
    start,
    { ...start, method: 'POST' },
    { ...start, limit: 1000 },
    { ...start, skip: 0, limit: 1 },
    { ...start, skip: 1, limit: 1000 },
    { ...start, method: 'POST', skip_id: ['none'] },
    { ...start, new_thing: [{ local_id: 'f', title: unique() }] },
    { ...start, tag: { [unique()]: { ...off, favorite: true } } },
  ])

/** Expects no text of user 1 in a response to user 2. */
const expectNothingOf = (mark: string, reply: Reply, what: string): void => {
  const at = reply.text.indexOf(mark)
  const came = at < 0 ? 'it does not' : showValue(reply.text.slice(Math.max(0, at - 60), at + 60))
  expect(at < 0, `a response to user 2 that does not contain ${mark}, which only user 1 wrote (${what})`, came, reply)
}

/** Separation of accounts in every form of sync (interface 1). */
export const isolationFilterRules = coreRulesOf('1', [
  {
    id: 'USER-FILTER-01',
    title:
      'MUST NOT show a user anything of another in any form of sync: by method, page, position, skip_id and upload',
    requirements: ['C-1-2'],
    basis: 'implied',
    faults: [
      'page-of-all-users',
      'archived-of-all-users',
      'post-lists-all-users',
      'upload-lists-all-users',
      'tags-of-all-users-with-limit',
      'skip-id-lists-all-users',
      'full-tags-absent',
    ],
    alone: true,
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      const from = await otherUser.position()
      const word = `${lab.mark}mine`
      await phone.setTag(`${word}todo`, { favorite: true, color: '#010203', todo: true })
      const [first = ''] = await phone.createMany(everyKind(word))
      await phone.change(first, { title: `${word} changed` })
      for (const parameters of foreignSyncs(from, lab.unique)) {
        const reply = await otherUser.trySync(parameters)
        // A server may reject an unknown skip_id.
        if (!isSyncResponse(reply)) continue
        expectNothingOf(word, readSyncResponse(reply, 'a sync').reply, `sync ${showValue(parameters)}`)
      }
      const own = await phone.listAll()
      expect(own.tags.has(`${word}todo`), 'the tag with user 1, who set it', showValue([...own.tags.keys()]), own)
    },
  },
])

const countsOf = async (replica: Replica, fields: Fields = {}) => {
  const reply = await get(replica, 'tags/get', fields)
  const { favorite, other, pos } = expectObject(reply, 'tags/get returns pos, favorite and other')
  const all: JsonObject = { ...(isObject(other) ? other : {}), ...(isObject(favorite) ? favorite : {}) }
  return { all, pos, reply }
}

/** Reads of user 2, by operation and filter. */
const foreignReads = (mark: string): readonly (readonly [path: string, fields: Fields])[] => [
  ['tags/get', {}],
  ['tags/get', { from: '1' }],
  ...['', 'include', 'true', 'false'].flatMap((archived) =>
    [{}, { tag: mark }, { limit: '1000' }, { skip: '0', limit: '1000' }].map((fields): readonly [string, Fields] => [
      'things/get',
      archived === '' ? fields : { archived, ...fields },
    ]),
  ),
  ['user/get', {}],
  ['webhook/list', {}],
  ['device/list', {}],
  ['test', {}],
]

/** Rules of section 4.1: accounts in every operation (contract, the other operations). */
export const isolationOperationRules: readonly Rule[] = [
  extensionRule({
    id: 'USER-READ-01',
    title: 'MUST NOT show a user anything of another by any operation and filter',
    section: '4.1',
    requirements: ['K-thing-5', 'K-tags-1'],
    faults: [
      'things-get-archived-of-all-users',
      'things-get-tag-of-all-users',
      'tags-get-of-all-users',
      'hooks-listed-for-all-users',
      'things-get-pages-of-all-users',
    ],
    alone: true,
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      await phone.setTag(`${lab.mark}todo`, { favorite: true, color: false, todo: true })
      await phone.createMany(everyKind(lab.mark))
      const hook = { target_url: `https://example.org/${lab.mark}`, event: 'any' }
      lab.afterwards(() => post(phone, 'webhook/unregister', hook))
      await post(phone, 'webhook/register', hook)
      for (const [path, fields] of foreignReads(lab.mark)) {
        expectNothingOf(lab.mark, await get(otherUser, path, fields), `${path} ${showValue(fields)}`)
      }
    },
  }),
  extensionRule({
    id: 'USER-WRITE-01',
    title: 'MUST respond to thing/change and thing/delete of the thing of another user with 404, and change nothing',
    section: '4.1',
    requirements: ['K-thing-3', 'K-thing-4'],
    faults: [
      'op-change-crosses-accounts',
      'op-delete-crosses-accounts',
      'op-change-of-other-user-ignored',
      'op-delete-of-other-user-ignored',
    ],
    alone: true,
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      const title = lab.unique()
      const id = await createForeign(lab, phone, otherUser, title)
      const change = await post(otherUser, 'thing/change', { _id: id, title: lab.unique() })
      expectError(change, 404, 'not_found', 'the _id is the _id of a thing of another user')
      const removal = await post(otherUser, 'thing/delete', { _id: id })
      expectError(removal, 404, 'not_found', 'the _id is the _id of a thing of another user')
      const full = await phone.listAll()
      expectSame(full.things.get(id)?.title ?? null, title, 'the title that user 1 gave it', full)
    },
  }),
  extensionRule({
    id: 'USER-COUNT-01',
    title: 'MUST count in user/get, tags/get and prevent_duplicate only the things of the user',
    section: '4.1',
    requirements: ['K-user-1', 'K-tags-1', 'K-thing-2'],
    faults: ['user-get-counts-all-users', 'duplicate-of-all-users', 'tags-get-counts-all-users'],
    alone: true,
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      await otherUser.create({ tags: lab.mark })
      const count = async () => (await get(otherUser, 'user/get')).json?.thingCount ?? null
      const before = await count()
      const url = `https://example.org/${lab.unique()}`
      await phone.createMany([{ url }, { tags: lab.mark }, { tags: lab.mark }])
      const reply = await get(otherUser, 'user/get')
      expectSame(await count(), before, 'thingCount of user 2 after user 1 created three things', reply)
      const { all, reply: counted } = await countsOf(otherUser)
      expectSame(all[lab.mark], 1, 'the count of a tag on one thing of user 2 and on two of user 1', counted)
      const added = await post(otherUser, 'thing/add', { title: lab.unique(), url, prevent_duplicate: 'true' })
      const { duplicate } = expectObject(added, 'no thing of user 2 has the url')
      expectSame(duplicate ?? null, null, 'duplicate, because only a thing of user 1 has the url', added)
    },
  }),
]

/** Changes of a url after which another url is or is no duplicate. */
const otherUrls = (url: string): readonly string[] => [
  `${url}/`,
  `${url}#a`,
  `${url}?a=1`,
  url.replace('https:', 'http:'),
  url.replace('example.org', 'EXAMPLE.org'),
  url.toUpperCase(),
  url.slice(0, -1),
  `${url}x`,
  url.replace('//', '//www.'),
]

const addThing = async (phone: Replica, fields: Fields) => {
  const reply = await post(phone, 'thing/add', fields)
  return { reply, thing: expectObject(reply, 'thing/add returns the thing') }
}

/** Rules of section 4.1 and 6: counts, duplicates, filters and unregistering. */
export const operationCaseRules: readonly Rule[] = [
  extensionRule({
    id: 'TAG-COUNT-01',
    title: 'MUST give in tags/get the number of all things that carry a tag, from whatever earlier position',
    section: '4.1',
    requirements: ['K-tags-1'],
    faults: [
      'tags-get-counts-since',
      'tags-get-counts-twice',
      'tags-get-keeps-old-tags',
      'tags-get-counts-parts',
      'tags-get-misses-creations',
      'tags-get-misses-changes',
      'tags-get-counts-deleted',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [a, b, c] = [lab.unique(), lab.unique(), lab.unique()]
      const positions = [1, await phone.position()]
      const ids = await phone.createMany([
        { tags: a },
        { tags: `${a} ${b}` },
        { tags: `${b} ${a} ${b}`, archived: true },
        { tags: `x${a} ${b}x ${a.toUpperCase()}` },
      ])
      const expectCounts = async (wanted: Readonly<Record<string, number>>, because: string): Promise<void> => {
        const current = await countsOf(phone)
        for (const { all, reply } of [
          current,
          ...(await Promise.all(positions.map((from) => countsOf(phone, { from: `${from}` })))),
        ]) {
          const came = Object.fromEntries(Object.keys(wanted).map((name) => [name, all[name] ?? 0]))
          expectSame(came, wanted, `the counts of tags, because ${because}`, reply)
        }
      }
      await expectCounts({ [a]: 3, [b]: 2, [c]: 0 }, 'phone created four things')
      positions.push(await phone.position())
      await phone.change(ids[1] ?? '', { tags: c })
      await expectCounts({ [a]: 2, [b]: 1, [c]: 1 }, 'phone gave one of them another tag')
      positions.push(await phone.position())
      await phone.remove(ids[0] ?? '')
      await phone.change(ids[2] ?? '', { tags: `${b} ${a}`, archived: false })
      await expectCounts({ [a]: 1, [b]: 1, [c]: 1 }, 'phone deleted one of them')
    },
  }),
  extensionRule({
    id: 'USER-COUNT-02',
    title: 'MUST give in user/get the number of things after each kind of write',
    section: '4.1',
    requirements: ['K-user-1'],
    faults: [
      'user-get-counts-deleted',
      'user-get-counts-since-start',
      'user-get-omits-archived',
      'user-get-misses-creations',
      'user-get-misses-added',
      'user-get-counts-changes',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const count = async (): Promise<number> =>
        Number(expectObject(await get(phone, 'user/get'), 'user/get returns the user').thingCount ?? 0)
      const start = await count()
      const expectMore = async (more: number, because: string): Promise<void> =>
        expectSame(
          (await count()) - start,
          more,
          `thingCount more than at first, because ${because}`,
          await phone.sync({ from: 1, limit: 1 }),
        )
      const [first = '', second = ''] = await phone.createMany([{}, { archived: true }, {}])
      await expectMore(3, 'phone created three things by sync, one of them archived')
      const { thing } = await addThing(phone, { title: lab.unique() })
      await expectMore(4, 'phone added one by thing/add')
      await phone.change(first, { archived: true })
      await expectMore(4, 'phone archived one')
      await phone.remove(second)
      await post(phone, 'thing/delete', { _id: String(thing._id) })
      await expectMore(2, 'phone deleted one by sync and one by thing/delete')
    },
  }),
  extensionRule({
    id: 'THING-DUPLICATE-01',
    title:
      'MUST take exactly the same url for a duplicate, of a living or an archived thing, by whichever operation it came',
    section: '4.1',
    requirements: ['K-thing-2'],
    faults: [
      'duplicate-by-similar-url',
      'duplicate-not-of-archived',
      'duplicate-not-of-synced',
      'duplicate-of-deleted',
      'duplicate-of-earlier-url',
      'duplicate-spelled-true-only',
      'duplicate-overwrites',
      'duplicate-by-letter-case',
      'duplicate-always-prevented',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const add = (url: string, more: Fields = { prevent_duplicate: 'true' }) =>
        addThing(phone, { title: lab.unique(), url, ...more })
      const url = `https://example.org/${lab.unique()}/page`
      const title = lab.unique()
      const first = await addThing(phone, { title, url, html: '<p>first</p>' })
      for (const spelling of ['true', '1', 'TRUE']) {
        const { thing, reply } = await add(url, { prevent_duplicate: spelling, html: '<p>second</p>' })
        const came = [thing._id, thing.title, thing.html, thing.duplicate ?? null]
        const wanted = [first.thing._id, title, '<p>first</p>', true]
        expectSame(came, wanted, `_id, title, html and duplicate of the thing that has the url (${spelling})`, reply)
      }
      for (const other of otherUrls(url)) {
        const { thing, reply } = await add(other)
        expectSame(thing.duplicate ?? null, null, `duplicate for ${other}, which no thing had`, reply)
      }
      const { thing: plain, reply } = await add(url, { prevent_duplicate: 'false' })
      expect(plain._id !== first.thing._id, 'another _id for prevent_duplicate=false', describeReply(reply), reply)
      const [archivedUrl, goneUrl, oldUrl] = ['archived', 'gone', 'old'].map((word) => `${url}/${word}`)
      const [archived = '', gone = '', changed = ''] = await phone.createMany([
        { url: archivedUrl ?? '', archived: true },
        { url: goneUrl ?? '' },
        { url: oldUrl ?? '' },
      ])
      await phone.remove(gone)
      await phone.change(changed, { url: `${url}/new` })
      const again = await add(archivedUrl ?? '')
      expectSame(again.thing._id, archived, 'the _id of the archived thing that has the url', again.reply)
      for (const [each, because] of [
        [goneUrl, 'the thing with this url was deleted'],
        [oldUrl, 'the thing with this url got another one'],
      ] as const) {
        const added = await add(each ?? '')
        expectSame(added.thing.duplicate ?? null, null, `duplicate, because ${because}`, added.reply)
      }
    },
  }),
  extensionRule({
    id: 'THINGS-FILTER-01',
    title: 'MUST list in things/get the things of every combination of archived and tag, whole and by pages',
    section: '4.1',
    requirements: ['K-thing-5'],
    faults: [
      'things-get-tag-by-part',
      'things-get-tag-by-small-letters',
      'things-get-archived-ignores-tag',
      'things-get-page-before-filter',
      'things-get-lists-deleted',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [tag, other] = [lab.unique(), lab.unique()]
      const list = [
        { title: 'a', tags: tag },
        { title: 'b', tags: `${other} ${tag}` },
        { title: 'c', tags: `${tag} x`, archived: true },
        { title: 'd', tags: `${tag}x x${tag}` },
        { title: 'e', tags: other },
        { title: 'f', tags: tag.toUpperCase() },
        { title: 'g', tags: tag },
        { title: 'h', tags: tag, archived: true },
        { title: 'i', tags: `${tag} ${other}` },
      ]
      const ids = await phone.createMany(list)
      await phone.remove(ids[6] ?? '')
      const titles = async (fields: Fields): Promise<{ came: string[]; reply: Reply }> => {
        const reply = await get(phone, 'things/get', fields)
        return {
          came: expectArray(reply, 'things/get returns things')
            .map(({ title }) => String(title))
            .sort(),
          reply,
        }
      }
      for (const [archived, wanted] of [
        [undefined, ['a', 'b', 'i']],
        ['true', ['c', 'h']],
        ['include', ['a', 'b', 'c', 'h', 'i']],
      ] as const) {
        const filter: Fields = { tag, ...(archived === undefined ? {} : { archived }) }
        const { came, reply } = await titles(filter)
        expectSame(came, wanted, `titles of the things with the tag, for archived=${archived ?? '(absent)'}`, reply)
        const pages: string[] = []
        for (let skip = 0; skip < wanted.length; skip += 2)
          pages.push(...(await titles({ ...filter, skip: `${skip}`, limit: '2' })).came)
        expectSame(pages.sort(), wanted, 'the same titles on pages of 2', reply)
      }
    },
  }),
  extensionRule({
    id: 'WEBHOOK-UNREGISTER-03',
    title: 'MUST take the unregistering of a webhook or a device that is not registered, and end no other',
    section: '6',
    requirements: ['K-hook-1', 'K-hook-10', 'K-device-1'],
    faults: [
      'unregister-unknown-rejected',
      'unregister-unknown-ends-others',
      'unregister-twice-rejected',
      'unregister-device-unknown-rejected',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const hook = { target_url: `https://example.org/${lab.mark}`, event: 'any' }
      lab.afterwards(() => post(phone, 'webhook/unregister', hook))
      await asSetup('registering a webhook', async () =>
        expectObject(await post(phone, 'webhook/register', hook), 'it is correct'),
      )
      for (const unknown of [
        { ...hook, target_url: `https://example.org/${lab.unique()}` },
        { ...hook, event: 'tag' },
        { ...hook, target_url: `${hook.target_url}/` },
      ]) {
        const reply = await post(phone, 'webhook/unregister', unknown)
        const because = 'an unregistering of a webhook that is not registered is no error'
        expectSame(expectObject(reply, because).unregistered, true, `unregistered, because ${because}`, reply)
      }
      const listed = expectArray(await get(phone, 'webhook/list'), 'it lists webhooks')
      const urls = listed.filter(({ target_url: target }) => target === hook.target_url).length
      expectSame(urls, 1, 'webhooks with the registered URL', await get(phone, 'webhook/list'))
      for (const time of ['first', 'second']) {
        const reply = await post(phone, 'webhook/unregister', hook)
        expectSame(
          expectObject(reply, `it is the ${time} time`).unregistered,
          true,
          `unregistered the ${time} time`,
          reply,
        )
      }
      const device = await post(phone, 'unregister/device', { type: 'another-service', id: lab.mark })
      expectSame(
        expectObject(device, 'a device that is not registered is no error').unregistered,
        true,
        'unregistered',
        device,
      )
    },
  }),
]
