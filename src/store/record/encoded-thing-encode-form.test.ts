import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyAll, noOutboxEntries, noReaders } from '../../../test/store/fixtures.ts'
import { showThing, thingForm } from '../../things/thing.ts'
import { beginAccount, documentOf } from '../account/account.ts'
import type { StoredThing } from '../model.ts'
import { createPendingWrites, decodeThing, stageChanges } from '../transaction.ts'
import { readChange } from './change-text.ts'
import { createThingScanner, encodeForm, encodeThingStep, thingStart } from './encoded-thing.ts'

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '\n', '\u0000', '\u007f', 'é', '€', '😀', '\ud800', '\u2028', '{', '}'),
  }),
)
const filled = text.filter((value) => value !== '')
const thingOf = fc.record(
  {
    id: text,
    title: text,
    tags: text,
    date: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
    url: filled,
    html: filled,
    archived: fc.boolean(),
    todoStatus: fc.boolean(),
    position: fc.nat(),
    createdPosition: fc.nat(),
    writer: text,
    othersPosition: fc.nat(),
  },
  {
    requiredKeys: [
      'id',
      'title',
      'tags',
      'date',
      'archived',
      'todoStatus',
      'position',
      'createdPosition',
      'writer',
      'othersPosition',
    ],
  },
)

test('the step of a thing is read and shown as the thing itself, whatever its characters', () => {
  const scan = createThingScanner()

  fc.assert(
    fc.property(thingOf, fc.boolean(), fc.boolean(), (given, wasTodo, isTodo) => {
      const thing = given as StoredThing
      const metadata = { ...thing, writerJson: JSON.stringify(thing.writer) }
      const step = encodeThingStep(showThing(thing, wasTodo), thing, wasTodo, metadata)
      const bytes = Buffer.from(`before${step}`)

      const kept = scan(bytes, 'before'.length + thingStart)

      if (kept === undefined) throw new Error(`left to JSON.parse: ${step}`)
      const target = Buffer.alloc(bytes.length, '-')
      const end = encodeForm(kept, isTodo, target, 0)
      const asRead = JSON.parse(JSON.stringify(thing))
      expect(target.toString('utf8', 0, end)).toBe(showThing(thing, isTodo))
      expect([decodeThing(thingForm, kept), readChange(JSON.parse(step))]).toEqual([asRead, { thing: asRead }])
      expect(end).toBeLessThanOrEqual(Buffer.byteLength(step))
    }),
    { numRuns: 2000 },
  )
})

test('the line of the write and the file of the account contain the same step', async () => {
  const bare = { title: 't', tags: '', date: 0, archived: false, todoStatus: false }
  const account = beginAccount(thingForm, noReaders, 0).finish()
  const { draft, finish } = stageChanges(
    createPendingWrites(account, () => noOutboxEntries),
    'writer',
  )
  for (const fields of [{}, { url: 'u' }, { html: 'h' }, { url: 'u', html: 'h', archived: true, todoStatus: true }])
    await draft.putThing({ ...bare, id: JSON.stringify(fields), ...fields })
  const write = finish()
  applyAll(account, write)

  const inFile = Array.from(documentOf(account).thingSteps)

  expect(Buffer.concat(write.json).toString()).toBe(`[${inFile.join(',')}]`)
  expect(inFile).toHaveLength(4)
})
