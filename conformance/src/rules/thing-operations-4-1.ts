import type { Reply } from '../client.ts'
import { isObject, type JsonObject } from '../encoding.ts'
import { expect, expectDeleted, expectSame, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import type { Replica } from '../replica.ts'
import { extensionRule, type Rule } from '../rule.ts'
import type { ThingFields } from '../sync-messages.ts'
import {
  describeReply,
  expectArray,
  expectError,
  expectObject,
  expectPosition,
  type Fields,
  get,
  post,
} from './operation-steps.ts'

const getTags = async (
  replica: Replica,
  fields: Fields = {},
): Promise<{ favorite: JsonObject; other: JsonObject; pos: unknown; reply: Reply }> => {
  const reply = await get(replica, 'tags/get', fields)
  const { favorite, other, pos } = expectObject(reply, 'tags/get returns pos, favorite and other')
  expect(isObject(favorite) && isObject(other), 'favorite and other as objects', describeReply(reply), reply)
  return { favorite, other, pos, reply }
}

/** Rules of section 4.1: tags/get (contract, the other operations). */
export const tagsGetRules: readonly Rule[] = [
  extensionRule({
    id: 'TAG-GET-01',
    title: 'MUST respond to tags/get with the current position',
    section: '4.1',
    requirements: ['K-tags-1'],
    faults: ['tags-get-pos-missing', 'tags-get-other-missing'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const before = await phone.position()
      const { pos, reply } = await getTags(phone)
      expectPosition(pos, before, reply)
    },
  }),
  extensionRule({
    id: 'TAG-GET-02',
    title: 'MUST NOT count deleted things',
    section: '4.1',
    requirements: ['K-tags-1'],
    faults: ['tags-get-counts-deleted'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [removed = ''] = await phone.createMany([{ tags: lab.mark }, { tags: `a ${lab.mark}` }])
      await phone.remove(removed)
      const { other, reply } = await getTags(phone)
      expectSame(other[lab.mark], 1, 'the count of a tag that one thing carries and a deleted one carried', reply)
    },
  }),
  extensionRule({
    id: 'TAG-GET-03',
    title: 'MUST also count archived things',
    section: '4.1',
    requirements: ['K-tags-1'],
    faults: ['tags-get-omits-archived'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.createMany([{ tags: lab.mark }, { tags: lab.mark, archived: true }])
      const { other, reply } = await getTags(phone)
      expectSame(other[lab.mark], 2, 'the count of a tag that a living and an archived thing carry', reply)
    },
  }),
  extensionRule({
    id: 'TAG-GET-04',
    title: 'MUST return empty maps when from is the current position, all counts otherwise',
    section: '4.1',
    requirements: ['K-tags-1'],
    faults: ['tags-get-from-ignored', 'new-tags-dropped'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const earlier = await phone.position()
      await phone.create({ tags: lab.mark })
      const since = await getTags(phone, { from: String(earlier) })
      expectSame(since.other[lab.mark], 1, 'the count, because the thing was created after from', since.reply)
      const { favorite, other, reply } = await getTags(phone, { from: String(since.pos) })
      expectSame([favorite, other], [{}, {}], 'favorite and other, because nothing changed after from', reply)
    },
  }),
  extensionRule({
    id: 'TAG-GET-05',
    title: 'MUST list favorite tags under favorite and the rest under other',
    section: '4.1',
    requirements: ['K-tags-1'],
    faults: ['tags-get-favorites-in-other'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [favoriteTag, plain] = [lab.unique(), lab.unique()]
      await phone.createMany([{ tags: `${favoriteTag} ${plain}` }])
      await phone.setTag(favoriteTag, { favorite: true })
      const { favorite, other, reply } = await getTags(phone)
      const seen = [favorite[favoriteTag], favorite[plain] ?? null, other[favoriteTag] ?? null, other[plain]]
      expectSame(seen, [1, null, null, 1], 'the favorite in favorite only, the other tag in other only', reply)
    },
  }),
]

/** Rules of section 4.1: thing/add (contract, the other operations). */
export const thingAddRules: readonly Rule[] = [
  extensionRule({
    id: 'THING-ADD-01',
    title: 'MUST reject thing/add without title',
    section: '4.1',
    requirements: ['K-thing-1', 'K-error-1'],
    faults: ['add-title-optional', 'thing-add-rejected', 'thing-add-invalid'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      expectError(await post(phone, 'thing/add', { tags: lab.mark }), 400, 'parameter_invalid', 'title is missing')
      expectObject(await post(phone, 'thing/add', { tags: lab.mark, title: lab.mark }), 'title is given')
    },
  }),
  extensionRule({
    id: 'THING-ADD-02',
    title: 'MUST create the thing with every field and return it',
    section: '4.1',
    requirements: ['K-thing-1'],
    faults: ['add-fields-dropped', 'new-id-with-dashes'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const fields = {
        title: `${lab.mark} é 👩‍🚀`,
        tags: `b ${lab.mark}`,
        url: 'https://example.org/?a=1&b=2',
        html: '<p>&amp;</p>',
      }
      const reply = await post(phone, 'thing/add', { ...fields, date: '1600000000', archived: 'true' })
      const { _id, title, tags, url, html, date, archived } = expectObject(reply, 'every field is correct')
      expect(typeof _id === 'string' && /^[a-z0-9]+$/i.test(_id), 'an alphanumeric _id', describeReply(reply), reply)
      expectSame(
        { title, tags, url, html, date, archived },
        { ...fields, date: 1_600_000_000, archived: true },
        'the fields as sent',
        reply,
      )
    },
  }),
  extensionRule({
    id: 'THING-ADD-03',
    title: 'MUST take a title that is an http URL as url when none is given',
    section: '4.1',
    requirements: ['K-thing-2'],
    faults: ['add-url-not-taken-from-title', 'url-null', 'url-empty'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const url = `https://example.org/${lab.unique()}`
      const reply = await post(phone, 'thing/add', { title: url })
      expectSame(expectObject(reply, 'the title is a URL').url, url, 'url, because the title is a URL', reply)
      const plain = await post(phone, 'thing/add', { title: lab.mark })
      expect(
        !Object.hasOwn(expectObject(plain, 'the title is a text'), 'url'),
        'no url, because the title is no URL',
        describeReply(plain),
        plain,
      )
    },
  }),
  extensionRule({
    id: 'THING-ADD-04',
    title: 'MUST create nothing with prevent_duplicate when a thing has the url, and return that thing',
    section: '4.1',
    requirements: ['K-thing-2'],
    faults: ['add-duplicate-created', 'add-duplicate-unasked'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const url = `https://example.org/${lab.unique()}`
      const first = expectObject(
        await post(phone, 'thing/add', { title: lab.unique(), url, prevent_duplicate: 'true' }),
        'no thing has the url',
      )
      const reply = await post(phone, 'thing/add', { title: lab.unique(), url, prevent_duplicate: 'true' })
      expectSame(expectObject(reply, 'it is no error')._id, first._id, 'the _id of the thing that has the url', reply)
      const other = await post(phone, 'thing/add', { title: lab.unique(), url })
      expect(
        expectObject(other, 'duplicates are allowed')._id !== first._id,
        'another _id, because prevent_duplicate was not given',
        describeReply(other),
        other,
      )
    },
  }),
  extensionRule({
    id: 'THING-ADD-05',
    title: 'MUST mark the response to a prevented duplicate with "duplicate": true',
    section: '4.1',
    requirements: ['K-thing-2'],
    faults: ['add-duplicate-unmarked'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const url = `https://example.org/${lab.unique()}`
      const seen = []
      for (const title of [lab.unique(), lab.unique()]) {
        const reply = await post(phone, 'thing/add', { title, url, prevent_duplicate: 'true' })
        seen.push(expectObject(reply, 'it is no error').duplicate ?? null)
        if (seen.length === 2)
          expectSame(seen, [null, true], 'duplicate in the first and in the second response', reply)
      }
    },
  }),
  extensionRule({
    id: 'THING-ADD-06',
    title: 'MUST list what thing/add created in the next incremental sync',
    section: '4.1',
    requirements: ['K-thing-1'],
    faults: ['add-not-in-incremental'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const { _id } = expectObject(await post(phone, 'thing/add', { title: lab.mark }), 'the title is given')
      expectThing(await (await lab.replica('laptop')).sync({ from }), String(_id), 'phone created it by thing/add')
    },
  }),
]

/** Rules of section 4.1: thing/change and thing/delete (contract, the other operations). */
export const singleThingRules: readonly Rule[] = [
  extensionRule({
    id: 'THING-CHANGE-01',
    title: 'MUST leave fields alone that thing/change is not given, and return the thing',
    section: '4.1',
    requirements: ['K-thing-3'],
    faults: ['op-change-absent-clears'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create({
        tags: lab.mark,
        date: 1_600_000_000,
        url: 'https://example.org/',
        html: '<p>kept</p>',
      })
      const reply = await post(phone, 'thing/change', { _id: id, title: `${lab.mark} changed` })
      const { _id, title, tags, date, url, html } = expectObject(reply, 'the thing exists')
      const wanted = [id, `${lab.mark} changed`, lab.mark, 1_600_000_000, 'https://example.org/', '<p>kept</p>']
      expectSame([_id, title, tags, date, url, html], wanted, 'the new title and the other fields as before', reply)
    },
  }),
  extensionRule({
    id: 'THING-CHANGE-02',
    title: 'MUST keep a thing archived that thing/change is given without archived',
    section: '4.1',
    requirements: ['K-thing-3'],
    faults: ['op-change-unarchives'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create({ archived: true })
      const reply = await post(phone, 'thing/change', { _id: id, title: lab.mark })
      expectSame(expectObject(reply, 'the thing exists').archived, true, 'archived as before', reply)
    },
  }),
  extensionRule({
    id: 'THING-CHANGE-03',
    title: 'MUST respond to thing/change of an unknown id with 404 not_found',
    section: '4.1',
    requirements: ['K-error-2'],
    faults: ['op-change-unknown-200'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      expectError(
        await post(phone, 'thing/change', { _id: lab.mark, title: lab.mark }),
        404,
        'not_found',
        'there is no such thing',
      )
    },
  }),
  extensionRule({
    id: 'THING-CHANGE-04',
    title: 'MUST list what thing/change changed in the next incremental sync',
    section: '4.1',
    requirements: ['K-thing-3'],
    faults: ['op-change-not-in-incremental'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create()
      const from = await phone.position()
      await post(phone, 'thing/change', { _id: id, title: lab.mark })
      const incremental = await (await lab.replica('laptop')).sync({ from })
      expectSame(
        expectThing(incremental, id, 'phone changed it by thing/change').title,
        lab.mark,
        'the new title',
        incremental,
      )
    },
  }),
  extensionRule({
    id: 'THING-DELETE-01',
    title: 'MUST respond to thing/delete with the id that was deleted',
    section: '4.1',
    requirements: ['K-thing-4'],
    faults: ['op-delete-response-empty'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create()
      const reply = await post(phone, 'thing/delete', { _id: id })
      expectSame(expectObject(reply, 'the thing exists').deleted_thing, id, 'deleted_thing', reply)
    },
  }),
  extensionRule({
    id: 'THING-DELETE-02',
    title: 'MUST respond to thing/delete of a deleted id with 404 not_found',
    section: '4.1',
    requirements: ['K-error-2', 'K-thing-4'],
    faults: ['op-delete-twice-ok'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create()
      await post(phone, 'thing/delete', { _id: id })
      expectError(await post(phone, 'thing/delete', { _id: id }), 404, 'not_found', 'the thing was deleted before')
    },
  }),
  extensionRule({
    id: 'THING-DELETE-03',
    title: 'MUST list what thing/delete deleted in the next incremental sync',
    section: '4.1',
    requirements: ['K-thing-4'],
    faults: ['op-delete-not-in-incremental'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create()
      const from = await phone.position()
      await post(phone, 'thing/delete', { _id: id })
      expectDeleted(await (await lab.replica('laptop')).sync({ from }), id, 'phone deleted it by thing/delete')
    },
  }),
]

/** Returns the titles that things/get lists for these parameters, of the things of this rule. */
const titlesOf = async (lab: Lab, fields: Fields): Promise<{ titles: string[]; reply: Reply }> => {
  const reply = await get(await lab.replica('phone'), 'things/get', fields)
  const things = expectArray(reply, 'things/get returns an array of things')
  return { titles: things.map((thing) => String(thing.title)).filter((title) => title.includes(lab.mark)), reply }
}

const createBoth = async (lab: Lab): Promise<{ living: string; archived: string }> => {
  const [living, archived] = [`${lab.mark} living`, `${lab.mark} archived`]
  const list: ThingFields[] = [
    { title: living, tags: lab.mark },
    { title: archived, tags: lab.mark, archived: true },
  ]
  await (await lab.replica('laptop')).createMany(list)
  return { living, archived }
}

/**
 * Rules of section 4.1: things/get (contract, the other operations). Each rule filters by its own tag, because accounts
 * may be large.
 */
export const thingsGetRules: readonly Rule[] = [
  extensionRule({
    id: 'THINGS-GET-01',
    title: 'MUST respond with an array of things in their returned form',
    section: '4.1',
    requirements: ['K-thing-5'],
    faults: ['things-get-as-object', 'new-date-ignored', 'date-iso'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create({ title: lab.mark, tags: lab.mark, date: 1_600_000_000 })
      const reply = await get(phone, 'things/get', { tag: lab.mark })
      const things = expectArray(reply, 'things/get returns an array of things')
      const seen = things.map(({ _id, title, tags, date }) => ({ _id, title, tags, date }))
      expectSame(
        seen,
        [{ _id: id, title: lab.mark, tags: lab.mark, date: 1_600_000_000 }],
        'the one thing with the tag',
        reply,
      )
    },
  }),
  extensionRule({
    id: 'THINGS-GET-02',
    title: 'MUST list only living things without archived',
    section: '4.1',
    requirements: ['K-thing-5'],
    faults: ['things-get-includes-archived'],
    check: async (lab) => {
      const { living } = await createBoth(lab)
      const { titles, reply } = await titlesOf(lab, { tag: lab.mark })
      expectSame(titles, [living], 'titles of the living things', reply)
    },
  }),
  extensionRule({
    id: 'THINGS-GET-03',
    title: 'MUST list living and archived things with archived=include',
    section: '4.1',
    requirements: ['K-thing-5'],
    faults: ['things-get-include-ignored'],
    check: async (lab) => {
      const { living, archived } = await createBoth(lab)
      const { titles, reply } = await titlesOf(lab, { tag: lab.mark, archived: 'include' })
      expectSame(titles.sort(), [archived, living], 'titles of all things', reply)
    },
  }),
  extensionRule({
    id: 'THINGS-GET-04',
    title: 'MUST list only archived things with archived=true',
    section: '4.1',
    requirements: ['K-thing-5'],
    faults: ['things-get-archived-ignored'],
    check: async (lab) => {
      const { archived } = await createBoth(lab)
      const { titles, reply } = await titlesOf(lab, { tag: lab.mark, archived: 'true' })
      expectSame(titles, [archived], 'titles of the archived things', reply)
    },
  }),
  extensionRule({
    id: 'THINGS-GET-05',
    title: 'MUST list only things that carry the tag given',
    section: '4.1',
    requirements: ['K-thing-5'],
    faults: ['things-get-tag-ignored'],
    check: async (lab) => {
      const [tagged, longer, plain] = [`${lab.mark} tagged`, `${lab.mark} longer`, `${lab.mark} plain`]
      const phone = await lab.replica('phone')
      await phone.createMany([
        { title: tagged, tags: `a ${lab.mark}` },
        { title: longer, tags: `${lab.mark}longer` },
        { title: plain },
      ])
      const { titles, reply } = await titlesOf(lab, { tag: lab.mark })
      expectSame(titles, [tagged], 'titles of the things with the tag', reply)
    },
  }),
  ...(['skip', 'limit'] as const).map((name, index) =>
    extensionRule({
      id: `THINGS-GET-0${6 + index}`,
      title:
        name === 'skip' ? 'MUST leave out as many things as skip says' : 'MUST list no more things than limit says',
      section: '4.1',
      requirements: ['K-thing-5'],
      faults: [`things-get-${name}-ignored`],
      check: async (lab) => {
        await (await lab.replica('laptop')).createMany([1, 2, 3].map(() => ({ title: lab.unique(), tags: lab.mark })))
        const all = await titlesOf(lab, { tag: lab.mark })
        const { titles, reply } = await titlesOf(lab, { tag: lab.mark, [name]: '2' })
        const wanted = name === 'skip' ? all.titles.slice(2) : all.titles.slice(0, 2)
        expectSame(titles, wanted, `titles with ${name}=2, of the three that come without it`, reply)
      },
    }),
  ),
]

/** Rules of section 4.1: user/get and test (contract, the other operations). */
export const userRules: readonly Rule[] = [
  extensionRule({
    id: 'USER-GET-01',
    title: "MUST respond to user/get with the user's name",
    section: '4.1',
    requirements: ['K-user-1'],
    faults: ['user-get-other-name'],
    check: async (lab) => {
      const reply = await get(await lab.replica('phone'), 'user/get')
      expectSame(
        expectObject(reply, 'user/get returns the user').username,
        lab.target.users[0]?.username,
        'username',
        reply,
      )
    },
  }),
  extensionRule({
    id: 'USER-GET-02',
    title: 'MUST respond to user/get with the date of creation in Unix time',
    section: '4.1',
    requirements: ['K-user-1'],
    faults: ['user-get-date-missing'],
    check: async (lab) => {
      const reply = await get(await lab.replica('phone'), 'user/get')
      const { date } = expectObject(reply, 'user/get returns the user')
      const isPast = typeof date === 'number' && date <= Date.now() / 1000 + 86_400
      expect(isPast, 'date, a number of seconds that is not in the future', describeReply(reply), reply)
    },
  }),
  extensionRule({
    id: 'USER-GET-03',
    title: 'MUST respond to user/get with the current position',
    section: '4.1',
    requirements: ['K-user-1'],
    faults: ['user-get-pos-missing'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const before = await phone.position()
      const reply = await get(phone, 'user/get')
      const { pos } = expectObject(reply, 'user/get returns the user')
      expectPosition(pos, before, reply)
    },
  }),
  extensionRule({
    id: 'USER-GET-04',
    title: 'MUST respond to user/get with the number of things',
    section: '4.1',
    requirements: ['K-user-1'],
    faults: ['user-get-thing-count-missing'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const before = expectObject(await get(phone, 'user/get'), 'user/get returns the user').thingCount
      const [removed = ''] = await phone.createMany([{}, {}, { archived: true }])
      await phone.remove(removed)
      const reply = await get(phone, 'user/get')
      const { thingCount } = expectObject(reply, 'user/get returns the user')
      expectSame(thingCount, Number(before) + 2, 'thingCount, three things being created and one deleted', reply)
    },
  }),
  extensionRule({
    id: 'USER-TEST-01',
    title: "MUST respond to test with the user's name, to GET and to POST",
    section: '4.1',
    requirements: ['K-user-2'],
    faults: ['test-user-missing'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const reply of [await get(phone, 'test'), await post(phone, 'test')]) {
        expectSame(expectObject(reply, 'the token is valid').user, lab.target.users[0]?.username, 'user', reply)
      }
    },
  }),
]
