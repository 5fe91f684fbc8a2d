import { Refused } from '../refused.ts'
import type { Draft } from '../store/store.ts'
import type { AnsweredThing } from './add-thing.ts'
import { mergeFields, type ThingFields } from './thing-fields.ts'

/**
 * Changes the fields that are given; unlike in a sync upload an absent `archived` stays as it is (contract, the other
 * operations).
 * @throws Refused `thingUnknown`
 */
export const changeThing = async (draft: Draft, id: string, fields: ThingFields): Promise<AnsweredThing> => {
  const thing = await draft.findThing(id)
  if (thing === undefined) throw new Refused('thingUnknown')
  const changed = mergeFields(thing, fields)
  await draft.putThing(changed)
  return { thing: changed, isTodo: await draft.isTodo(changed) }
}
