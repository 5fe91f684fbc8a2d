import type { Handlers } from '../api/handlers.ts'
import type { Store } from '../store/store.ts'
import { countTags } from '../things/count-tags.ts'

/** tags/get (interface 4.1; contract, the other operations). */
export const tagsOperations = (store: Store): Pick<Handlers, 'getTags'> => ({
  getTags: async ({ parameters: { from }, session }) => {
    const { position, favorite, other } = await countTags(await store.read(session.userId, session), from)
    const body = { pos: position, favorite: Object.fromEntries(favorite), other: Object.fromEntries(other) }
    return { status: 200, body }
  },
})
