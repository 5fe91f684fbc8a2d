import type { Thing, ThingAddition, ThingChange } from '../../generated/types.ts'
import type { Handlers } from '../api/handlers.ts'
import type { Store } from '../store/store.ts'
import { type AnsweredThing, addThing, type ThingToAdd } from '../things/add-thing.ts'
import { changeThing } from '../things/change-thing.ts'
import { deleteThing } from '../things/delete-thing.ts'
import { thingForm } from '../things/thing-form.ts'
import { forgetNamedUpload } from '../things/upload-memory.ts'
import type { World } from '../world.ts'

/** thing/add, thing/change and thing/delete (interface 4.1; contract, the other operations). */
export const thingOperations = (
  store: Store,
  world: World,
): Pick<Handlers, 'addThing' | 'changeThing' | 'deleteThing'> => ({
  addThing: async ({ parameters, session }) => {
    const toAdd = toThingToAdd(parameters)
    const added = await store.write(session.userId, session.id, (draft) => addThing(draft, toAdd, world))
    return { status: 200, body: { ...showThing(added), ...(added.isDuplicate ? { duplicate: true } : {}) } }
  },
  changeThing: async ({ parameters, session }) => {
    const { _id: id, ...fields }: ThingChange = parameters
    const changed = await store.write(session.userId, session.id, async (draft) => {
      await forgetNamedUpload(draft, session.id, id)
      return changeThing(draft, id, fields)
    })
    return { status: 200, body: showThing(changed) }
  },
  deleteThing: async ({ parameters: { _id: id }, session }) => {
    await store.write(session.userId, session.id, async (draft) => {
      await forgetNamedUpload(draft, session.id, id)
      await deleteThing(draft, id)
    })
    return { status: 200, body: { deleted_thing: id } }
  },
})

const toThingToAdd = ({ prevent_duplicate: preventDuplicate, ...fields }: ThingAddition): ThingToAdd => ({
  ...fields,
  preventDuplicate: preventDuplicate ?? false,
})

const showThing = ({ thing, isTodo }: AnsweredThing): Thing => JSON.parse(thingForm.showThing(thing, isTodo))
