import 'fake-indexeddb/auto'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../client/src/index.ts'
import { openIndexedDbStore } from '../../client/src/indexeddb.ts'
import { openFileServer } from '../../test/support/open-test-server.ts'
import { signInBrowser } from '../../test/support/test-browser.ts'
import { createSharedTexts } from '../../test/support/web/shared-texts.ts'
import { openDrafts } from './drafts.ts'
import type { AppState } from './open-account.ts'
import { type AccountHandle, openAccount } from './open-account.ts'
import { type Account, appId, locateApp, openSessionStore, type SessionStore } from './session.ts'
import { createActionLog } from './undo.ts'

const server = await openFileServer({ settings: { web: true } })
// The port of a loopback redirect URI may differ; the rest must be identical.
const location = locateApp(server.baseUrl.replace(/v1\/$/, '?q=milk#top'))
await server.addUser('bert')

const openSession = async (name: string): Promise<SessionStore> => {
  const session = await openSessionStore({ ...location, storagePrefix: name })
  onTestFinished(session.close)
  return session
}

/** Signs in like a browser and returns the redirect URI with the response. */
const signIn = async (session: SessionStore, username: string, view = ''): Promise<string> => {
  const url = await session.begin(view)
  const browser = await signInBrowser(server, username)
  const page = await browser.open(url.slice(location.home.length - 1))
  return (await browser.send(page, '/authorize', { decision: 'allow' })).location
}

const open = async (session: SessionStore, account: Account, storeName: string): Promise<AccountHandle> => {
  const client = createClient({ baseUrl: location.baseUrl, clientId: appId, tokens: session.tokensOf(account) })
  const store = await openIndexedDbStore(storeName)
  const signOut = async () => {
    await client.signOut()
  }
  const live = { quietMilliseconds: 1 }
  const actionLog = createActionLog(store, Date.now)
  const drafts = await openDrafts({ storage: undefined, store, account: account.name, now: Date.now })
  const signIn = async () => undefined
  const texts = { drafts, sharedTexts: createSharedTexts() }
  return await openAccount({ client, store, account: account.name, actionLog, ...texts, signIn, signOut, live })
}

const see = (handle: AccountHandle, isSeen: (state: AppState) => boolean): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (!isSeen(handle.app.state.read())) return
      unwatch()
      resolve()
    }
    const unwatch = handle.app.state.watch(look)
    look()
  })

test('the location of the app follows from the URL of the page without its query and fragment', () => {
  const found = locateApp('https://things.example/mine/?q=a/b#c')

  expect(found).toEqual({
    home: 'https://things.example/mine/',
    baseUrl: 'https://things.example/mine/v1/',
    storagePrefix: 'thingsync /mine/',
  })
})

test('a sign-in is finished once, with the view in which it began', async () => {
  const session = await openSession('taken up once')
  const back = await signIn(session, 'anna', '?q=milk')

  const [first, second] = [await session.finish(back), await session.finish(back)]
  const account = await session.findAccount()

  expect([first, second]).toEqual([{ view: '?q=milk' }, undefined])
  expect(account).toEqual({ name: 'anna', since: expect.any(Number) })
})

test('a new item reaches the server and another browser, and the state shows it', async () => {
  const session = await openSession('added')
  await session.finish(await signIn(session, 'anna'))
  const account = (await session.findAccount()) as Account
  const handle = await open(session, account, 'added 1')
  const other = await open(session, account, 'added 2')

  await handle.app.replica.create({ title: 'Buy milk' })
  await see(handle, ({ status, pending }) => status === 'live' && pending === 0)
  await other.close()
  const third = await open(session, account, 'added 3')
  await see(third, ({ status }) => status === 'live')
  const titles = []
  for await (const { title } of third.app.replica.listThings()) titles.push(title)
  await handle.close()
  await third.close()

  expect(titles).toEqual(['Buy milk'])
  expect(handle.app.state.read()).toMatchObject({ rejected: [], overwritten: [], pending: 0 })
})

test('edits that wait after the session ended are sent after the same user signs in again', async () => {
  const session = await openSession('ended')
  await session.finish(await signIn(session, 'anna'))
  const account = (await session.findAccount()) as Account
  const handle = await open(session, account, 'ended')
  await see(handle, ({ status }) => status === 'live')

  await handle.app.signOut()
  handle.app.syncNow()
  await see(handle, ({ status }) => status === 'signed_out')
  await handle.app.replica.create({ title: 'typed while signed out' })
  await see(handle, ({ pending }) => pending === 1)
  const kept = await session.findAccount()
  await session.finish(await signIn(session, 'anna'))
  handle.app.syncNow()
  await see(handle, ({ status, pending }) => status === 'live' && pending === 0)
  await handle.close()

  expect(kept).toEqual(account)
})

test('edits of one user are never sent with the tokens of another user', async () => {
  const session = await openSession('two users')
  await session.finish(await signIn(session, 'anna'))
  const anna = (await session.findAccount()) as Account
  const handle = await open(session, anna, 'two users')
  await see(handle, ({ status }) => status === 'live')

  await session.finish(await signIn(session, 'bert'))
  handle.app.syncNow()
  await see(handle, ({ status }) => status === 'signed_out')
  await handle.app.replica.create({ title: 'of anna' })
  await see(handle, ({ pending }) => pending === 1)
  const bert = (await session.findAccount()) as Account
  const other = await open(session, bert, 'of bert')
  await see(other, ({ status }) => status === 'live')
  const things = []
  for await (const thing of other.app.replica.listThings()) things.push(thing)
  await handle.close()
  await other.close()

  expect([bert.name, things]).toEqual(['bert', []])
})

test('an edit in a closed store fails, and the state shows the problem', async () => {
  const session = await openSession('taken away')
  await session.finish(await signIn(session, 'anna'))
  const account = (await session.findAccount()) as Account
  const client = createClient({ baseUrl: location.baseUrl, clientId: appId, tokens: session.tokensOf(account) })
  const store = await openIndexedDbStore('taken away')
  const actionLog = createActionLog(store, Date.now)
  const noop = async () => undefined
  const drafts = await openDrafts({ storage: undefined, store, account: 'anna', now: Date.now })
  const texts = { drafts, sharedTexts: createSharedTexts() }
  const handle = await openAccount({ client, store, account: 'anna', actionLog, ...texts, signIn: noop, signOut: noop })

  store.close()
  const error = await handle.app.replica.create({ title: 'nowhere' }).catch((error: unknown) => error)
  const { storeProblem } = handle.app.state.read()
  await handle.close()

  expect(error).toMatchObject({ code: 'store_gone' })
  expect(storeProblem).toBe('forbidden')
})
