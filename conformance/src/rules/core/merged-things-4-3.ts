import { expectField, expectThing } from '../../expect.ts'
import type { JsonObject } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import type { Replica } from '../../replica.ts'
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

/** Things that an upload changes and somebody else changed, too (interface 4.3, rule 2). */
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
])
