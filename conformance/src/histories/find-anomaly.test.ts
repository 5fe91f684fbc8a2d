import { expect, test } from 'vitest'
import { findAnomaly } from './find-anomaly.ts'
import type { From, ReplicaName, UploadStep } from './plan.ts'
import { emptyUpload } from './plan.ts'
import type { ListingResponse, SyncEvent } from './trace.ts'
import { fieldsOf } from './trace.ts'

interface ReceivedEvent {
  readonly who: ReplicaName
  /** Line whose position is sent; 0 for a full sync. */
  readonly base: number
  readonly upload?: Partial<UploadStep>
  /** Numbers of the listed versions of the only thing, "milk" (x1). */
  readonly lists?: readonly number[]
  readonly deletes?: boolean
  readonly at: readonly [started: number, ended: number]
  readonly apiError?: string
}

const version = (number: number) => ({ thing: 'milk', number, rich: false, archived: false })
const create = { creates: [version(1)] }
const change = (number: number) => ({ changes: [version(number)] })
const remove = { deletes: ['milk'] }

const checkHistory = (notified: readonly ReceivedEvent[]): string | undefined => {
  const events = notified.map(({ who, base, upload, lists = [], deletes, at, apiError }, index): SyncEvent => {
    const response: ListingResponse = {
      position: index + 1,
      changed: new Map(lists.map((number) => ['x1', fieldsOf(version(number), 'm')])),
      deleted: new Set(deletes === true ? ['x1'] : []),
      twice: new Set(lists.length + (deletes === true ? 1 : 0) > 1 ? ['x1'] : []),
      colors: new Map(),
      ids: new Map(upload?.creates === undefined ? [] : [['m-milk', 'x1']]),
      thingCount: lists.length,
    }
    const from: From = base === 0 ? 'start' : 'last'
    return {
      ...{ number: index + 1, round: index, who, base, started: at[0], ended: at[1], apiError },
      step: upload === undefined ? { kind: 'list', from } : { ...emptyUpload, ...upload },
      responses: apiError === undefined ? [response] : [],
      position: apiError === undefined ? index + 1 : undefined,
      ...{ exchange: undefined, during: undefined },
    }
  })
  const anomaly = findAnomaly({ mark: 'm', events, idOf: new Map([['milk', 'x1']]) })
  return anomaly === undefined ? undefined : `${anomaly.kind} in line ${anomaly.event.number}`
}

const phone = 'phone' as const
const laptop = 'laptop' as const
const created: ReceivedEvent = { who: phone, base: 0, upload: create, at: [1, 2] }
const received: ReceivedEvent = { who: laptop, base: 0, lists: [1], at: [3, 4] }

test('own uploads may be listed or left out, at once, later, and from an older position', () => {
  expect(checkHistory([created, { who: phone, base: 1, at: [3, 4] }])).toBeUndefined()
  expect(checkHistory([created, { who: phone, base: 1, lists: [1], at: [3, 4] }])).toBeUndefined()
  expect(checkHistory([{ ...created, lists: [1] }])).toBeUndefined()
  const old: ReceivedEvent = { who: phone, base: 0, at: [-2, -1] }
  expect(checkHistory([old, { ...created, base: 1 }, { who: phone, base: 1, at: [3, 4] }])).toBeUndefined()
})

test('parallel writes may end either way, but the same way for all replicas', () => {
  const race = (seen: readonly [number, number]) =>
    checkHistory([
      created,
      received,
      { who: phone, base: 1, upload: change(2), at: [5, 8] },
      { who: laptop, base: 2, upload: change(3), at: [6, 7] },
      { who: phone, base: 3, lists: [seen[0]], at: [9, 10] },
      { who: laptop, base: 0, lists: [seen[1]], at: [11, 12] },
    ])

  expect(race([2, 2])).toBeUndefined()
  expect(race([3, 3])).toBeUndefined()
  expect(race([2, 3])).toBe('diverged in line 6')
})

test('a change of a deleted thing may be rejected or ignored, or the response lists the deletion', () => {
  const removed: ReceivedEvent = { who: phone, base: 1, upload: remove, at: [5, 6] }
  const late: ReceivedEvent = { who: laptop, base: 2, upload: change(2), at: [7, 8] }

  expect(checkHistory([created, received, removed, { ...late, apiError: '404' }])).toBeUndefined()
  expect(checkHistory([created, received, removed, { ...late, deletes: true }])).toBeUndefined()
  expect(
    checkHistory([created, received, removed, late, { who: laptop, base: 4, deletes: true, at: [9, 10] }]),
  ).toBeUndefined()
})

test('a correct request must not be rejected', () => {
  expect(checkHistory([created, { who: phone, base: 1, upload: change(2), at: [3, 4], apiError: '500' }])).toBe(
    'rejected in line 2',
  )
})

test('a change that is not listed from an earlier position is below it', () => {
  const early: ReceivedEvent = { who: laptop, base: 0, at: [-2, -1] }
  expect(checkHistory([early, created, { who: laptop, base: 1, at: [3, 4] }])).toBe('below-position in line 3')
})

test('a deletion that is not listed from an earlier position is forgotten', () => {
  const removed: ReceivedEvent = { who: phone, base: 1, upload: remove, at: [5, 6] }
  expect(checkHistory([created, received, removed, { who: laptop, base: 2, at: [7, 8] }])).toBe(
    'forgotten-deletion in line 4',
  )
})

test('a full sync without an acknowledged creation has lost it', () => {
  expect(checkHistory([created, { who: laptop, base: 0, at: [3, 4] }])).toBe('lost-change in line 2')
})

test('a deleted thing that is listed again is resurrected, unless a replica changed it since', () => {
  const removed: ReceivedEvent = { who: phone, base: 1, upload: remove, at: [5, 6] }
  const late: ReceivedEvent = { who: laptop, base: 2, upload: change(2), at: [7, 8] }
  const listed = (at: [number, number], lists: number[]): ReceivedEvent => ({ who: phone, base: 0, lists, at })
  expect(checkHistory([created, received, removed, listed([7, 8], [1])])).toBe('resurrected-thing in line 4')
  expect(checkHistory([created, received, removed, late, listed([9, 10], [2])])).toBeUndefined()
  expect(checkHistory([created, received, removed, late, listed([9, 10], [])])).toBeUndefined()
})

test('a version that was replaced before the request must not come back', () => {
  const changed: ReceivedEvent = { who: phone, base: 1, upload: change(2), at: [3, 4] }
  expect(checkHistory([created, changed, { who: laptop, base: 0, lists: [1], at: [5, 6] }])).toBe(
    'old-version in line 3',
  )
})

test('a thing is repeated when two consecutive listings without writes list it again', () => {
  const once: readonly ReceivedEvent[] = [created, received, { who: laptop, base: 2, lists: [1], at: [5, 6] }]
  expect(checkHistory([...once, { who: laptop, base: 3, at: [7, 8] }])).toBeUndefined()
  expect(checkHistory([...once, { who: laptop, base: 3, lists: [1], at: [7, 8] }])).toBe('repeated in line 4')
})

test('one response lists a thing once', () => {
  expect(checkHistory([created, { ...received, lists: [1, 1] }])).toBe('listed-twice in line 2')
})

test('a thing that no replica deleted is not listed as deleted', () => {
  expect(checkHistory([created, received, { who: laptop, base: 2, deletes: true, at: [5, 6] }])).toBe(
    'lost-change in line 3',
  )
})
