import { expect, expectCreated, expectSame, expectThing } from '../../expect.ts'
import { Inapplicable } from '../../finding.ts'
import { isObject, showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import { readSyncAnswer, type SyncAnswer } from '../../sync-answer.ts'
import { coreSection } from './core-rules.ts'

/** Twelve things of phone that are alike in all but what each of them is. */
const createTwins = async (lab: Lab) => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const twin = {
    title: lab.unique(),
    tags: lab.mark,
    date: 1_200_000_000,
    url: 'https://example.org/twin',
    html: '<p>twin</p>',
  }
  const ids: string[] = []
  for (let count = 0; count < 12; count += 1) ids.push(await phone.create(twin))
  return { phone, laptop, ids, twin, from: await laptop.position() }
}

/** Texts that are like ids and none: beginnings, ends and patterns of them. */
const likeIds = (ids: readonly string[]): readonly string[] => {
  const [id = ''] = ids
  const beginning = id.slice(0, -1)
  const texts = [
    beginning,
    `${beginning}%`,
    `${beginning}*`,
    `${beginning}.*`,
    `${beginning}_`,
    `${beginning}?`,
    `${id}x`,
  ]
  return texts.filter((text) => text.length > 2 && !ids.includes(text))
}

/** What happens to one thing happens to no other (interface 2.1: things are told apart by their _id). */
export const neighbourRules = coreSection('4.3', [
  {
    id: 'SYNC-TWIN-01',
    title: 'MUST create every one of several things that are alike, in one upload and in several',
    basis: 'derived',
    clauses: ['C-4.3-10', 'C-4.3-22', 'C-2.1-10'],
    faults: [
      'twins-by-title-dropped',
      'twins-by-url-merged',
      'twins-by-html-merged',
      'twins-by-date-merged',
      'twins-in-one-upload-merged',
      'twins-by-title-renamed',
    ],
    check: async (lab) => {
      const { phone, laptop, ids: earlier, twin, from } = await createTwins(lab)
      const localIds = [lab.unique(), lab.unique(), lab.unique()]
      const upload = await phone.sync({ from, new_thing: localIds.map((localId) => ({ local_id: localId, ...twin })) })
      const ids = [...earlier, ...localIds.map((localId) => expectCreated(upload, localId))]
      const answer = await laptop.listAll()
      expect(new Set(ids).size === ids.length, `${ids.length} different ids`, showValue(ids), answer)
      for (const id of ids) {
        const thing = expectThing(answer, id, 'phone created it, one of several that are alike')
        expectSame([thing.title, thing.url], [twin.title, twin.url], 'title and url as created', answer)
      }
    },
  },
  {
    id: 'SYNC-TWIN-02',
    title: 'MUST change the thing that is named and no other, however alike they are',
    basis: 'derived',
    clauses: ['C-2.1-11', 'C-4.3-11'],
    faults: [
      'change-title-ignored',
      'change-hits-same-title',
      'change-hits-same-url',
      'change-hits-ids-that-begin-so',
      'change-hits-first',
      'change-lists-neighbours',
    ],
    check: async (lab) => {
      const { phone, laptop, ids, twin, from } = await createTwins(lab)
      const [changed = '', ...others] = [...ids].reverse()
      const title = lab.unique()
      await phone.sync({ from, changed_thing: [{ _id: changed, ...twin, title }] })
      const [delta, full] = [await laptop.sync({ from }), await laptop.listAll()]
      expectSame(expectThing(full, changed, 'phone changed it').title, title, 'the title that phone gave it', full)
      const titles = others.map((id) => full.things.get(id)?.title ?? null)
      expectSame(new Set(titles).size === 1 ? titles[0] : titles, twin.title, 'the title of the 11 others', full)
      const listed = others.filter((id) => delta.things.has(id))
      expect(listed.length === 0, 'nothing about the 11 others in the delta', showValue(listed), delta)
    },
  },
  {
    id: 'SYNC-TWIN-03',
    title: 'MUST delete the thing that is named and no other, however alike they are',
    basis: 'derived',
    clauses: ['C-2.1-12', 'C-4.3-12'],
    faults: [
      'deletion-of-one-deletes-all',
      'deletion-hits-same-title',
      'deletion-hits-same-url',
      'deletion-hits-ids-that-begin-so',
      'deletion-hits-newest',
      'deletion-told-of-neighbours',
      'deletion-of-three-hits-rest',
    ],
    check: async (lab) => {
      const { phone, laptop, ids, from } = await createTwins(lab)
      const gone = [ids[0], ids[5], ids[6]].filter((id): id is string => id !== undefined)
      await phone.sync({ from, deleted_thing: gone })
      const [delta, full] = [await laptop.sync({ from }), await laptop.listAll()]
      const left = ids.filter((id) => !gone.includes(id))
      const lost = left.filter((id) => !full.things.has(id))
      expect(lost.length === 0, `the 9 things that phone did not delete`, `${showValue(lost)} are not listed`, full)
      const told = left.filter((id) => delta.deleted.includes(id))
      expect(told.length === 0, 'none of the 9 others in things.deleted', showValue(told), delta)
    },
  },
  {
    // A position is a number, an id may look like one, too: what is named is the thing.
    id: 'SYNC-TWIN-04',
    title: 'MUST apply a change and a deletion of different things in one upload, each to its own',
    basis: 'derived',
    clauses: ['C-4.3-11', 'C-4.3-12', 'C-4.3-10'],
    faults: [
      'upload-deletes-what-it-changes',
      'upload-deletes-what-it-creates',
      'upload-changes-by-place',
      'upload-swaps-changes',
    ],
    check: async (lab) => {
      const { phone, laptop, ids, twin, from } = await createTwins(lab)
      const [first = '', second = '', third = '', fourth = ''] = ids
      const [localId, one, two] = [lab.unique(), lab.unique(), lab.unique()]
      const upload = await phone.sync({
        from,
        new_thing: [{ local_id: localId, ...twin, title: localId }],
        changed_thing: [
          { _id: fourth, ...twin, title: one },
          { _id: second, ...twin, title: two },
        ],
        deleted_thing: [third],
      })
      const made = expectCreated(upload, localId)
      const full = await laptop.listAll()
      const titles = [first, second, third, fourth, made].map((id) => full.things.get(id)?.title ?? null)
      const expected = 'titles of a thing left alone, a changed, a deleted, a changed and a new one'
      expectSame(titles, [twin.title, two, null, one, localId], expected, full)
    },
  },
  {
    id: 'SYNC-ID-01',
    title: 'MUST give every _id as a string wherever it stands',
    section: '2.1',
    clauses: ['C-2.1-10', 'C-4.3-24', 'C-4.3-22'],
    faults: ['ids-of-digits-as-numbers', 'deleted-ids-of-digits-as-numbers', 'new-map-ids-as-numbers'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const things = Array.from({ length: 8 }, () => ({ local_id: lab.unique(), title: lab.unique() }))
      const upload = await phone.sync({ from, new_thing: things })
      const first = await laptop.sync({ from })
      await phone.remove(...[...upload.created.values()].slice(0, 7))
      const second = await laptop.sync({ from: first.pos })
      // What is missing or has another shape is for other rules.
      const partOf = ({ json }: SyncAnswer, name: string): unknown[] => {
        const part = isObject(json.things) ? json.things[name] : undefined
        return isObject(part) ? Object.values(part) : [part ?? []].flat()
      }
      const given = [
        [upload, partOf(upload, 'new'), 'things.new'],
        [first, partOf(first, 'changed').flatMap((thing) => (isObject(thing) ? [thing._id] : [])), 'things.changed'],
        [second, partOf(second, 'deleted'), 'things.deleted'],
      ] as const
      for (const [answer, ids, where] of given) {
        const others = ids.filter((id) => typeof id !== 'string')
        expect(others.length === 0, `strings as ids in ${where}`, showValue(others.slice(0, 3)), answer)
      }
    },
  },
  {
    // An _id is the thing's whole name: what is only its beginning, or a pattern of it, names nothing.
    id: 'SYNC-ID-02',
    title: 'MUST NOT leave out anything for a skip_id that is only the beginning or a pattern of an _id',
    clauses: ['C-4.3-14'],
    basis: 'derived',
    faults: ['skip-id-beginning-matches', 'skip-id-pattern-matches', 'skip-id-contained-matches'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const ids = await phone.createMany([{}, {}, {}])
      for (const text of likeIds(ids)) {
        const reply = await laptop.trySync({ from, skip_id: [text], method: 'POST' })
        if (reply.error !== undefined) continue
        const answer = readSyncAnswer(reply, `a delta with skip_id ${text}`)
        for (const id of ids) expectThing(answer, id, `phone created it, and skip_id is ${showValue(text)}`)
      }
    },
  },
  {
    id: 'SYNC-ID-03',
    title: 'MUST NOT delete or change anything for the beginning or a pattern of an _id',
    clauses: ['C-2.1-12', 'C-2.1-11'],
    basis: 'derived',
    faults: ['deletion-of-beginning-matches', 'deletion-of-pattern-matches', 'change-of-beginning-matches'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const ids = await phone.createMany([{}, {}, {}])
      const before = await phone.listAll()
      // Only what no other thing of the account could be meant by; a wrong server would do harm there.
      const isHarmless = (text: string): boolean => {
        const start = text.replace(/[^0-9A-Za-z].*$/s, '').toLowerCase()
        const others = [...before.things.keys()].filter((id) => !ids.includes(id))
        return start !== '' && !others.some((id) => id.toLowerCase().includes(start))
      }
      const texts = likeIds(ids).filter(isHarmless)
      if (texts.length === 0) throw new Inapplicable('other things of the account have ids that begin like any new one')
      for (const text of texts) {
        await phone.trySync({ from: before.pos, deleted_thing: [text] })
        await phone.trySync({ from: before.pos, changed_thing: [{ _id: text, title: lab.unique() }] })
      }
      const full = await phone.listAll()
      const titles = (answer: typeof full) => ids.map((id) => answer.things.get(id)?.title ?? null)
      expectSame(titles(full), titles(before), `titles of 3 things, after uploads that named ${texts.join(', ')}`, full)
    },
  },
])
