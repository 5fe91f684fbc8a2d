import { expect, test } from 'vitest'
import type { Replica, ReplicaEdit } from '../../src/client/index.ts'
import { openOfflineReplica } from './open-replica-trial.ts'
import { createUndoList, keptDeeds, stepsPerWrite } from './undo.ts'

const listShown = async (replica: Replica) => {
  const shown = []
  for await (const { id, isPending, ...thing } of replica.listThings()) shown.push(thing)
  return shown
}

test('a change is taken back field by field, and done again', async () => {
  const replica = await openOfflineReplica()
  const undo = createUndoList(replica, () => 5)
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
  const undo = createUndoList(replica, () => 5)
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

test('settings of a tag are taken back', async () => {
  const replica = await openOfflineReplica()
  const undo = createUndoList(replica, () => 5)
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
    Array.from({ length: stepsPerWrite + 1 }, () => ({ kind: 'create', fields: { title: 'a', date: 1 } }) as const),
  )
  const isLast = (edit: ReplicaEdit) => 'id' in edit && edit.id === ids.at(-1)
  const editAll: Replica['editAll'] = (edits) =>
    edits.some(isLast) ? Promise.reject(new Error('the disk is full')) : replica.editAll(edits)
  const undo = createUndoList({ ...replica, editAll }, () => 5)

  const steps = ids.map((id) => ({ kind: 'change', id, fields: { archived: true } }) as const)
  await expect(undo.perform({ kind: 'archived', name: '' }, steps)).rejects.toThrow('the disk is full')

  expect(undo.deeds.read()).toMatchObject([{ kind: 'archived', count: stepsPerWrite }])
  expect((await listShown(replica)).filter(({ archived }) => archived)).toHaveLength(stepsPerWrite)
  await undo.undo(1)
  expect((await listShown(replica)).filter(({ archived }) => archived)).toEqual([])
})

test('a long deed lets others in between, stops when it is told to, and what it did is taken back as one', async () => {
  const replica = await openOfflineReplica()
  const undo = createUndoList(replica, () => 5)
  const steps = Array.from(
    { length: 3 * stepsPerWrite },
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

  expect(told).toEqual([stepsPerWrite, 2 * stepsPerWrite])
  expect(listedBefore).toEqual(['added'])
  expect(undo.deeds.read()).toMatchObject([{ key, kind: 'imported', count: 2 * stepsPerWrite }, { kind: 'added' }])
  await undo.undo(key)
  expect((await listShown(replica)).map(({ title }) => title)).toEqual(['b'])
})

test('a deed about things that are gone is none, and only the last fifty are kept', async () => {
  const replica = await openOfflineReplica()
  const undo = createUndoList(replica, () => 5)

  await undo.perform({ kind: 'deleted', name: 'x' }, [{ kind: 'remove', id: 'nothing' }])
  for (let index = 0; index <= keptDeeds; index++) {
    await undo.perform({ kind: 'added', name: `${index}` }, [{ kind: 'create', fields: { title: 'a' } }])
  }

  expect(undo.deeds.read()).toHaveLength(keptDeeds)
  expect(undo.deeds.read().at(-1)?.name).toBe('1')
})
