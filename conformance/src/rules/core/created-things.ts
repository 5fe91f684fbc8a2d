import { expectThing } from '../../expect.ts'
import type { Lab } from '../../lab.ts'
import type { ThingFields } from '../../sync-request.ts'

/** Creates a thing with the fields on phone, and returns what laptop's next incremental sync lists of it. */
export const seeCreated = async (lab: Lab, fields: ThingFields) => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const from = await laptop.position()
  const id = await phone.create(fields)
  const answer = await laptop.sync({ from })
  return { answer, id, thing: expectThing(answer, id, 'phone created it') }
}

/** Creates things on phone after laptop's position. In rules that run alone nothing else changes meanwhile. */
export const createAfter = async (lab: Lab, count: number) => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const from = await laptop.position()
  const ids = await phone.createMany(Array.from({ length: count }, () => ({})))
  return { phone, laptop, from, ids }
}
