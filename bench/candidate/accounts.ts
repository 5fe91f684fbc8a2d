import { hash } from 'node:crypto'
import { addApp, addUser, openJsonFileStore, systemWorld, thingForm } from '../../src/index.ts'
import { makeThings } from './make-things.ts'

/** What a client of the measured server signs in with. */
export interface Enrolment {
  readonly clientId: string
  readonly clientSecret: string
  readonly users: readonly string[]
}

/** The password of every user of the bench. */
export const password = 'correct horse battery'

/** Accounts that are written at once while they are made. */
const atOnce = 256

/** Makes users and an app in a data folder that no server has open. */
export const enrol = async (folder: string, userCount: number): Promise<Enrolment> => {
  const store = await openJsonFileStore({ folder, form: thingForm })
  const { clientId, clientSecret } = await addApp(store, 'bench', systemWorld)
  const users = Array.from({ length: userCount }, (_, index) => `user-${index}`)
  for (const name of users) await addUser(store, { name, password }, systemWorld)
  await store.close()
  return { clientId, clientSecret, users }
}

/**
 * Adds many accounts with a few things each, that nobody signs in to: they share one password's hash, or the bench would
 * only hash.
 */
export const addManyAccounts = async (folder: string, count: number, thingsEach: number): Promise<void> => {
  const store = await openJsonFileStore({ folder, form: thingForm })
  const { passwordHash } = await addUser(store, { name: 'first-of-many', password }, systemWorld)
  const ids = Array.from({ length: count }, () => systemWorld.newId())
  await store.registry.change(async (registry) => {
    for (const [index, id] of ids.entries()) {
      await registry.put('users', { id, name: `many-${index}`, passwordHash, createdAt: 1_700_000_000 })
    }
  })
  for (let first = 0; first < count; first += atOnce) {
    await Promise.all(
      ids.slice(first, first + atOnce).map((id) =>
        store.write(id, 'bench', async (draft) => {
          for (const { local_id: _, ...thing } of makeThings(0, thingsEach)) {
            await draft.putThing({ ...thing, id: systemWorld.newId(), archived: false, todoStatus: false })
          }
        }),
      ),
    )
  }
  await store.close()
}

/** Of no password; a copy takes only what the server itself could have made. */
const nobodysHash = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/**
 * Makes users without passwords, each with so many personal access tokens, in a data folder that no server has open; gives
 * the tokens, user by user. `ofFirst`: how many the first one has.
 */
export const enrolTokens = async (
  folder: string,
  userCount: number,
  each = 1,
  ofFirst = each,
): Promise<readonly string[]> => {
  const store = await openJsonFileStore({ folder, form: thingForm })
  const createdAt = Math.floor(Date.now() / 1000)
  const tokens: string[] = []
  await store.registry.change(async (registry) => {
    for (let index = 0; index < userCount; index += 1) {
      const userId = systemWorld.newId()
      await registry.put('users', { id: userId, name: `user-${index}`, passwordHash: nobodysHash, createdAt })
      for (let count = 0; count < (index === 0 ? ofFirst : each); count += 1) {
        const [id, token] = [systemWorld.newId(), systemWorld.newSecret()]
        const personal = { name: 'bench', hash: hash('sha256', token, 'base64url'), isReadOnly: false }
        await registry.put('sessions', {
          id,
          userId,
          clientId: id,
          createdAt,
          pairs: [],
          personal,
          lastUsedAt: createdAt,
        })
        tokens.push(token)
      }
    }
  })
  await store.close()
  return tokens
}

/** The form that gets a token by a password (interface 3). */
export const passwordForm = ({ clientId, clientSecret }: Enrolment, username: string): string =>
  new URLSearchParams({
    grant_type: 'password',
    client_id: clientId,
    client_secret: clientSecret,
    username,
    password,
  }).toString()

/** A new session's access token. */
export const signIn = async (port: number, enrolment: Enrolment, username = 'user-0'): Promise<string> => {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: passwordForm(enrolment, username),
  })
  if (!answer.ok) throw new Error(`signing in was answered with ${answer.status}`)
  return ((await answer.json()) as { access_token: string }).access_token
}
