import { addApp } from '../../src/accounts/apps.ts'
import { findSession } from '../../src/accounts/sessions.ts'
import { grantByPassword, grantByRefresh } from '../../src/accounts/token-grants.ts'
import { addUser } from '../../src/accounts/users.ts'
import { type Environment, systemEnvironment } from '../../src/environment.ts'
import { openMemoryStore } from '../../src/store/memory-store.ts'
import type { Store } from '../../src/store/store.ts'
import { thingForm } from '../../src/things/thing.ts'

/** A store, in memory unless another is given, with the user anna and one app, and a clock that stands, for tests. */
export const openGrantServer = async (
  openStore: (now: () => number) => Promise<Store> = (now) => openMemoryStore({ form: thingForm, monotonicMs: now }),
) => {
  const clock = { now: 1_700_000_000_000 }
  const environment: Environment = { ...systemEnvironment, now: () => clock.now }
  const store = await openStore(environment.now)
  const anna = await addUser(store, { name: 'anna', password: 'correct horse' }, environment)
  const app = await addApp(store, 'an app', environment)

  return {
    store,
    environment,
    anna,
    app,
    passSeconds: (seconds: number) => {
      clock.now += seconds * 1000
    },
    login: (given = {}) =>
      grantByPassword(
        store,
        { ...app, username: 'anna', password: 'correct horse', ...given },
        environment,
        (_userId, verify) => verify(),
      ),
    refresh: (requestToken: string, given = {}) =>
      grantByRefresh(store, { ...app, refreshToken: requestToken, ...given }, environment),
    use: (accessToken: string) => findSession(store, accessToken, environment),
  }
}
