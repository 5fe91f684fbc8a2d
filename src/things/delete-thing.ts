import { Refused } from '../refused.ts'
import type { Draft } from '../store/store.ts'

/**
 * Deletes a thing for good (contract, the other operations).
 * @throws Refused `thingUnknown`, also the second time
 */
export const deleteThing = async (draft: Draft, id: string): Promise<void> => {
  if (!(await draft.deleteThing(id))) throw new Refused('thingUnknown')
}
