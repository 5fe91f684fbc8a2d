import { expect, test } from 'vitest'
import { ClientError, createMemoryLocalStore, type Replica, type ReplicaEdit } from '../../client/src/index.ts'
import { openOfflineReplica } from '../../test/support/web/open-replica.ts'
import { actionDays, createActionLog, createUndoList, editsPerWrite, maxUndoActions } from './undo.ts'

const openLog = () => createActionLog(createMemoryLocalStore(), () => 5)
const fail = (error: unknown) => {
  throw error
}

const listShown = async (replica: Replica) => {
  const shown = []
  for await (const { id, isPending, ...thing } of replica.listThings()) shown.push(thing)
  return shown
}

test('a change is undone field by field, and redone', async () => {
  const replica = await openOfflineReplica()
  const undo = createUndoList(replica, () => 5, openLog(), fail)
  const id = await replica.create({ title: 'Milk', tags: 'home', date: 1 })

  await undo.perform({ kind: 'edited', name: 'Milk' }, [
    { kind: 'change', id, fields: { url: 'https://example.com/', archived: true } },
  ])
  await replica.change(id, { title: 'Oat milk' })
  const [action] = undo.actions.read()
  await undo.undo(action?.key ?? 0)

  expect(action).toEqual({
    key: 1,
    kind: 'edited',
    name: 'Milk',
    count: 1,
    id: expect.any(String),
    at: 5,
    isUndone: false,
  })
  expect(await listShown(replica)).toEqual([{ title: 'Oat milk', tags: 'home', date: 1, archived: false }])
  await undo.undo(1)
  expect(await listShown(replica)).toEqual([
    { title: 'Oat milk', tags: 'home', date: 1, archived: true, url: 'https://example.com/' },
  ])
})

test('undo restores a deleted item with all fields, and earlier actions still find it', async () => {
  const replica = await openOfflineReplica()
  const undo = createUndoList(replica, () => 5, openLog(), fail)
  await replica.setTag('todo', { todo: true })
  const [id = ''] = await undo.perform({ kind: 'added', name: 'a' }, [
    { kind: 'create', fields: { title: 'a', tags: 'todo', date: 1, html: '<b>x</b>', todoStatus: true } },
  ])
  await undo.perform({ kind: 'edited', name: 'a' }, [{ kind: 'change', id, fields: { title: 'b' } }])
  await undo.perform({ kind: 'deleted', name: 'b' }, [{ kind: 'remove', id }])

  await undo.undo(3)
  await undo.undo(2)

  const thing = { title: 'a', tags: 'todo', date: 1, html: '<b>x</b>', archived: false, todoStatus: true }
  expect(await listShown(replica)).toEqual([thing])
  await undo.undo(1)
  expect(await listShown(replica)).toEqual([])
})

test('an action on a client-assigned ID can be undone after the item was deleted and created again', async () => {
  const replica = await openOfflineReplica()
  const id = await replica.create({ title: 'Milk', tags: 'home', date: 1 })
  const resolve = (requested: string) => (requested === 'local' ? id : requested)
  const edited = {
    ...replica,
    resolveId: async (requested: string) => resolve(requested),
    findThings: async (requested: Iterable<string>) => {
      const found = await replica.findThings([...requested].map(resolve))
      return new Map([...requested].flatMap((one) => (found.has(resolve(one)) ? [[one, found.get(resolve(one))]] : [])))
    },
    editAll: (edits: readonly ReplicaEdit[]) =>
      replica.editAll(edits.map((edit) => ('id' in edit ? { ...edit, id: resolve(edit.id) } : edit))),
  } as Replica
  const undo = createUndoList(edited, () => 5, openLog(), fail)

  await undo.perform({ kind: 'tagged', name: 'Milk' }, [{ kind: 'change', id: 'local', fields: { tags: 'home shop' } }])
  await undo.perform({ kind: 'deleted', name: 'Milk' }, [{ kind: 'remove', id }])
  await undo.undo(2)
  await undo.undo(1)

  expect((await listShown(replica)).map(({ tags }) => tags)).toEqual(['home'])
})

test('a change of tag settings is undone', async () => {
  const replica = await openOfflineReplica()
  const undo = createUndoList(replica, () => 5, openLog(), fail)
  await replica.setTag('home', { color: '#f00' })

  await undo.perform({ kind: 'setTag', name: 'home' }, [
    { kind: 'tag', name: 'home', change: { color: false, favorite: true } },
  ])
  await undo.undo(1)

  expect(await replica.listTags()).toEqual(new Map([['home', { favorite: false, color: '#f00', todo: false }]]))
})

test('the writes before a failed write can be undone', async () => {
  const replica = await openOfflineReplica()
  const ids = await replica.editAll(
    Array.from({ length: editsPerWrite + 1 }, () => ({ kind: 'create', fields: { title: 'a', date: 1 } }) as const),
  )
  const isLast = (edit: ReplicaEdit) => 'id' in edit && edit.id === ids.at(-1)
  const editAll: Replica['editAll'] = (edits) =>
    edits.some(isLast) ? Promise.reject(new Error('the disk is full')) : replica.editAll(edits)
  const undo = createUndoList({ ...replica, editAll }, () => 5, openLog(), fail)

  const steps = ids.map((id) => ({ kind: 'change', id, fields: { archived: true } }) as const)
  await expect(undo.perform({ kind: 'archived', name: '' }, steps)).rejects.toThrow('the disk is full')

  expect(undo.actions.read()).toMatchObject([{ kind: 'archived', count: editsPerWrite }])
  expect((await listShown(replica)).filter(({ archived }) => archived)).toHaveLength(editsPerWrite)
  await undo.undo(1)
  expect((await listShown(replica)).filter(({ archived }) => archived)).toEqual([])
})

test('a long action lets others in between, can be stopped, and is undone as one action', async () => {
  const replica = await openOfflineReplica()
  const undo = createUndoList(replica, () => 5, openLog(), fail)
  const steps = Array.from(
    { length: 3 * editsPerWrite },
    (_, index) => ({ kind: 'create', fields: { title: `imported ${index}` } }) as const,
  )
  const stop = new AbortController()
  const reported: number[] = []
  const onProgress = (done: number) => {
    reported.push(done)
    if (reported.length === 2) stop.abort()
  }
  let key = 0
  const onSaved = (saved: number) => {
    key = saved
  }

  const options = { signal: stop.signal, onProgress, onSaved }
  const importing = undo.performLong({ kind: 'imported', name: 'a' }, steps, options)
  await undo.perform({ kind: 'added', name: 'b' }, [{ kind: 'create', fields: { title: 'b' } }])
  const listedBefore = undo.actions.read().map(({ kind }) => kind)
  await importing

  expect(reported).toEqual([editsPerWrite, 2 * editsPerWrite])
  expect(listedBefore).toEqual(['added'])
  expect(undo.actions.read()).toMatchObject([{ key, kind: 'imported', count: 2 * editsPerWrite }, { kind: 'added' }])
  await undo.undo(key)
  expect((await listShown(replica)).map(({ title }) => title)).toEqual(['b'])
})

test('an action without effect is not listed, and only the last fifty actions are kept', async () => {
  const replica = await openOfflineReplica()
  const undo = createUndoList(replica, () => 5, openLog(), fail)

  await undo.perform({ kind: 'deleted', name: 'x' }, [{ kind: 'remove', id: 'nothing' }])
  for (let index = 0; index <= maxUndoActions; index++) {
    await undo.perform({ kind: 'added', name: `${index}` }, [{ kind: 'create', fields: { title: 'a' } }])
  }

  expect(undo.actions.read()).toHaveLength(maxUndoActions)
  expect(undo.actions.read().at(-1)?.name).toBe('1')
})

test('later visits undo and redo actions, also on items that were deleted and created again', async () => {
  const replica = await openOfflineReplica()
  const log = openLog()
  const visit = async () => {
    const undo = createUndoList(replica, () => 5, log, fail)
    // The first call waits until the stored actions are loaded.
    await undo.undo(0)
    return undo
  }
  const first = await visit()
  const [id = ''] = await first.perform({ kind: 'added', name: 'a' }, [
    { kind: 'create', fields: { title: 'a', date: 1, html: '<b>x</b>' } },
  ])
  await first.perform({ kind: 'edited', name: 'a' }, [{ kind: 'change', id, fields: { title: 'b' } }])
  await first.perform({ kind: 'deleted', name: 'b' }, [{ kind: 'remove', id }])
  const done = first.actions.read()

  const second = await visit()
  const known = [second.actions.read(), second.latest.read()]
  await second.undo(3)
  const third = await visit()
  await third.undo(2)
  const shown = await listShown(replica)
  await third.perform({ kind: 'added', name: 'c' }, [{ kind: 'create', fields: { title: 'c', date: 2 } }])
  const fourth = await visit()
  await fourth.undo(2)
  await fourth.undo(3)

  expect(known).toEqual([done, undefined])
  expect(shown).toEqual([{ title: 'a', tags: '', date: 1, html: '<b>x</b>', archived: false }])
  expect(fourth.actions.read().map(({ key, isUndone }) => [key, isUndone])).toEqual([
    [4, false],
    [3, false],
    [2, false],
    [1, false],
  ])
  expect((await listShown(replica)).map(({ title }) => title)).toEqual(['c'])
})

test('the log keeps fifty actions of the last ninety days with their inverse, and no others', async () => {
  const replica = await openOfflineReplica()
  const store = createMemoryLocalStore()
  const logAt = (day: number) => createActionLog(store, () => day * 86_400_000)
  const undoAt = (day: number) => createUndoList(replica, () => day * 86_400_000, logAt(day), fail)
  const early = undoAt(0)
  for (const name of ['old', 'older']) {
    await early.perform({ kind: 'added', name }, [{ kind: 'create', fields: { title: name } }])
  }
  const later = undoAt(1)
  for (let index = 0; index < maxUndoActions - 1; index++) {
    await later.perform({ kind: 'added', name: `${index}` }, [{ kind: 'create', fields: { title: 'a' } }])
  }

  const kept = await logAt(1).read()
  const afterwards = await logAt(actionDays + 0.5).read()
  const left: string[] = []
  for await (const [key] of store.list('')) left.push(key)

  expect(kept.map(({ action }) => action.name).slice(-2)).toEqual(['0', 'older'])
  expect(kept).toHaveLength(maxUndoActions)
  expect(afterwards).toHaveLength(maxUndoActions - 1)
  expect(left).toHaveLength(2 * (maxUndoActions - 1))
})

test('with full storage an action can be undone until the page is closed', async () => {
  const replica = await openOfflineReplica()
  const store = createMemoryLocalStore()
  const write = () => Promise.reject(new ClientError('store_full', 'the disk is full'))
  const undo = createUndoList(
    replica,
    () => 5,
    createActionLog({ ...store, write }, () => 5),
    fail,
  )

  await undo.perform({ kind: 'added', name: 'a' }, [{ kind: 'create', fields: { title: 'a' } }])
  await undo.undo(1)

  expect(await listShown(replica)).toEqual([])
})

test('the next visit can undo a long action that was interrupted by closing the page', async () => {
  const replica = await openOfflineReplica()
  await replica.create({ title: 'mine', date: 1 })
  const store = createMemoryLocalStore()
  const log = createActionLog(store, () => 5)
  const steps = Array.from(
    { length: 4 * editsPerWrite },
    (_, index) => ({ kind: 'create', fields: { title: `imported ${index}`, date: 2 } }) as const,
  )
  let close = () => {}
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })
  let writes = 0
  const editAll: Replica['editAll'] = async (edits) => {
    const ids = await replica.editAll(edits)
    // Nothing after the third write is executed.
    if (++writes === 3) {
      close()
      await new Promise(() => {})
    }
    return ids
  }
  const options = { signal: new AbortController().signal, onProgress: () => {}, onSaved: () => {} }

  void createUndoList({ ...replica, editAll }, () => 5, log, fail).performLong(
    { kind: 'imported', name: 'a.csv' },
    steps,
    options,
  )
  await closed
  const next = createUndoList(replica, () => 5, log, fail)
  await next.undo(0)
  const found = next.actions.read()
  const before = await listShown(replica)
  await next.undo(1)
  const after = await listShown(replica)
  const third = createUndoList(replica, () => 5, log, fail)
  await third.undo(1)

  expect(found).toEqual([{ key: 1, kind: 'imported', name: 'a.csv', count: 3 * editsPerWrite, at: 5, isUndone: false }])
  expect([before.length, after.map(({ title }) => title)]).toEqual([3 * editsPerWrite + 1, ['mine']])
  expect(await listShown(replica)).toHaveLength(3 * editsPerWrite + 1)
  const left: string[] = []
  for await (const [key] of store.list('')) left.push(key)
  expect(left).toEqual(['action/000000000001', 'inverse/000000000001'])
})

test('a long action that was interrupted before its first write leaves nothing harmful', async () => {
  const replica = await openOfflineReplica()
  const log = openLog()
  let close = () => {}
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })
  const editAll: Replica['editAll'] = () => {
    close()
    return new Promise(() => {})
  }
  const options = { signal: new AbortController().signal, onProgress: () => {}, onSaved: () => {} }

  const steps = [{ kind: 'create', fields: { title: 'a' } } as const]
  void createUndoList({ ...replica, editAll }, () => 5, log, fail).performLong(
    { kind: 'imported', name: 'a' },
    steps,
    options,
  )
  await closed
  const next = createUndoList(replica, () => 5, log, fail)
  await next.undo(1)
  await next.perform({ kind: 'added', name: 'b' }, [{ kind: 'create', fields: { title: 'b' } }])

  expect(next.actions.read().map(({ key, kind }) => [key, kind])).toEqual([
    [2, 'added'],
    [1, 'imported'],
  ])
  expect((await listShown(replica)).map(({ title }) => title)).toEqual(['b'])
})
