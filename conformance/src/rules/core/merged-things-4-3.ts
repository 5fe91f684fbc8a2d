import { expectField, expectSame, expectTag, expectThing } from '../../expect.ts'
import { Inapplicable } from '../../finding.ts'
import type { JsonObject } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import type { Replica } from '../../replica.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { coreSection } from './core-rules.ts'

/**
 * The phone changes a thing of which laptop's tags are news to it: what it then knows is the thing. A server may list the
 * thing in the answer or with the next delta, or clear what a change leaves out: then the phone knows all without it.
 */
const changeUnseen = async (lab: Lab, phone: Replica, id: string, from: number): Promise<void> => {
  const own: JsonObject = { _id: id, title: lab.unique(), url: 'https://example.org/phone' }
  const answer = await phone.sync({ from, changed_thing: [own] })
  const next = await phone.sync({ from: answer.pos })
  const known = next.things.get(id) ?? answer.things.get(id) ?? { ...own, tags: '' }
  const seen = next.things.has(id) ? next : answer
  const laptop = await lab.replica('laptop')
  const whole = expectThing(await laptop.listAll(), id, 'nobody deleted it')
  for (const field of ['title', 'url', 'tags']) {
    const why = `phone to know the ${field} of thing ${id} after its upload from ${from} and a delta, as a full listing tells it`
    expectField(known, field, whole[field], why, seen)
  }
}

/** Things and tags that an upload changes and somebody else changed, too (interface 4.3, rule 2). */
export const mergedThingRules = coreSection('4.3', [
  {
    id: 'SYNC-MERGE-01',
    title: 'MUST tell what others changed of a thing after from also when the same request changes it',
    basis: 'derived',
    clauses: ['C-4.3-38'],
    faults: ['hideown'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await phone.create()
      const from = await phone.position()
      await laptop.change(id, { tags: lab.mark })
      await changeUnseen(lab, phone, id, from)
    },
  },
  {
    id: 'SYNC-MERGE-02',
    title: 'MUST list in full what others made also when a request with from=0 changes it',
    basis: 'derived',
    clauses: ['C-4.3-38', 'C-4.3-4'],
    faults: ['fullhide'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await laptop.create({ tags: lab.mark })
      await changeUnseen(lab, phone, id, 0)
    },
  },
  {
    // Whether settings that are left out stay or are taken away is the server's choice; the phone has to know which.
    id: 'SYNC-MERGE-03',
    title: 'MUST tell what others set of a tag after from also when the same request sets something else of it',
    basis: 'derived',
    clauses: ['C-4.3-31', 'C-4.3-5'],
    faults: ['submitted-tags-not-answered'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await phone.position()
      await laptop.setTag(lab.mark, { favorite: true, color: '#112233', todo: false })
      const reply = await phone.trySync({ from, tag: { [lab.mark]: { todo: true } } })
      if (reply.error !== undefined)
        throw new Inapplicable('the server refuses settings of a tag that are not all of them')
      const answer = readSyncAnswer(reply, 'the answer to an upload of one setting of a tag')
      const next = await phone.sync({ from: answer.pos })
      const own: JsonObject = { favorite: false, color: false }
      const known = next.tags.get(lab.mark) ?? answer.tags.get(lab.mark) ?? own
      const whole = expectTag(await laptop.listAll(), lab.mark, 'phone made it a todo tag')
      for (const field of ['favorite', 'color']) {
        const why = `phone to know ${field} of the tag, which laptop set after ${from}, by its own upload from there and a delta`
        expectSame(known[field], whole[field], why, next.tags.has(lab.mark) ? next : answer)
      }
    },
  },
])
