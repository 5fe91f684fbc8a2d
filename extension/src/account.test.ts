import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { beginSignIn, createClient, createMemoryTokenStorage, type Send } from '../../client/src/index.ts'
import { extensionAppId, extensionRedirectUris } from '../../src/accounts/apps.ts'
import { endSessions } from '../../src/accounts/session-management.ts'
import { openFileServer } from '../../test/support/open-test-server.ts'
import { signInBrowser } from '../../test/support/test-browser.ts'
import { type Account, createAccount } from './account.ts'
import { openItemIndex } from './item-index.ts'
import { type Capture, type LocalStorageArea, readState } from './platform.ts'

const server = await openFileServer({ settings: { extension: true } })

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory()
})

const page: Capture = { title: 'A page', url: 'https://a.example/', tags: 'news', note: '' }

/** The storage of a browser, which keeps copies of plain JSON. */
const createStorage = (): LocalStorageArea => {
  const values = new Map<string, string>()
  return {
    get: async (keys) =>
      Object.fromEntries(keys.flatMap((key) => (values.has(key) ? [[key, JSON.parse(values.get(key) ?? '')]] : []))),
    set: async (given) => {
      for (const [key, value] of Object.entries(given)) values.set(key, JSON.stringify(value))
    },
    remove: async (keys) => {
      for (const key of keys) values.delete(key)
    },
  }
}

/** A network that a test switches off. */
const createNetwork = () => {
  const network = { isOnline: true }
  const send: Send = async (request, init) => {
    if (!network.isOnline) throw new TypeError('Failed to fetch')
    return await fetch(request, init)
  }
  return { network, send }
}

/** Signs a user in, as the page of the extension does it. */
const signIn = async (account: Account, name: string): Promise<void> => {
  const { baseUrl } = server
  const tokens = createMemoryTokenStorage()
  const client = createClient({ baseUrl, clientId: extensionAppId, tokens })
  const begun = await beginSignIn({ baseUrl, clientId: extensionAppId, redirectUri: extensionRedirectUris[0] })
  const browser = await signInBrowser(server, name)
  const consent = await browser.open(begun.address.slice(baseUrl.length - 'v1/'.length - 1))
  const { location } = await browser.send(consent, '/authorize', { decision: 'allow' })
  await client.finishSignIn(begun, location)
  const [{ data }, pair] = await Promise.all([client.api.GET('/user/get'), tokens.read()])
  if (data === undefined || pair === undefined) throw new Error('the sign-in failed')
  const home = baseUrl.replace(/v1\/$/, '')
  await account.signedIn({ home, baseUrl, clientId: extensionAppId, account: name, since: data.date }, pair)
}

const openAccount = async () => {
  const storage = createStorage()
  const { network, send } = createNetwork()
  const open = () => {
    const account = createAccount({ storage, fetch: send })
    onTestFinished(account.close)
    return account
  }
  const account = open()
  const { id, name } = await server.addNewUser()
  await signIn(account, name)
  const device = await server.openDevice(name)
  const listItems = async () => {
    const { things } = await device.sync()
    const changed = (things?.changed ?? []) as readonly Record<string, string>[]
    return changed.map(({ title, url, tags, html }) => [title, url, tags, html])
  }
  return { account, storage, network, open, id, name, device, listItems }
}

const readIndex = async (url: string) => {
  const index = await openItemIndex()
  try {
    return { item: await index.findByUrl(url), tags: await index.listTags(), isStale: await index.isStale() }
  } finally {
    index.close()
  }
}

test('a page that is saved offline is found at once, survives the end of the script, and is sent later', async () => {
  const { account, network, open, listItems } = await openAccount()
  await account.sync()
  network.isOnline = false

  await account.save(page)
  const offline = await account.sync()
  const known = await readIndex('https://a.example/#')
  await account.close()
  network.isOnline = true
  const later = open()
  const status = await later.sync()

  expect(offline).toMatchObject({ pending: 1, problem: { code: 'network' } })
  expect(known).toMatchObject({ item: { title: 'A page', tags: 'news' }, tags: ['news'], isStale: false })
  expect(status).toEqual({ pending: 0, syncedAt: expect.any(Number) })
  expect(await listItems()).toEqual([['A page', 'https://a.example/', 'news', undefined]])
})

test('a page that is saved twice stays one item with the tags and notes of both', async () => {
  const { account, listItems } = await openAccount()

  await account.save({ ...page, note: 'one' })
  await account.save({ ...page, title: 'Other title', tags: 'home', quote: 'two' })
  await account.sync()

  const note = '<p>one</p><blockquote><p>two</p></blockquote>'
  expect(await listItems()).toEqual([['A page', 'https://a.example/', 'news home', note]])
})

test('a page counts as saved with other parameters of campaigns, and its stored URL stays', async () => {
  const { account, listItems } = await openAccount()
  const other = 'http://www.a.example/?utm_source=mail#part'
  await account.save(page)

  const { item } = await readIndex(other)
  await account.save({ ...page, url: other, tags: 'mail' })
  await account.sync()

  expect(item).toMatchObject({ title: 'A page', url: page.url })
  expect(await listItems()).toEqual([['A page', page.url, 'news mail', undefined]])
})

test('an edit in the popup replaces title and tags, also when the item got its ID meanwhile', async () => {
  const { account, listItems } = await openAccount()
  await account.save(page)
  const { item } = await readIndex(page.url)
  await account.sync()

  await account.save({ ...page, title: 'Better', tags: '' }, item?.id)
  await account.sync()

  expect(await listItems()).toEqual([['Better', 'https://a.example/', '', undefined]])
  expect((await readIndex(page.url)).tags).toEqual([])
})

test('items of other devices are in the index, and those that they delete leave it', async () => {
  const { account, device } = await openAccount()
  const { things } = await device.sync({
    new_thing: [
      { local_id: 'a', title: 'Theirs', url: 'https://b.example/', tags: 'x y' },
      { local_id: 'b', title: 'Note', tags: 'y' },
    ],
  })

  await account.sync()
  const before = await readIndex('https://b.example')
  await device.sync({ deleted_thing: [things?.new?.a] })
  await account.sync()
  const after = await readIndex('https://b.example')

  expect([before.item?.title, before.tags]).toEqual(['Theirs', ['y', 'x']])
  expect([after.item, after.tags]).toEqual([undefined, ['y']])
})

test('an index that missed a write of the replica is built again', async () => {
  const { account, open } = await openAccount()
  await account.save(page)
  await account.close()
  const index = await openItemIndex()
  await index.clear()
  await index.setStale(true)
  index.close()

  const later = open()
  await later.sync()

  expect(await readIndex(page.url)).toMatchObject({ item: { title: 'A page' }, tags: ['news'], isStale: false })
})

test('of two items of a page, the one that is not archived is found', async () => {
  const { account, device } = await openAccount()
  await device.sync({
    new_thing: [
      { local_id: 'a', title: 'Old', url: page.url, date: 5, archived: true },
      { local_id: 'b', title: 'Current', url: page.url, date: 4 },
    ],
  })

  await account.sync()

  expect((await readIndex(page.url)).item?.title).toBe('Current')
})

test('after the end of the session, what is saved waits for the next sign-in of the same user', async () => {
  const { account, id, name } = await openAccount()
  await endSessions(server.store, id, () => true)

  await account.save(page)
  const ended = await account.sync()
  await signIn(account, name)
  const status = await account.sync()

  expect(ended).toEqual({ pending: 1, isSignedOut: true })
  expect(status).toMatchObject({ pending: 0 })
  const device = await server.openDevice(name)
  expect((await device.sync()).things?.changed).toHaveLength(1)
})

test('another user cannot sign in while changes wait, and can when there are none', async () => {
  const { account, network, name, storage } = await openAccount()
  const other = await server.addNewUser()
  network.isOnline = false
  await account.save(page)

  const rejected = await signIn(account, other.name).catch((error: unknown) => error)
  network.isOnline = true
  await account.sync()
  await signIn(account, other.name)
  await account.sync()

  expect(rejected).toMatchObject({ problem: { code: 'other_account', reason: name } })
  expect((await readState(storage)).session?.account).toBe(other.name)
  expect((await readIndex(page.url)).item).toBeUndefined()
})

test('a sign-out ends the session and leaves nothing in the browser', async () => {
  const { account, storage } = await openAccount()
  await account.save(page)
  await account.sync()
  const { tokens } = (await storage.get(['tokens'])) as { tokens: { accessToken: string } }

  await account.signOut()
  const { status } = await server.get('/user/get', { token: tokens.accessToken })
  const saved = await account.save(page).catch((error: unknown) => error)

  expect(status).toBe(401)
  expect(await storage.get(['session', 'tokens', 'status'])).toEqual({})
  expect(await readIndex(page.url)).toEqual({ item: undefined, tags: [], isStale: false })
  expect((await indexedDB.databases()).map(({ name }) => name)).toEqual(['thingsync index'])
  expect(saved).toMatchObject({ problem: { code: 'not_signed_in' } })
  expect(await account.readStatus()).toBeUndefined()
})

test('a change that the server does not accept is kept and reported', async () => {
  const { account } = await openAccount()

  await account.save({ ...page, title: 'x'.repeat(65_537) })
  const status = await account.sync()

  expect(status).toMatchObject({
    pending: 1,
    problem: { code: 'edit_rejected', reason: expect.stringMatching(/^“x{79}…”: .*title/u) },
  })
})

test('a sign-out does not wait for a sync that hangs', async () => {
  const { name } = await server.addNewUser()
  const storage = createStorage()
  const send: Send = (_request, init) =>
    new Promise((_, reject) => {
      const abort = () => reject(init?.signal?.reason)
      if (init?.signal?.aborted) abort()
      else init?.signal?.addEventListener('abort', abort)
    })
  const account = createAccount({
    storage,
    fetch: (request, init) => (request.url.includes('/sync') ? send(request, init) : fetch(request, init)),
  })
  await signIn(account, name)
  const syncing = account.sync()

  await account.signOut()

  expect(await syncing).toMatchObject({ pending: 0 })
  expect(await storage.get(['session'])).toEqual({})
})

test('a problem outside of a sync is in the status until the next sync, and nowhere before a sign-in', async () => {
  const { account, storage } = await openAccount()
  const problem = { code: 'store_full', reason: 'no space' }

  const without = await createAccount({ storage: createStorage() }).reportProblem(problem)
  await account.reportProblem(problem)
  const reported = await readState(storage)
  await account.sync()

  expect([without, reported.status?.problem]).toEqual([undefined, problem])
  expect((await account.readStatus())?.problem).toBeUndefined()
})
