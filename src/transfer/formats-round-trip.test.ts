import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyThing, cutAnywhere, listOf, readAll } from '../../test/support/transfer.ts'
import { readFormats, writeFormats } from './formats.ts'
import type { ReadItem, TransferThing } from './transfer.ts'

const lossless = ['json', 'netscape', 'csv', 'markdown'] as const

for (const name of lossless)
  test(`${name} writes and reads things without loss, in any chunks`, () =>
    fc.assert(
      fc.asyncProperty(fc.array(anyThing, { maxLength: 4 }), fc.integer({ min: 1, max: 60 }), async (things, size) => {
        const written = await writeText(name, things)

        const items = await readAll(findReader(name), cutAnywhere(written, size))

        expect(items.filter(({ kind }) => kind === 'problem')).toEqual([])
        expect(items.flatMap(thingOf)).toEqual(things)
      }),
      { numRuns: 80 },
    ))

for (const name of lossless)
  test(`${name} writes and reads malicious notes without loss`, async () => {
    const quotes = '&gt;'.repeat(5000)
    const notes = [
      `<p>${quotes}</p>`,
      `<p>[linkding-notes]${quotes}[/linkding-notes]</p>`,
      `${'<br>'.repeat(300_000)}x<p>y`,
      `<p>x${' '.repeat(300_000)}y</p>`,
    ]
    const things = notes.map((html): TransferThing => ({ title: '', tags: '', date: 1, html, archived: false }))

    const items = await readAll(findReader(name), cutAnywhere(await writeText(name, things), 10_000))

    expect(items.flatMap(thingOf)).toEqual(things)
  })

test('our JSON is valid against its schema', () => {
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
  const format = writeFormats.find((candidate) => candidate.name === name)
  let text = ''
  for await (const piece of format?.write({ tags: new Map(), things: listOf(things) }) ?? []) text += piece
  return text
}

const findReader = (name: string) => {
  const format = readFormats.find((candidate) => candidate.name === name)
  if (format === undefined) throw new TypeError(`there is no format ${name}`)
  return format
}

const thingOf = (item: ReadItem) => (item.kind === 'thing' ? [item.thing] : [])
