import { expect, test } from 'vitest'
import type { PendingEdits } from './edits.ts'
import type { ThingEdit } from './replica-records.ts'
import { giveId } from './upload.ts'

test('a thing that was listed before its _id was given, and deleted under it, stays deleted', () => {
  const queued = new Map<string, ThingEdit>([
    ['x1', { kind: 'delete' }],
    ['local', { kind: 'change', fields: { title: 'changed' } }],
  ])
  const none = { things: new Map<string, ThingEdit>(), tags: new Map() }
  const queuedOnly = { queued: { things: queued, tags: new Map() }, sending: none }
  const pending: PendingEdits = { ...queuedOnly, write: async () => {}, changeCount: () => 0 }
  const batch = new Map<string, unknown>()

  giveId({ pending, batch }, 'local', 'x1')

  expect(batch.get('queued/thing/x1')).toEqual({ kind: 'delete' })
  expect(batch.get('queued/thing/local')).toBeUndefined()
})
