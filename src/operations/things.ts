import type { Handlers } from '../api/handlers.ts'
import type { Store } from '../store/store.ts'
import { showRuns } from './show-runs.ts'

/** things/get (interface 4.1; contract, the other operations). */
export const thingsOperations = (store: Store): Pick<Handlers, 'getThings'> => ({
  getThings: async ({ parameters: { archived, tag, skip, limit }, session }) => {
    const view = await store.read(session.userId, session)
    const listing = await view.list({
      after: 0,
      ...(archived === 'include' ? {} : { archived: /^(true|1)$/i.test(archived ?? 'false') }),
      ...(tag === undefined ? {} : { tag }),
      ...(skip === undefined ? {} : { skip }),
      ...(limit === undefined ? {} : { limit }),
    })
    return { status: 200, body: showRuns(listing.changed()) }
  },
})
