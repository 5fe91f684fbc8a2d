import { addApp, addUser, openJsonFileStore, systemWorld, thingForm } from '../../src/index.ts'

/** What a client of the measured server signs in with. */
export interface Enrolment {
  readonly clientId: string
  readonly clientSecret: string
  readonly users: readonly string[]
}

/** The password of every user of the bench. */
export const password = 'correct horse battery'

/** Makes users and an app in a data folder that no server has open. */
export const enrol = async (folder: string, userCount: number): Promise<Enrolment> => {
  const store = await openJsonFileStore({ folder, form: thingForm })
  const { clientId, clientSecret } = await addApp(store, 'bench', systemWorld)
  const users = Array.from({ length: userCount }, (_, index) => `user-${index}`)
  for (const name of users) await addUser(store, { name, password }, systemWorld)
  await store.close()
  return { clientId, clientSecret, users }
}

/** Adds many accounts that nobody signs in to: they share one password's hash, or the bench would only hash. */
export const addManyUsers = async (folder: string, count: number): Promise<void> => {
  const store = await openJsonFileStore({ folder, form: thingForm })
  const { passwordHash } = await addUser(store, { name: 'first-of-many', password }, systemWorld)
  await store.directory.change(async (directory) => {
    for (let index = 0; index < count; index++) {
      const id = systemWorld.newId()
      await directory.putUser({ id, name: `many-${index}`, passwordHash, createdAt: 1_700_000_000 })
    }
  })
  await store.close()
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
