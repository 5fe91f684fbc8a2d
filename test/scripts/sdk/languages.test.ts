import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readOperations } from '../../../scripts/collections/write-collections.ts'
import { type CodeSample, listSamples, readSamples, samplesPath, tourFiles } from '../../../scripts/sdk/languages.ts'

const languages = Object.keys(tourFiles)
const operations = [...readOperations(parse(readFileSync('openapi.sdk.yaml', 'utf8'))).keys()]
const lines = (code: string) => code.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))

test('every operation has a sample in every language, and the file is what the tours give', () => {
  const samples: Record<string, CodeSample[]> = JSON.parse(readFileSync(samplesPath, 'utf8'))

  expect(Object.keys(samples)).toEqual(operations)
  for (const [name, of] of Object.entries(samples)) expect([name, of.length]).toEqual([name, languages.length])
  expect(samples).toEqual(listSamples(operations))
})

test.each(languages)('every example of the README for %s is part of what is run', (language) => {
  const page = readFileSync(`sdk/${language}/README.md`, 'utf8')
  const run = lines([...readSamples(language).values()].join('\n')).join('\n')
  const blocks = [...page.matchAll(/^```(?!sh)\w+\n([\s\S]*?)^```$/gm)].map(([, code = '']) => lines(code).join('\n'))

  expect(blocks.length).toBeGreaterThanOrEqual(4)
  expect(blocks.filter((block) => !run.includes(block))).toEqual([])
})
