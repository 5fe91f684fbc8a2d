import type { Handlers } from '../api/handlers.ts'
import type { Session, User } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'

/** user/get and test (interface 4.1, 2.5; contract, the other operations). */
export const userOperations = (store: Store): Pick<Handlers, 'getUser' | 'getTest' | 'postTest'> => ({
  getUser: async ({ session }) => {
    const user = await findUser(store, session)
    const view = await store.read(session.userId, session)
    const body = {
      username: user.name,
      date: user.createdAt,
      pos: view.position,
      thingCount: await view.countThings(),
    }
    return { status: 200, body }
  },
  getTest: async ({ session }) => ({ status: 200, body: { user: (await findUser(store, session)).name } }),
  postTest: async ({ session }) => ({ status: 200, body: { user: (await findUser(store, session)).name } }),
})

const findUser = async (store: Store, session: Session): Promise<User> => {
  const user = await store.registry.findUser(session.userId)
  if (user === undefined) throw new Error(`session ${session.id} belongs to no user`)
  return user
}
