import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openGrantTrial } from '../../test/support/grants.ts'
import { openJsonFileStore } from '../store/json-file-store.ts'
import { encodeItem } from '../store/record/store-item.ts'
import type { Store } from '../store/store.ts'
import { readBackup } from '../store/tools/backup/read-backup.ts'
import { restoreFolder } from '../store/tools/backup/restore-folder.ts'
import { writeBackup } from '../store/tools/backup/write-backup.ts'
import { thingForm } from '../things/thing-form.ts'
import { addPublicApp } from './apps.ts'
import { findBrowserSession, signIn } from './browser-sessions.ts'
import { grantByCode, issueCode } from './codes.ts'
import { disableUser } from './disable-user.ts'
import { findSession } from './find-session.ts'
import { hashSecret } from './hash.ts'
import { acceptInvitation, makeLink } from './links.ts'
import { addPersonalToken } from './personal-tokens.ts'
import { addUser } from './users.ts'

const place = { origin: { address: '192.0.2.1' } }
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

test.each(['a restart', 'a restore of a backup'])('everything that lets somebody in outlives %s', async (what) => {
  const root = await mkdtemp(join(tmpdir(), 'thingsync-accounts-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const open = (folder: string, now: () => number) => openJsonFileStore({ folder, form: thingForm, now })
  const { store, world, anna, app, login } = await openGrantTrial((now) => open(join(root, 'data'), now))
  const { clientId } = await addPublicApp(store, 'phone', world, { redirectUris: ['com.example.app:/back'] })
  const request = { clientId, userId: anna.id, redirectUri: 'com.example.app:/back', isRedirectNamed: false }
  const [fresh, used] = [
    await issueCode(store, { ...request, challenge: hashSecret(verifier) }, world),
    await issueCode(store, { ...request, challenge: hashSecret(verifier) }, world),
  ]
  const granted = await grantByCode(store, { clientId, code: used, verifier }, world)
  const personal = await addPersonalToken(store, { userId: anna.id, name: 'script', isReadOnly: true }, world)
  const password = { ...place, username: 'anna', password: 'correct horse' }
  const { cookie } = await signIn(store, password, world, (_, verify) => verify())
  const { secret: link } = await makeLink(store, { kind: 'invitation' }, world)
  await addUser(store, { name: 'bob', password: 'battery staple' }, world)
  const bobs = await login({ username: 'bob', password: 'battery staple' })
  await disableUser(store, 'bob', world)
  const folder = what === 'a restart' ? join(root, 'data') : await restore(store, root, world.now())
  await store.close()

  const next = await open(folder, world.now)
  onTestFinished(next.close)

  expect(await next.registry.findApp(app.clientId)).toMatchObject({ name: 'an app' })
  expect((await findSession(next, personal.token, world)).personal?.isReadOnly).toBe(true)
  expect((await findBrowserSession(next, cookie, world))?.user).toEqual(anna)
  await expect(findSession(next, bobs.accessToken, world)).rejects.toMatchObject({ kind: 'tokenInvalid' })
  const fromFresh = await grantByCode(next, { clientId, code: fresh, verifier }, world)
  await findSession(next, granted.accessToken, world)
  await expect(grantByCode(next, { clientId, code: used, verifier }, world)).rejects.toMatchObject({
    kind: 'codeInvalid',
  })
  await expect(findSession(next, granted.accessToken, world)).rejects.toMatchObject({ kind: 'tokenInvalid' })
  await findSession(next, fromFresh.accessToken, world)
  const carla = await acceptInvitation(next, { ...place, secret: link, name: 'carla', password: 'long enough' }, world)
  expect(carla.user.name).toBe('carla')
})
