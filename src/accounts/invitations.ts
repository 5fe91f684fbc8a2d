import type { Link } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { AccountRefused } from './account-refused.ts'
import { isOver } from './token-pairs.ts'

/** The invitations that can still be used, the one that ends first at the top. The hash of each is its id. */
export const listInvitations = async (store: Store, world: World): Promise<readonly Link[]> =>
  [...(await store.registry.listInvitations())]
    .filter(({ expiresAt }) => !isOver(expiresAt, world))
    .sort((a, b) => a.expiresAt - b.expiresAt)

/** Withdraws an open invitation. @throws AccountRefused when there is none with this id */
export const withdrawInvitation = (store: Store, id: string): Promise<void> =>
  store.registry.change(async (registry) => {
    const link = await registry.findLink(id)
    if (link?.kind !== 'invitation') {
      throw new AccountRefused(`there is no invitation with the id "${id}"; "user invitations" shows all that are open`)
    }
    await registry.delete('links', id)
  })
