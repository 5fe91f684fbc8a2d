import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allowedUses, findReplacedWords, isAllowedUse } from '../scripts/check-documents.ts'

const isChecked = (path: string): boolean =>
  (/\.(?:tsx?|cts|mjs|cjs|md)$/u.test(path) || path === 'openapi.yaml') &&
  !/^(?:generated|sdk\/(?!README))\//u.test(path) &&
  path !== 'contributing/glossary.md' &&
  !/^(?:scripts\/check-documents|test\/(?:scripts\/check-documents|glossary)\.test)\.ts$/u.test(path)

/** All checked files, with the replaced words in each, allowed uses included. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => isChecked(path) && existsSync(path))
  .map((path) => ({ path, found: findReplacedWords(readFileSync(path, 'utf8')) }))

const listWrong = ({ path, found }: (typeof files)[number]): readonly string[] =>
  found
    .filter(({ word }) => !isAllowedUse(path, word))
    .map(({ line, word, write }) => `${path}:${line}: "${word}"; write: ${write}`)

test('code, comments, output and documents use the words of the glossary', () => {
  expect(files.length).toBeGreaterThan(900)
  expect(files.flatMap(listWrong)).toEqual([])
})

test('a replaced word is found in a name, a comment and a sentence', () => {
  const text = 'const firstAnswer = 1 // The server answers.\nthrow new Error("refused")\n'

  const wrong = listWrong({ path: 'src/a.ts', found: findReplacedWords(text) })

  expect(wrong.map((line) => line.split(';', 1)[0])).toEqual([
    'src/a.ts:1: "Answer"',
    'src/a.ts:1: "answers"',
    'src/a.ts:2: "refused"',
  ])
})

test('each allowed use still has such a word', () => {
  const isUsed = ({ path, words }: (typeof allowedUses)[number]): boolean =>
    files.some((each) => path.test(each.path) && each.found.some(({ word }) => words.test(word)))

  expect(allowedUses.filter((each) => !isUsed(each))).toEqual([])
})
