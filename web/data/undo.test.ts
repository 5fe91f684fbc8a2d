import { expect, test } from 'vitest'
import { ClientError, createMemoryLocalStore, type Replica, type ReplicaEdit } from '../../client/src/index.ts'
import { openOfflineReplica } from '../../test/support/web/open-replica.ts'
import { actionDays, createActionLog, createUndoList, editsPerWrite, maxUndoActions } from './undo.ts'

const openKeeper = () => createActionLog(createMemoryLocalStore(), () => 5)
const fail = (fault: unknown) => {
  throw fault
}

const listShown = async (replica: Replica) => {
  const shown = []
  for await (const { id, isPending, ...thing } of replica.listThings()) shown.push(thing)
  return shown
}

test('a change is taken back field by field, and done again', async () => {
  const replica = await openOfflineReplica()
  const undo = createUndoList(replica, () => 5, openKeeper(), fail)
  const id = await replica.create({ title: 'Milk', tags: 'home', date: 1 })

  await undo.perform({ kind: 'edited', name: 'Milk' }, [
    { kind: 'change', id, fields: { url: 'https://example.com/', archived: true } },
  ])
  await replica.change(id, { title: 'Oat milk' })
  const [deed] = undo.deeds.read()
  await undo.undo(deed?.key ?? 0)

  expect(deed).toEqual({ key: 1, kind: 'edited', name: 'Milk', count: 1, at: 5, isUndone: false })
  expect(await listShown(replica)).toEqual([{ title: 'Oat milk', tags: 'home', date: 1, archived: false }])
  await undo.undo(1)
  expect(await listShown(replica)).toEqual([
    { title: 'Oat milk', tags: 'home', date: 1, archived: true, url: 'https://example.com/' },
  ])
})

test('what was deleted comes back whole, and earlier deeds still find it', async () => {
  const replica = await openOfflineReplica()
  const undo = createUndoList(replica, () => 5, openKeeper(), fail)
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

test('what was done to a thing before the server gave it an id is taken back also after it was deleted and made again', async () => {
  const replica = await openOfflineReplica()
  const id = await replica.create({ title: 'Milk', tags: 'home', date: 1 })
  const resolve = (asked: string) => (asked === 'local' ? id : asked)
  const edited = {
    ...replica,
    resolveId: async (asked: string) => resolve(asked),
    findThings: async (asked: Iterable<string>) => {
      const found = await replica.findThings([...asked].map(resolve))
      return new Map([...asked].flatMap((one) => (found.has(resolve(one)) ? [[one, found.get(resolve(one))]] : [])))
    },
    editAll: (edits: readonly ReplicaEdit[]) =>
      replica.editAll(edits.map((edit) => ('id' in edit ? { ...edit, id: resolve(edit.id) } : edit))),
  } as Replica
  const undo = createUndoList(edited, () => 5, openKeeper(), fail)

  await undo.perform({ kind: 'tagged', name: 'Milk' }, [{ kind: 'change', id: 'local', fields: { tags: 'home shop' } }])
  await undo.perform({ kind: 'deleted', name: 'Milk' }, [{ kind: 'remove', id }])
  await undo.undo(2)
  await undo.undo(1)

  expect((await listShown(replica)).map(({ tags }) => tags)).toEqual(['home'])
})

test('settings of a tag are taken back', async () => {
  const replica = await openOfflineReplica()
  const undo = createUndoList(replica, () => 5, openKeeper(), fail)
  await replica.setTag('home', { color: '#f00' })

  await undo.perform({ kind: 'setTag', name: 'home' }, [
    { kind: 'tag', name: 'home', change: { color: false, favorite: true } },
  ])
  await undo.undo(1)

  expect(await replica.listTags()).toEqual(new Map([['home', { favorite: false, color: '#f00', todo: false }]]))
})

test('what was done before a write failed can be taken back', async () => {
  const replica = await openOfflineReplica()
  const ids = await replica.editAll(
    Array.from({ length: editsPerWrite + 1 }, () => ({ kind: 'create', fields: { title: 'a', date: 1 } }) as const),
  )
  const isLast = (edit: ReplicaEdit) => 'id' in edit && edit.id === ids.at(-1)
  const editAll: Replica['editAll'] = (edits) =>
    edits.some(isLast) ? Promise.reject(new Error('the disk is full')) : replica.editAll(edits)
  const undo = createUndoList({ ...replica, editAll }, () => 5, openKeeper(), fail)

  const steps = ids.map((id) => ({ kind: 'change', id, fields: { archived: true } }) as const)
  await expect(undo.perform({ kind: 'archived', name: '' }, steps)).rejects.toThrow('the disk is full')

  expect(undo.deeds.read()).toMatchObject([{ kind: 'archived', count: editsPerWrite }])
  expect((await listShown(replica)).filter(({ archived }) => archived)).toHaveLength(editsPerWrite)
  await undo.undo(1)
  expect((await listShown(replica)).filter(({ archived }) => archived)).toEqual([])
})

test('a long deed lets others in between, stops when it is told to, and what it did is taken back as one', async () => {
  const replica = await openOfflineReplica()
  const undo = createUndoList(replica, () => 5, openKeeper(), fail)
  const steps = Array.from(
    { length: 3 * editsPerWrite },
    (_, index) => ({ kind: 'create', fields: { title: `imported ${index}` } }) as const,
  )
  const stop = new AbortController()
  const told: number[] = []
  const onProgress = (done: number) => {
    told.push(done)
    if (told.length === 2) stop.abort()
  }
  let key = 0
  const onKept = (kept: number) => {
    key = kept
  }

  const watched = { signal: stop.signal, onProgress, onKept }
  const importing = undo.performLong({ kind: 'imported', name: 'a' }, steps, watched)
  await undo.perform({ kind: 'added', name: 'b' }, [{ kind: 'create', fields: { title: 'b' } }])
  const listedBefore = undo.deeds.read().map(({ kind }) => kind)
  await importing

  expect(told).toEqual([editsPerWrite, 2 * editsPerWrite])
  expect(listedBefore).toEqual(['added'])
  expect(undo.deeds.read()).toMatchObject([{ key, kind: 'imported', count: 2 * editsPerWrite }, { kind: 'added' }])
  await undo.undo(key)
  expect((await listShown(replica)).map(({ title }) => title)).toEqual(['b'])
})

test('a deed about things that are gone is none, and only the last fifty are kept', async () => {
  const replica = await openOfflineReplica()
  const undo = createUndoList(replica, () => 5, openKeeper(), fail)

  await undo.perform({ kind: 'deleted', name: 'x' }, [{ kind: 'remove', id: 'nothing' }])
  for (let index = 0; index <= maxUndoActions; index++) {
    await undo.perform({ kind: 'added', name: `${index}` }, [{ kind: 'create', fields: { title: 'a' } }])
  }

  expect(undo.deeds.read()).toHaveLength(maxUndoActions)
  expect(undo.deeds.read().at(-1)?.name).toBe('1')
})

test('what was done is taken back and done again in later visits, also where things were deleted and made again', async () => {
  const replica = await openOfflineReplica()
  const keeper = openKeeper()
  const visit = async () => {
    const undo = createUndoList(replica, () => 5, keeper, fail)
    // Whatever is asked first waits until the list was read.
    await undo.undo(0)
    return undo
  }
  const first = await visit()
  const [id = ''] = await first.perform({ kind: 'added', name: 'a' }, [
    { kind: 'create', fields: { title: 'a', date: 1, html: '<b>x</b>' } },
  ])
  await first.perform({ kind: 'edited', name: 'a' }, [{ kind: 'change', id, fields: { title: 'b' } }])
  await first.perform({ kind: 'deleted', name: 'b' }, [{ kind: 'remove', id }])
  const done = first.deeds.read()

  const second = await visit()
  const known = [second.deeds.read(), second.news.read()]
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
  expect(fourth.deeds.read().map(({ key, isUndone }) => [key, isUndone])).toEqual([
    [4, false],
    [3, false],
    [2, false],
    [1, false],
  ])
  expect((await listShown(replica)).map(({ title }) => title)).toEqual(['c'])
})

test('fifty deeds of the last ninety days are kept, with what takes them back, and no others', async () => {
  const replica = await openOfflineReplica()
  const store = createMemoryLocalStore()
  const keeperAt = (day: number) => createActionLog(store, () => day * 86_400_000)
  const undoAt = (day: number) => createUndoList(replica, () => day * 86_400_000, keeperAt(day), fail)
  const early = undoAt(0)
  for (const name of ['old', 'older']) {
    await early.perform({ kind: 'added', name }, [{ kind: 'create', fields: { title: name } }])
  }
  const later = undoAt(1)
  for (let index = 0; index < maxUndoActions - 1; index++) {
    await later.perform({ kind: 'added', name: `${index}` }, [{ kind: 'create', fields: { title: 'a' } }])
  }

  const kept = await keeperAt(1).read()
  const afterwards = await keeperAt(actionDays + 0.5).read()
  const left: string[] = []
  for await (const [key] of store.list('')) left.push(key)

  expect(kept.map(({ deed }) => deed.name).slice(-2)).toEqual(['0', 'older'])
  expect(kept).toHaveLength(maxUndoActions)
  expect(afterwards).toHaveLength(maxUndoActions - 1)
  expect(left).toHaveLength(2 * (maxUndoActions - 1))
})

test('where the browser keeps nothing more a deed can be taken back until the page is closed', async () => {
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

test('a deed that is cut off when the page is closed can be taken back in the next visit, whole', async () => {
  const replica = await openOfflineReplica()
  await replica.create({ title: 'mine', date: 1 })
  const store = createMemoryLocalStore()
  const keeper = createActionLog(store, () => 5)
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
    // Whatever would come after the third write does not.
    if (++writes === 3) {
      close()
      await new Promise(() => {})
    }
    return ids
  }
  const watched = { signal: new AbortController().signal, onProgress: () => {}, onKept: () => {} }

  void createUndoList({ ...replica, editAll }, () => 5, keeper, fail).performLong(
    { kind: 'imported', name: 'a.csv' },
    steps,
    watched,
  )
  await closed
  const next = createUndoList(replica, () => 5, keeper, fail)
  await next.undo(0)
  const found = next.deeds.read()
  const before = await listShown(replica)
  await next.undo(1)
  const after = await listShown(replica)
  const third = createUndoList(replica, () => 5, keeper, fail)
  await third.undo(1)

  expect(found).toEqual([{ key: 1, kind: 'imported', name: 'a.csv', count: 3 * editsPerWrite, at: 5, isUndone: false }])
  expect([before.length, after.map(({ title }) => title)]).toEqual([3 * editsPerWrite + 1, ['mine']])
  expect(await listShown(replica)).toHaveLength(3 * editsPerWrite + 1)
  const left: string[] = []
  for await (const [key] of store.list('')) left.push(key)
  expect(left).toEqual(['deed/000000000001', 'inverse/000000000001'])
})

test('a deed that is cut off before its first write leaves nothing that harms', async () => {
  const replica = await openOfflineReplica()
  const keeper = openKeeper()
  let close = () => {}
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })
  const editAll: Replica['editAll'] = () => {
    close()
    return new Promise(() => {})
  }
  const watched = { signal: new AbortController().signal, onProgress: () => {}, onKept: () => {} }

  const steps = [{ kind: 'create', fields: { title: 'a' } } as const]
  void createUndoList({ ...replica, editAll }, () => 5, keeper, fail).performLong(
    { kind: 'imported', name: 'a' },
    steps,
    watched,
  )
  await closed
  const next = createUndoList(replica, () => 5, keeper, fail)
  await next.undo(1)
  await next.perform({ kind: 'added', name: 'b' }, [{ kind: 'create', fields: { title: 'b' } }])

  expect(next.deeds.read().map(({ key, kind }) => [key, kind])).toEqual([
    [2, 'added'],
    [1, 'imported'],
  ])
  expect((await listShown(replica)).map(({ title }) => title)).toEqual(['b'])
})
