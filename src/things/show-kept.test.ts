import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAccount } from '../store/account/account.ts'
import { documentOf, emptyAccount } from '../store/account/account-document.ts'
import { createThingScanner } from '../store/account/kept-thing.ts'
import { createAhead } from '../store/ahead.ts'
import { noErrands, noReaders } from '../store/contract/fixtures.ts'
import { stageChanges } from '../store/staging.ts'
import type { StoredThing } from '../store/store.ts'
import { keepShown } from './keep-shown.ts'
import { showKept } from './show-kept.ts'
import { showThing, thingForm } from './thing-form.ts'

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

/** In the order in which files have them. */
const inOrder = ({ id, title, tags, date, url, html, ...rest }: Partial<StoredThing>) => {
  const { archived, todoStatus, position, createdPosition, writer, othersPosition } = rest
  const content = { id, title, tags, date, url, html, archived, todoStatus }
  return { ...content, position, createdPosition, writer, othersPosition }
}

test('the bytes of a kept thing are shown as the thing itself is, whatever characters it holds', () => {
  const scan = createThingScanner()
  let shownCount = 0
  const check = (thing: StoredThing, isTodo: boolean): void => {
    const bytes = Buffer.from(`before${JSON.stringify(inOrder(thing))}`)
    const kept = scan(bytes, 'before'.length)
    if (kept === undefined) return
    const target = Buffer.alloc(bytes.length, '-')
    const end = showKept(kept, isTodo, target, 3)
    expect(target.toString('utf8', 3, end)).toBe(showThing(thing, isTodo))
    const json = keepShown(showThing(thing, isTodo), thing, isTodo)
    expect(`${json},`).toBe(JSON.stringify(inOrder(thing)).slice(0, json.length + 1))
    expect(end - 3).toBeLessThanOrEqual(kept.end - kept.start)
    shownCount += 1
  }

  fc.assert(
    fc.property(thingOf, fc.boolean(), (thing, isTodo) => check(thing as StoredThing, isTodo)),
    { numRuns: 2000 },
  )

  expect(shownCount).toBeGreaterThan(300)
})

test('things need no parsing as writes put them into the journal, and as files of accounts have them', async () => {
  const bare = { title: 't', tags: '', date: 0, archived: false, todoStatus: false }
  const scan = createThingScanner()
  const account = createAccount(thingForm, noReaders, emptyAccount)
  const { draft, finish } = stageChanges(
    createAhead(account, () => noErrands),
    'writer',
  )
  for (const fields of [{}, { url: 'u' }, { html: 'h' }, { url: 'u', html: 'h', archived: true }])
    await draft.putThing({ ...bare, id: JSON.stringify(fields), ...fields })
  const changes = finish()
  account.apply(changes)

  const kept = [
    ...changes.flatMap((change) => ('thing' in change ? [change.thing] : [])),
    ...documentOf(account).things,
  ].map((thing) => JSON.stringify(thing))
  const json = [...(documentOf(account).thingsJson ?? [])]

  expect(kept).toHaveLength(8)
  expect(json).toEqual(kept.slice(4))
  for (const each of kept) expect(scan(Buffer.from(each), 0), each).toBeDefined()
})
