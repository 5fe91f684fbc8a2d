import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { addApp, addPublicClient } from '../../src/accounts/apps.ts'
import { grantByCode, issueCode } from '../../src/accounts/authorization-codes.ts'
import { createLink } from '../../src/accounts/links.ts'
import { changeQuota } from '../../src/accounts/quotas.ts'
import { signIn } from '../../src/accounts/session-management.ts'
import { hashSecret } from '../../src/accounts/sessions.ts'
import { addPersonalToken } from '../../src/accounts/token-grants.ts'
import { addUser } from '../../src/accounts/users.ts'
import { createItemCheck } from '../../src/cli/check-items.ts'
import { findPushKeys } from '../../src/delivery/deliver-push.ts'
import { putDevice } from '../../src/delivery/devices.ts'
import { putWebhook } from '../../src/delivery/webhooks.ts'
import { systemEnvironment } from '../../src/environment.ts'
import { findKind } from '../../src/store/record/backup-format.ts'
import type { Store } from '../../src/store/store.ts'
import { checkBackup, readBackup, restoreFolder } from '../../src/store/tools/restore.ts'
import { pushKeys } from './push-keys.ts'

/** The password of every user in `fillStore`. */
export const password = 'correct horse'

/** What lets a test in at a server on what `fillStore` filled. */
export interface Secrets {
  readonly token: string
  readonly cookie: string
  readonly code: string
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
}

const verifier = 'v'.repeat(43)

/** Fills an empty store with something of every kind, each with all fields that it may have. */
export const fillStore = async (store: Store): Promise<Secrets> => {
  const environment = systemEnvironment
  const now = Math.floor(environment.now() / 1000)
  const redirectUri = 'https://app.example/back'
  const anna = await addUser(store, { name: 'anna', password }, environment)
  const bert = await addUser(store, { name: 'bert', password }, environment)
  await changeQuota(store, 'anna', { things: 1000, bytes: 1_000_000, hooks: 10 })
  await store.registry.change((registry) =>
    registry.put('users', { ...bert, subject: 'https://login.example 1', disabledAt: now }),
  )
  const app = await addApp(store, 'reader', environment, {
    redirectUris: [redirectUri],
    isStandard: true,
    ownerId: anna.id,
  })
  const { clientId } = await addPublicClient(store, 'phone', environment, { redirectUris: ['com.example.app:/back'] })
  const bound = { clientId, userId: anna.id, redirectUri: 'com.example.app:/back', isRedirectNamed: true }
  const origin = { address: '192.0.2.1', userAgent: 'Mozilla/5.0' }
  const issue = () =>
    issueCode(store, { ...bound, appName: 'phone', challenge: hashSecret(verifier), state: 's' }, environment)
  const used = await issue()
  const form = { clientId, code: used, verifier, redirectUri: bound.redirectUri }
  const granted = await grantByCode(store, form, environment, origin)
  const code = await issue()
  const { token } = await addPersonalToken(
    store,
    { userId: anna.id, name: 'script', isReadOnly: false, expiresInSeconds: 90_000 },
    environment,
  )
  const typed = { origin, username: 'anna', password, by: 'provider' as const }
  const { cookie } = await signIn(store, typed, environment, (_, verify) => verify())
  await createLink(store, { kind: 'set-password', userId: anna.id }, environment)
  await createLink(store, { kind: 'invitation', name: 'carol' }, environment)
  await findPushKeys(store, environment)
  const { id: sessionId } = (await store.registry.findSessionByAccessHash(hashSecret(granted.accessToken))) ?? {
    id: '',
  }

  await store.write(anna.id, sessionId, async (draft) => {
    await draft.putTag('todo', { favorite: true, color: '#aabbcc', todo: 'strike' })
    await draft.putTag('plain', { favorite: false, color: false, todo: false })
    for (const id of ['a', 'b', 'c', 'd'])
      await draft.putThing({
        ...{ id, title: `thing ${id}`, tags: 'todo plain', date: now, archived: id === 'b', todoStatus: true },
        ...{ url: `https://example.org/${id}`, html: '<p>"note"</p>' },
      })
    await draft.deleteThing('d')
    const failure = { at: now, reason: 'The receiver responded with status 500.', status: 500 }
    await putWebhook(draft, {
      ...{ targetUrl: 'https://hook.example/x', event: 'any', clientId, secret: 'whsec_AAAA', id: 'hook1', told: 3 },
      previousSecrets: [{ secret: 'whsec_BBBB', until: now + 5 }],
      sending: { id: 'msg_1', to: 4, body: '{}', tries: 2, firstTriedAt: now },
      ...{ registeredAt: now, notBefore: environment.now(), lastSuccessAt: now, lastFailure: failure },
      ...{
        restingSince: now,
        pausedAt: now,
        pausedBy: 'administrator',
        triedByHandAt: environment.now(),
        testAskedAt: now,
      },
    })
    const device = { type: 'webpush', endpoint: 'https://push.example/x', ...pushKeys, clientId, sessionId }
    await putDevice(draft, {
      ...{
        ...device,
        id: 'browser',
        key: 'device1',
        registeredAt: now,
        told: 2,
        tries: 1,
        notBefore: environment.now(),
      },
      ...{ lastSuccessAt: now, lastFailure: failure },
    })
    await draft.putRecord('upload', sessionId, '0', true)
    await draft.putRecord('upload', `${sessionId} 0`, 'a', ['1', [now], ['https://example.org/a'], ['thing a']])
    await draft.putRecord('import', '', 'bookmarks.html', 2)
    await draft.putRecord('lost-positions', '', '', [[2, 3]])
    await draft.putOutboxEntry('webhook/hook1', environment.now())
    await draft.putOutboxEntry('device/device1', environment.now())
  })
  await store.write(bert.id, 'other', (draft) => draft.putTag('red', { favorite: true, color: '#f00', todo: false }))
  const { clientSecret } = app
  return { token, cookie, code, clientId: app.clientId, clientSecret, redirectUri }
}

/** The lines of a backup that are neither its head nor its end. */
export const readItemLines = async (file: string): Promise<readonly string[]> =>
  gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split('\n')
    .slice(1, -1)

/** A backup with these lines whose checksum and counts fit, as an attacker makes it. */
export const forgeBackup = (lines: readonly string[], createdAt = Math.floor(Date.now() / 1000)): Buffer => {
  const head = JSON.stringify({ format: 'thingsync backup', version: 1, createdAt })
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(findKind(line), (counts.get(findKind(line)) ?? 0) + 1)
  const text = `${[head, ...lines].join('\n')}\n`
  const sha256 = createHash('sha256').update(text).digest('hex')
  return gzipSync(`${text}${JSON.stringify({ end: Object.fromEntries(counts), sha256 })}\n`, { level: 1 })
}

/**
 * Restores a backup into a folder, as the command does.
 * @throws BackupError; then there is nothing in the folder
 */
export const restoreBackup = async (bytes: Buffer, root: string): Promise<string> => {
  const [file, folder] = [join(root, 'forged.gz'), join(root, 'restored')]
  await rm(folder, { recursive: true, force: true })
  await writeFile(file, bytes)
  const checked = await checkBackup(file, createItemCheck())
  await mkdir(folder)
  await restoreFolder(folder, readBackup(file, checked), { now: Date.now(), createdAt: checked.createdAt })
  return folder
}

/** What stands in a folder, or that there is none. */
export const listFolder = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
