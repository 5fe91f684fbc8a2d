import { expect, test } from 'vitest'
import type { ThingVersion } from '../../client/src/index.ts'
import { createSharedText } from '../../test/support/web/shared-texts.ts'
import { createObservable } from './observable.ts'
import { openConflicts } from './shared-texts.ts'

const version = (name: string, id = `item ${name}`): ThingVersion => ({
  id,
  name,
  replacedAt: 1,
  why: 'overwritten',
  fields: ['title'],
  content: { title: name },
})

const openFixture = () => {
  const seen = createSharedText()
  const state = createObservable<{ readonly overwritten: readonly ThingVersion[] }>({ overwritten: [] })
  const open = () => openConflicts(state, seen)
  const names = (conflicts: ReturnType<typeof open>) => conflicts.unseen.read().map(({ name }) => name)
  return { state, open, names, stored: seen.read }
}

test('conflicts are listed until they are dismissed, also on a later visit', () => {
  const { state, open, names } = openFixture()
  const conflicts = open()

  state.set({ overwritten: [version('a'), version('b')] })
  const before = names(conflicts)
  conflicts.dismiss(conflicts.unseen.read())
  const after = names(conflicts)
  state.set({ overwritten: [version('a'), version('b'), version('c')] })

  expect([before, after, names(conflicts), names(open())]).toEqual([['a', 'b'], [], ['c'], ['c']])
})

test('the conflicts of one item are dismissed together, and those of others stay', () => {
  const { state, open, names } = openFixture()
  state.set({ overwritten: [version('a', 'one'), version('b', 'two'), version('c', 'one')] })
  const conflicts = open()

  conflicts.dismissItem('one')

  expect(names(conflicts)).toEqual(['b'])
})

test('each new conflict is announced once, and other changes of the state announce nothing', () => {
  const { state, open } = openFixture()
  const conflicts = open()
  let announced = 0
  conflicts.unseen.watch(() => announced++)

  state.set({ overwritten: [version('a')] })
  state.set({ overwritten: [version('a')] })
  conflicts.close()
  state.set({ overwritten: [version('a'), version('b')] })

  expect(announced).toBe(1)
})

test('the names of expired versions are forgotten', () => {
  const { state, open, stored } = openFixture()
  state.set({ overwritten: [version('a'), version('b')] })
  const conflicts = open()
  conflicts.dismiss([version('a')])

  state.set({ overwritten: [version('b')] })
  conflicts.dismiss([version('b')])

  expect(stored()).toBe('["b"]')
})
