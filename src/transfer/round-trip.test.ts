import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFormats } from './formats.ts'
import type { ReadItem, TransferThing } from './transfer.ts'
import { anyThing, cutAnywhere, listOf, readAll } from './transfer-trial.ts'
import { writeFormats } from './write-formats.ts'

const lossless = ['json', 'netscape', 'csv', 'markdown'] as const

for (const name of lossless)
  test(`${name} keeps all of a thing to the letter, however its text is cut`, () =>
    fc.assert(
      fc.asyncProperty(fc.array(anyThing, { maxLength: 4 }), fc.integer({ min: 1, max: 60 }), async (things, size) => {
        const written = await writeText(name, things)

        const items = await readAll(findReader(name), cutAnywhere(written, size))

        expect(items.filter(({ kind }) => kind === 'problem')).toEqual([])
        expect(items.flatMap(thingOf)).toEqual(things)
      }),
      { numRuns: 80 },
    ))

test('a note that would be Markdown of too many quotes goes out as it is', async () => {
  const quotes: TransferThing = { title: '', tags: '', date: 1, html: `<p>${'&gt;'.repeat(5000)}</p>`, archived: false }

  const items = await readAll(findReader('markdown'), cutAnywhere(await writeText('markdown', [quotes]), 97))

  expect(items.flatMap(thingOf)).toEqual([quotes])
})

test('our JSON is what its schema says', () => {
  const schema = JSON.parse(readFileSync(new URL('../../docs/transfer.schema.json', import.meta.url), 'utf8'))
  const isValid = new Ajv({ strict: false }).compile(schema)

  expect(isValid({ format: 'thingsync', version: 1, things: [{ title: 'One', tags: 5 }] })).toBe(false)
  return fc.assert(
    fc.asyncProperty(fc.array(anyThing, { maxLength: 3 }), async (things) => {
      expect(isValid(JSON.parse(await writeText('json', things)))).toBe(true)
    }),
    { numRuns: 30 },
  )
})

const writeText = async (name: string, things: readonly TransferThing[]): Promise<string> => {
  const format = writeFormats.find((each) => each.name === name)
  let text = ''
  for await (const piece of format?.write({ tags: new Map(), things: listOf(things) }) ?? []) text += piece
  return text
}

const findReader = (name: string) => {
  const format = readFormats.find((each) => each.name === name)
  if (format === undefined) throw new TypeError(`there is no format ${name}`)
  return format
}

const thingOf = (item: ReadItem) => (item.kind === 'thing' ? [item.thing] : [])
