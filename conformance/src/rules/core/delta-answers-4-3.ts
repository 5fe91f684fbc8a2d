import { expect, expectNoThing, expectSame, expectTag, expectThing } from '../../expect.ts'
import { showValue } from '../../json.ts'
import { coreSection } from './core-rules.ts'

/** Deltas: tag settings, what is left out, and deltas that come by POST or with an upload (interface 4.3, rule 2). */
export const deltaAnswerRules = coreSection('4.3', [
  {
    id: 'SYNC-DELTA-11',
    title: 'MUST list in a delta the tag settings that another client changed since',
    clauses: ['C-4.3-5', 'C-4.3-26'],
    faults: ['delta-omits-tags', 'tag-takes-no-position', 'tag-favorite-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      await phone.setTag(lab.mark, { favorite: true, color: false, todo: false })
      const answer = await laptop.sync({ from })
      const settings = expectTag(answer, lab.mark, `phone changed them after laptop was given ${from}`)
      expectSame(settings.favorite, true, 'favorite as phone set it', answer)
    },
  },
  {
    id: 'SYNC-DELTA-12',
    title: 'MUST NOT list tag settings again from the position that came with them',
    clauses: ['C-4.3-5'],
    faults: ['delta-repeats-tags', 'delta-omits-tags'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      await phone.setTag(lab.mark, { favorite: true, color: false, todo: false })
      const first = await laptop.sync({ from })
      expectTag(first, lab.mark, `phone changed them after laptop was given ${from}`)
      const second = await laptop.sync({ from: first.pos })
      const expected = `no settings of tag ${lab.mark}, because laptop was told of them with position ${first.pos}`
      expect(!second.tags.has(lab.mark), expected, 'they are listed again', second)
    },
  },
  {
    // With nothing to tell, pos is all there is: the other fields are left out, not empty.
    id: 'SYNC-DELTA-13',
    title: 'MUST leave out things, thingCount and tags when nothing changed since',
    clauses: ['C-4.3-18', 'C-4.3-19', 'C-4.3-20', 'C-4.3-21'],
    faults: ['delta-empty-things', 'delta-empty-thing-count', 'delta-empty-tags', 'pos-missing-on-empty'],
    alone: true,
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      const upload = { local_id: lab.unique(), title: lab.unique() }
      const from = (await laptop.sync({ new_thing: [upload] })).pos
      const answer = await laptop.sync({ from })
      const { things, thingCount, tags } = answer.json
      const came = showValue({ things, thingCount, tags })
      const isEmpty = things === undefined && thingCount === undefined && tags === undefined
      expect(isEmpty, `no things, thingCount or tags, because nothing changed since ${from}`, `${came} came`, answer)
    },
  },
  {
    id: 'SYNC-DELTA-14',
    title: 'MUST answer a change of tag settings alone with pos and tags, without things and thingCount',
    clauses: ['C-4.3-26'],
    faults: ['delta-tags-alone-things', 'delta-tags-alone-thing-count', 'delta-omits-tags'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      await phone.setTag(lab.mark, { favorite: true, color: false, todo: false })
      const answer = await laptop.sync({ from })
      expectTag(answer, lab.mark, `phone changed them after laptop was given ${from}`)
      const { things, thingCount } = answer.json
      const isEmpty = things === undefined && thingCount === undefined
      const came = `${showValue({ things, thingCount })} came`
      expect(isEmpty, 'no things and no thingCount, because only tag settings changed', came, answer)
    },
  },
  {
    id: 'SYNC-DELTA-15',
    title: 'MUST read from in a POST as in a GET',
    clauses: ['C-4.3-5', 'C-4.3-2'],
    faults: ['post-from-ignored', 'delta-omits-created'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const old = await phone.create()
      const from = await laptop.position()
      const id = await phone.create()
      const answer = await laptop.sync({ from, method: 'POST' })
      expectThing(answer, id, `phone created it after laptop was given ${from}`)
      expectNoThing(answer, old, `phone created it before laptop was given ${from}`)
    },
  },
  {
    // The answer to an upload is a delta as well; its position covers what others did meanwhile, so it has to tell it.
    id: 'SYNC-DELTA-16',
    title: 'MUST list in the answer to an upload what others changed since from',
    clauses: ['C-4.3-5', 'C-4.3-31'],
    faults: ['upload-hides-others'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const id = await phone.create()
      const upload = { local_id: lab.unique(), title: lab.unique() }
      const answer = await laptop.sync({ from, new_thing: [upload] })
      const next = await laptop.sync({ from: answer.pos })
      const told = answer.things.has(id) || next.things.has(id)
      const expected = `thing ${id} in the answer to laptop's upload from ${from}, because phone created it after ${from}`
      expect(told, expected, `neither that answer nor the delta from its pos ${answer.pos} lists it`, answer)
    },
  },
])
