import type { Reply } from '../../client.ts'
import { expectSame } from '../../expect.ts'
import type { Lab } from '../../lab.ts'
import type { Rule } from '../../rule.ts'
import type { ThingFields } from '../../sync-request.ts'
import { expectArray, type Fields, get } from './answers.ts'
import { decided } from './decided.ts'

/** Titles that things/get lists for these parameters, of the things that this rule made. */
const titlesOf = async (lab: Lab, fields: Fields): Promise<{ titles: string[]; reply: Reply }> => {
  const reply = await get(await lab.replica('phone'), 'things/get', fields)
  const things = expectArray(reply, 'things/get answers an array of things')
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
 * Rules of section 4.1: things/get (contract, the other operations). Each narrows by a tag of its own, as accounts may
 * be large.
 */
export const thingsGetRules: readonly Rule[] = [
  decided({
    id: 'THINGS-GET-01',
    title: 'MUST answer an array of things in their returned form',
    section: '4.1',
    clauses: ['K-thing-5'],
    faults: ['things-get-as-object', 'new-date-ignored', 'date-iso'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create({ title: lab.mark, tags: lab.mark, date: 1_600_000_000 })
      const reply = await get(phone, 'things/get', { tag: lab.mark })
      const things = expectArray(reply, 'things/get answers an array of things')
      const seen = things.map(({ _id, title, tags, date }) => ({ _id, title, tags, date }))
      expectSame(
        seen,
        [{ _id: id, title: lab.mark, tags: lab.mark, date: 1_600_000_000 }],
        'the one thing with the tag',
        reply,
      )
    },
  }),
  decided({
    id: 'THINGS-GET-02',
    title: 'MUST list only living things without archived',
    section: '4.1',
    clauses: ['K-thing-5'],
    faults: ['things-get-includes-archived'],
    check: async (lab) => {
      const { living } = await createBoth(lab)
      const { titles, reply } = await titlesOf(lab, { tag: lab.mark })
      expectSame(titles, [living], 'titles of the living things', reply)
    },
  }),
  decided({
    id: 'THINGS-GET-03',
    title: 'MUST list living and archived things with archived=include',
    section: '4.1',
    clauses: ['K-thing-5'],
    faults: ['things-get-include-ignored'],
    check: async (lab) => {
      const { living, archived } = await createBoth(lab)
      const { titles, reply } = await titlesOf(lab, { tag: lab.mark, archived: 'include' })
      expectSame(titles.sort(), [archived, living], 'titles of all things', reply)
    },
  }),
  decided({
    id: 'THINGS-GET-04',
    title: 'MUST list only archived things with archived=true',
    section: '4.1',
    clauses: ['K-thing-5'],
    faults: ['things-get-archived-ignored'],
    check: async (lab) => {
      const { archived } = await createBoth(lab)
      const { titles, reply } = await titlesOf(lab, { tag: lab.mark, archived: 'true' })
      expectSame(titles, [archived], 'titles of the archived things', reply)
    },
  }),
  decided({
    id: 'THINGS-GET-05',
    title: 'MUST list only things that carry the tag given',
    section: '4.1',
    clauses: ['K-thing-5'],
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
    decided({
      id: `THINGS-GET-0${6 + index}`,
      title:
        name === 'skip' ? 'MUST leave out as many things as skip says' : 'MUST list no more things than limit says',
      section: '4.1',
      clauses: ['K-thing-5'],
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
