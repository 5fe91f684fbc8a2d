import type { Store } from '../store/store.ts'

/**
 * A store that does all work of a write twice, the first time for nothing: as one does when another process has written
 * to the account meanwhile. Whatever the work has left behind beside the draft shows in what is answered then.
 */
export const writeTwice = (store: Store): Store => ({
  ...store,
  write: async (userId, writer, work, haste) => {
    const forNothing = new Error('the work is done again')
    try {
      await store.write(userId, writer, async (draft) => {
        await work(draft)
        throw forNothing
      })
    } catch {
      // Also what the work has thrown: it does that again.
    }
    return store.write(userId, writer, work, haste)
  },
})
