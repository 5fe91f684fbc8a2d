import {
  createClient,
  createMemoryLocalStore,
  createMemoryTokenStorage,
  createReplica,
} from '../../../client/src/index.ts'

/** A replica in memory that nobody has signed in to: all edits wait. */
export const openOfflineReplica = () =>
  createReplica({
    client: createClient({
      baseUrl: 'http://127.0.0.1:9/v1/',
      clientId: 'web',
      clientSecret: '',
      tokens: createMemoryTokenStorage(),
    }),
    store: createMemoryLocalStore(),
  })
