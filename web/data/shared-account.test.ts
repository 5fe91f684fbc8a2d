import 'fake-indexeddb/auto'
import { expect, onTestFinished, test } from 'vitest'
import { createClient, createMemoryLocalStore, createMemoryTokenStorage } from '../../client/src/index.ts'
import { openIndexedDbStore } from '../../client/src/indexeddb.ts'
import { createSharedTexts } from '../../test/support/web/shared-texts.ts'
import { openDrafts } from './drafts.ts'
import { type AccountHandle, openAccount } from './open-account.ts'
import { openSharedAccount, type SharedAccount } from './shared-account.ts'
import { createActionLog, createUndoList } from './undo.ts'

const noop = async () => undefined
const openEmptyDrafts = (window: number) =>
  openDrafts({ storage: undefined, store: createMemoryLocalStore(), account: 'anna', window, now: Date.now })

/** The windows of an account whose server cannot be reached. */
const openWindows = (name: string) => {
  const actionStore = createMemoryLocalStore()
  let windows = 0
  const openHandle = async (): Promise<AccountHandle> =>
    await openAccount({
      client: createClient({ baseUrl: 'http://127.0.0.1:9/v1/', clientId: 'web', tokens: createMemoryTokenStorage() }),
      store: await openIndexedDbStore(name),
      account: 'anna',
      actionLog: createActionLog(actionStore, Date.now),
      drafts: await openEmptyDrafts(0),
      sharedTexts: createSharedTexts(),
      signIn: noop,
      signOut: noop,
    })
  const openWindow = async (): Promise<SharedAccount> => {
    const window = windows++
    const drafts = await openEmptyDrafts(window)
    const texts = { drafts, sharedTexts: createSharedTexts() }
    const shared = openSharedAccount({ channel: name, store: name, window, account: 'anna', ...texts, signIn: noop })
    onTestFinished(shared.close)
    return shared
  }
  return { openHandle, openWindow }
}

const listTitles = async ({ app }: SharedAccount): Promise<readonly string[]> => {
  const titles = []
  for await (const { title } of app.replica.listThings()) titles.push(title)
  return titles.sort()
}

/** Resolves when the window announces a change of this item. */
const untilChanged = ({ app }: SharedAccount, isIt: (ids: ReadonlySet<string>) => boolean): Promise<void> =>
  new Promise((resolve) => {
    const unwatch = app.replica.watch(({ ids }) => {
      if (!isIt(ids)) return
      unwatch()
      resolve()
    })
  })

test('an edit of a follower is stored by the leader, and both windows announce it', async () => {
  const { openHandle, openWindow } = openWindows('two windows')
  const [first, second] = [await openWindow(), await openWindow()]
  const handle = await openHandle()
  first.lead(handle)
  second.follow()
  await second.ready
  const announced = Promise.all([untilChanged(first, () => true), untilChanged(second, () => true)])

  const id = await second.app.replica.create({ title: 'by the follower' })
  await announced
  const byLeader = await first.app.replica.findThing(id)
  await first.app.replica.create({ title: 'by the leader' })
  const titles = await listTitles(second)
  await handle.close()

  expect(byLeader?.title).toBe('by the follower')
  expect(titles).toEqual(['by the follower', 'by the leader'])
  expect(second.app.state.read()).toMatchObject({ rejected: [], overwritten: [] })
})

test('an error of the replica reaches the follower with its code', async () => {
  const { openHandle, openWindow } = openWindows('errors')
  const [first, second] = [await openWindow(), await openWindow()]
  const handle = await openHandle()
  first.lead(handle)
  second.follow()

  const error = await second.app.replica.change('nothing', { title: 'x' }).catch((reason: unknown) => reason)
  await handle.close()

  expect(error).toMatchObject({ name: 'ClientError', code: 'unknown_thing' })
})

test('a leader that dies after a write, before its response: the edit is there once, and nothing is missed', async () => {
  const { openHandle, openWindow } = openWindows('killed')
  const [first, second] = [await openWindow(), await openWindow()]
  const handle = await openHandle()
  const { replica } = handle.app
  const written = new Promise<void>((resolve) => {
    const editAll: typeof replica.editAll = async (edits) => {
      const ids = await replica.editAll(edits)
      await first.close()
      resolve()
      return ids
    }
    first.lead({ ...handle, app: { ...handle.app, replica: { ...replica, editAll } } })
  })
  second.follow()
  await second.ready

  const creating = second.app.replica.create({ title: 'once' })
  await written
  await handle.close()
  const next = await openHandle()
  second.lead(next)
  const id = await creating
  const titles = await listTitles(second)
  const found = await second.app.replica.findThing(id)
  await next.close()

  expect(titles).toEqual(['once'])
  expect(found?.title).toBe('once')
  expect(second.app.missed.read()).toBe(1)
})

test('a leader that hands over: later calls of all windows go to the next leader, and nothing is read again', async () => {
  const { openHandle, openWindow } = openWindows('handed over')
  const [first, second, third] = [await openWindow(), await openWindow(), await openWindow()]
  const handle = await openHandle()
  first.lead(handle)
  second.follow()
  third.follow()
  await Promise.all([second.ready, third.ready])

  await first.pause()
  const waiting = [first, third].map(({ app }, index) => app.replica.create({ title: `waiting ${index}` }))
  await handle.close()
  first.announceEnd()
  const next = await openHandle()
  second.lead(next)
  await Promise.all(waiting)
  const titles = await listTitles(third)
  await next.close()

  expect(titles).toEqual(['waiting 0', 'waiting 1'])
  expect([first, second, third].map(({ app }) => app.missed.read())).toEqual([0, 0, 0])
})

test('calls that wait for a leader fail when the account is closed in this window', async () => {
  const { openWindow } = openWindows('closed')
  const window = await openWindow()

  const waiting = window.app.replica.create({ title: 'nowhere' }).catch((error: unknown) => error)
  await window.close()
  const later = await window.app.replica.create({ title: 'nowhere' }).catch((error: unknown) => error)

  expect([await waiting, later]).toMatchObject([{ code: 'store_gone' }, { code: 'store_gone' }])
})

test('each window lists the actions of all windows, under different keys, and can undo them', async () => {
  const { openHandle, openWindow } = openWindows('actions')
  const [first, second] = [await openWindow(), await openWindow()]
  const handle = await openHandle()
  first.lead(handle)
  second.follow()
  const fail = (error: unknown) => expect.unreachable(String(error))
  const undoLists = [first, second].map(({ app }) => createUndoList(app.replica, Date.now, app.actionLog, fail))
  const add = (index: number, title: string) =>
    undoLists[index]?.perform({ kind: 'added', name: title }, [{ kind: 'create', fields: { title } }])

  await Promise.all([add(0, 'one'), add(1, 'two')])
  for (const list of undoLists) await expect.poll(() => list.actions.read().length).toBe(2)
  const keys = undoLists.map((list) => list.actions.read().map(({ name, key }) => [name, key]))
  for (const { key, name } of undoLists[0]?.actions.read() ?? []) if (name === 'two') await undoLists[0]?.undo(key)
  await expect.poll(() => undoLists[1]?.actions.read().map(({ isUndone }) => isUndone)).toContain(true)
  const titles = await listTitles(first)
  await handle.close()

  expect(new Set(keys[0]?.map(([, key]) => key)).size).toBe(2)
  expect(new Map(keys[0] as [string, number][])).toEqual(new Map(keys[1] as [string, number][]))
  expect(titles).toEqual(['one'])
})
