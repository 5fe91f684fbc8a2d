import 'fake-indexeddb/auto'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../client/src/index.ts'
import { openIndexedDbStore } from '../../client/src/indexeddb.ts'
import { openFileServer } from '../../test/support/open-test-server.ts'
import { signInBrowser } from '../../test/support/test-browser.ts'
import { openDrafts } from './drafts.ts'
import type { AppState } from './open-account.ts'
import { type AccountHandle, openAccount } from './open-account.ts'
import { type Account, appId, locateApp, openSessionStore, type SessionStore } from './session.ts'
import { createActionLog } from './undo.ts'

const server = await openFileServer({ settings: { web: true } })
// The port of a loopback address may differ, the rest is to the letter.
const place = locateApp(server.baseUrl.replace(/v1\/$/, '?q=milk#top'))
await server.addUser('bert')

const openSession = async (name: string): Promise<SessionStore> => {
  const session = await openSessionStore({ ...place, family: name })
  onTestFinished(session.close)
  return session
}

/** Signs in as a browser does, and gives the address that it comes back to. */
const signIn = async (session: SessionStore, username: string, view = ''): Promise<string> => {
  const address = await session.begin(view)
  const browser = await signInBrowser(server, username)
  const page = await browser.open(address.slice(place.home.length - 1))
  return (await browser.send(page, '/authorize', { decision: 'allow' })).location
}

const open = async (session: SessionStore, account: Account, storeName: string): Promise<AccountHandle> => {
  const client = createClient({ baseUrl: place.baseUrl, clientId: appId, tokens: session.tokensOf(account) })
  const store = await openIndexedDbStore(storeName)
  const signOut = async () => {
    await client.signOut()
  }
  const live = { quietMilliseconds: 1 }
  const deeds = createActionLog(store, Date.now)
  const drafts = await openDrafts({ storage: undefined, store, account: account.name, now: Date.now })
  const signIn = async () => undefined
  return await openAccount({ client, store, account: account.name, deeds, drafts, signIn, signOut, live })
}

const see = (held: AccountHandle, isSeen: (state: AppState) => boolean): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (!isSeen(held.app.state.read())) return
      unwatch()
      resolve()
    }
    const unwatch = held.app.state.watch(look)
    look()
  })

test('the place is found by the address of the page, whatever stands behind it', () => {
  const found = locateApp('https://things.example/mine/?q=a/b#c')

  expect(found).toEqual({
    home: 'https://things.example/mine/',
    baseUrl: 'https://things.example/mine/v1/',
    family: 'thingsync /mine/',
  })
})

test('a sign-in that comes back is taken up once, with the view that it began in', async () => {
  const session = await openSession('taken up once')
  const back = await signIn(session, 'anna', '?q=milk')

  const [first, second] = [await session.finish(back), await session.finish(back)]
  const account = await session.findAccount()

  expect([first, second]).toEqual([{ view: '?q=milk' }, undefined])
  expect(account).toEqual({ name: 'anna', since: expect.any(Number) })
})

test('what is added is sent, the state says so, and another browser has it', async () => {
  const session = await openSession('added')
  await session.finish(await signIn(session, 'anna'))
  const account = (await session.findAccount()) as Account
  const held = await open(session, account, 'added 1')
  const other = await open(session, account, 'added 2')

  await held.app.replica.create({ title: 'Buy milk' })
  await see(held, ({ status, pending }) => status === 'live' && pending === 0)
  await other.close()
  const third = await open(session, account, 'added 3')
  await see(third, ({ status }) => status === 'live')
  const titles = []
  for await (const { title } of third.app.replica.listThings()) titles.push(title)
  await held.close()
  await third.close()

  expect(titles).toEqual(['Buy milk'])
  expect(held.app.state.read()).toMatchObject({ refused: [], overwritten: [], pending: 0 })
})

test('an ended session keeps what waits, and it is sent once the same person has signed in again', async () => {
  const session = await openSession('ended')
  await session.finish(await signIn(session, 'anna'))
  const account = (await session.findAccount()) as Account
  const held = await open(session, account, 'ended')
  await see(held, ({ status }) => status === 'live')

  await held.app.signOut()
  held.app.wake()
  await see(held, ({ status }) => status === 'signed_out')
  await held.app.replica.create({ title: 'typed while signed out' })
  await see(held, ({ pending }) => pending === 1)
  const kept = await session.findAccount()
  await session.finish(await signIn(session, 'anna'))
  held.app.wake()
  await see(held, ({ status, pending }) => status === 'live' && pending === 0)
  await held.close()

  expect(kept).toEqual(account)
})

test('what one person has typed is never sent with the tokens of another who signs in meanwhile', async () => {
  const session = await openSession('two people')
  await session.finish(await signIn(session, 'anna'))
  const anna = (await session.findAccount()) as Account
  const held = await open(session, anna, 'two people')
  await see(held, ({ status }) => status === 'live')

  await session.finish(await signIn(session, 'bert'))
  held.app.wake()
  await see(held, ({ status }) => status === 'signed_out')
  await held.app.replica.create({ title: 'of anna' })
  await see(held, ({ pending }) => pending === 1)
  const bert = (await session.findAccount()) as Account
  const other = await open(session, bert, 'of bert')
  await see(other, ({ status }) => status === 'live')
  const things = []
  for await (const thing of other.app.replica.listThings()) things.push(thing)
  await held.close()
  await other.close()

  expect([bert.name, things]).toEqual(['bert', []])
})

test('a store that was taken away is said in the state, and the edit fails', async () => {
  const session = await openSession('taken away')
  await session.finish(await signIn(session, 'anna'))
  const account = (await session.findAccount()) as Account
  const client = createClient({ baseUrl: place.baseUrl, clientId: appId, tokens: session.tokensOf(account) })
  const store = await openIndexedDbStore('taken away')
  const deeds = createActionLog(store, Date.now)
  const nothing = async () => undefined
  const drafts = await openDrafts({ storage: undefined, store, account: 'anna', now: Date.now })
  const held = await openAccount({ client, store, account: 'anna', deeds, drafts, signIn: nothing, signOut: nothing })

  store.close()
  const said = await held.app.replica.create({ title: 'nowhere' }).catch((error: unknown) => error)
  const { storeProblem } = held.app.state.read()
  await held.close()

  expect(said).toMatchObject({ code: 'store_gone' })
  expect(storeProblem).toBe('forbidden')
})
