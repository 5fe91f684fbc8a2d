import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openGrantServer } from '../../test/support/grants.ts'
import { openJsonFileStore } from '../store/json-file-store.ts'
import { encodeItem } from '../store/record/backup-format.ts'
import type { Store } from '../store/store.ts'
import { writeBackup } from '../store/tools/backup.ts'
import { readBackup, restoreFolder } from '../store/tools/restore.ts'
import { thingForm } from '../things/thing.ts'
import { addPublicClient } from './apps.ts'
import { grantByCode, issueCode } from './authorization-codes.ts'
import { acceptInvitation, createLink } from './links.ts'
import { findBrowserSession, signIn } from './session-management.ts'
import { findSession, hashSecret } from './sessions.ts'
import { addPersonalToken } from './token-grants.ts'
import { addUser, disableUser } from './users.ts'

const context = { origin: { address: '192.0.2.1' } }
const verifier = 'v'.repeat(43)

async function* listLines(store: Store): AsyncGenerator<string, void, undefined> {
  for await (const item of store.listItems()) yield `${encodeItem(item)}\n`
}

const restore = async (store: Store, root: string, now: number): Promise<string> => {
  const [file, folder] = [join(root, 'backup.gz'), join(root, 'restored')]
  await writeBackup({ file, dataFolder: join(root, 'data') }, listLines(store), Math.floor(now / 1000))
  await mkdir(folder)
  await restoreFolder(folder, readBackup(file), { now, createdAt: Math.floor(now / 1000) })
  return folder
}

test.each(['a restart', 'a restore of a backup'])('all sessions, tokens, codes and links survive %s', async (what) => {
  const root = await mkdtemp(join(tmpdir(), 'thingsync-accounts-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const open = (folder: string, now: () => number) => openJsonFileStore({ folder, form: thingForm, now })
  const { store, environment, anna, app, login } = await openGrantServer((now) => open(join(root, 'data'), now))
  const { clientId } = await addPublicClient(store, 'phone', environment, { redirectUris: ['com.example.app:/back'] })
  const request = { clientId, userId: anna.id, redirectUri: 'com.example.app:/back', isRedirectNamed: false }
  const [fresh, used] = [
    await issueCode(store, { ...request, challenge: hashSecret(verifier) }, environment),
    await issueCode(store, { ...request, challenge: hashSecret(verifier) }, environment),
  ]
  const granted = await grantByCode(store, { clientId, code: used, verifier }, environment)
  const personal = await addPersonalToken(store, { userId: anna.id, name: 'script', isReadOnly: true }, environment)
  const password = { ...context, username: 'anna', password: 'correct horse' }
  const { cookie } = await signIn(store, password, environment, (_, verify) => verify())
  const { secret: link } = await createLink(store, { kind: 'invitation' }, environment)
  await addUser(store, { name: 'bob', password: 'battery staple' }, environment)
  const bobs = await login({ username: 'bob', password: 'battery staple' })
  await disableUser(store, 'bob', environment)
  const folder = what === 'a restart' ? join(root, 'data') : await restore(store, root, environment.now())
  await store.close()

  const next = await open(folder, environment.now)
  onTestFinished(next.close)

  expect(await next.registry.findApp(app.clientId)).toMatchObject({ name: 'an app' })
  expect((await findSession(next, personal.token, environment)).personal?.isReadOnly).toBe(true)
  expect((await findBrowserSession(next, cookie, environment))?.user).toEqual(anna)
  await expect(findSession(next, bobs.accessToken, environment)).rejects.toMatchObject({ kind: 'tokenInvalid' })
  const fromFresh = await grantByCode(next, { clientId, code: fresh, verifier }, environment)
  await findSession(next, granted.accessToken, environment)
  await expect(grantByCode(next, { clientId, code: used, verifier }, environment)).rejects.toMatchObject({
    kind: 'codeInvalid',
  })
  await expect(findSession(next, granted.accessToken, environment)).rejects.toMatchObject({ kind: 'tokenInvalid' })
  await findSession(next, fromFresh.accessToken, environment)
  const carla = await acceptInvitation(
    next,
    { ...context, secret: link, name: 'carla', password: 'long enough' },
    environment,
  )
  expect(carla.user.name).toBe('carla')
})
