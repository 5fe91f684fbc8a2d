import type { Handlers } from '../api/handlers.ts'
import type { Store } from '../store/store.ts'
import { countTags } from '../things/count-tags.ts'
import { createOwnerTurns } from '../wire/owner-turns.ts'
import { renderPieces } from '../wire/render-map.ts'

/**
 * tags/get (interface 4.1; contract, the other operations). To count ten thousand tags takes many milliseconds, and requests
 * that come together would be worked on in one go: of those of one user, one is in each turn of the event loop.
 */
export const tagsOperations = (store: Store): Pick<Handlers, 'getTags'> => {
  const turns = createOwnerTurns(1)
  return {
    getTags: async ({ parameters: { from }, session }) => {
      await turns.take(session.userId)
      try {
        const view = await store.read(session.userId, session)
        const { favorite, other } = await countTags(view, from)
        const body = {
          pos: view.position,
          favorite: (await renderPieces(favorite())) ?? {},
          other: (await renderPieces(other())) ?? {},
        }
        return { status: 200, body }
      } finally {
        setImmediate(() => turns.give(session.userId))
      }
    },
  }
}
