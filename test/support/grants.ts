import { addApp } from '../../src/accounts/apps.ts'
import { findSession } from '../../src/accounts/find-session.ts'
import { grantByPassword, grantByRefresh } from '../../src/accounts/grants.ts'
import { addUser } from '../../src/accounts/users.ts'
import { openMemoryStore } from '../../src/store/memory-store.ts'
import type { Store } from '../../src/store/store.ts'
import { thingForm } from '../../src/things/thing-form.ts'
import { systemWorld, type World } from '../../src/world.ts'

/** A store, in memory unless another is given, with the user anna and one app, and a clock that stands, for tests. */
export const openGrantTrial = async (
  openStore: (now: () => number) => Promise<Store> = (now) => openMemoryStore({ form: thingForm, elapsed: now }),
) => {
  const clock = { now: 1_700_000_000_000 }
  const world: World = { ...systemWorld, now: () => clock.now }
  const store = await openStore(world.now)
  const anna = await addUser(store, { name: 'anna', password: 'correct horse' }, world)
  const app = await addApp(store, 'an app', world)

  return {
    store,
    world,
    anna,
    app,
    passSeconds: (seconds: number) => {
      clock.now += seconds * 1000
    },
    login: (given = {}) =>
      grantByPassword(
        store,
        { ...app, username: 'anna', password: 'correct horse', ...given },
        world,
        (_userId, verify) => verify(),
      ),
    refresh: (requestToken: string, given = {}) => grantByRefresh(store, { ...app, requestToken, ...given }, world),
    use: (accessToken: string) => findSession(store, accessToken, world),
  }
}
