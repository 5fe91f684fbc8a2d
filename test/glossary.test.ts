import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Words that contributing/glossary.md replaces, as patterns, and the word to write. */
const replaced: readonly (readonly [pattern: string, write: string])[] = [
  ['answer(?:s|ed|ing|able)?', 'response'],
  ['(?:base|web|redirect) address(?:es)?', 'URL'],
  ['strangers?', 'unauthenticated client'],
  ['judg(?:e|es|ed|ing|ment|ments)', 'check'],
  ['mend(?:s|ed|ing)?', 'fix'],
  ['not kept|did not apply', 'failed, skipped'],
  ['clauses?', 'requirement'],
  ['refus(?:al|als|e|ed|es|ing)', 'error'],
  ['known deviations?', 'expected failures'],
  ['full listings?', 'full sync'],
  ['deltas?', 'incremental sync'],
  ['web flow', 'authorization code flow'],
  ['public apps?', 'public client'],
  ['whoever|somebody', 'user, administrator'],
  ['errands?', 'outbox entry'],
  ['tellers?', 'dispatcher'],
  ['seats?|lanes?|doors?', 'slot, limiter, queue'],
  ['(?:keeps?|kept) aside', 'quarantine'],
  ['way back|desk|deeds?|world|haste', 'rollback detection, environment, priority'],
  ['since whenever|never set back', 'monotonic clock'],
  ['anew|for ever|of before', 'again, permanently, previous'],
  ['peers?', 'comparison server'],
  ['trials?', 'fixture, fake'],
]
const patterns = replaced.map(([pattern, write]) => ({
  pattern: new RegExp(`(?<![\\p{L}\\p{N}_])(?:${pattern})(?![\\p{L}\\p{N}_])`, 'giu'),
  write,
}))

/** Documents that still use the earlier words; they are rewritten one by one, and leave this list then. */
const documentsToRewrite = new Set<string>([
  'SECURITY.md',
  'README.md',
  'docs/client.md',
  'docs/client-teams.md',
  'docs/data-format.md',
  'docs/delivery.md',
  'docs/expectations.md',
  'docs/install.md',
  'docs/interface.md',
  'docs/live.md',
  'docs/oauth.md',
  'docs/operations.md',
  'docs/release.md',
  'docs/scaling.md',
  'docs/sdk.md',
  'docs/secure.md',
  'docs/sync-in-one-page.md',
  'docs/transfer.md',
  'docs/web.md',
  'sdk/go/README.md',
  'sdk/java/README.md',
  'sdk/kotlin/README.md',
  'sdk/php/README.md',
  'sdk/python/README.md',
  'sdk/ruby/README.md',
  'sdk/rust/README.md',
  'sdk/first-scripts/README.md',
])

/** Uses that stay: the path, the words, and why they are right there. */
const allowed: readonly { readonly path: RegExp; readonly words: RegExp; readonly why: string }[] = [
  { path: /^conformance\/src\/requirements\//, words: /./, why: 'docs/interface.md quotes the requirements' },
  { path: /^conformance\/src\/cli\/command-line\.test\.ts$/, words: /answers/, why: 'a quoted requirement' },
  { path: /^test\/postgres\/patroni\//, words: /peer/, why: 'a way to sign in to PostgreSQL' },
  { path: /^src\/http\//, words: /peers?/i, why: 'the other end of a TCP connection (RFC 9293)' },
  { path: /^conformance\/src\/(?:report\/causes|result)\.ts$/, words: /refused/, why: 'ECONNREFUSED' },
  { path: /^test\/oauth\/clients\.test\.ts$/, words: /refuses/, why: 'docs/oauth.md quotes the title' },
]

const isChecked = (path: string): boolean =>
  /\.(?:tsx?|cts|mjs|cjs|md)$/u.test(path) &&
  !/^(?:generated|sdk\/(?!README))\//u.test(path) &&
  path !== 'contributing/glossary.md' &&
  path !== 'test/glossary.test.ts'

const listFiles = (): readonly string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => isChecked(path) && existsSync(path))

/** Separates the words of names: `findTokenById` becomes `find Token By Id`. */
const splitNames = (text: string): string =>
  text.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')

const findWords = (path: string, text: string): readonly string[] =>
  splitNames(text)
    .split('\n')
    .flatMap((line, index) =>
      patterns.flatMap(({ pattern, write }) =>
        [...line.matchAll(pattern)]
          .filter(([word]) => !allowed.some((each) => each.path.test(path) && each.words.test(word)))
          .map(([word]) => `${path}:${index + 1}: "${word}"; write: ${write}`),
      ),
    )

test('code, comments, output and documents use the words of the glossary', () => {
  const files = listFiles().filter((path) => !documentsToRewrite.has(path))

  expect(files.length).toBeGreaterThan(900)
  expect(files.flatMap((path) => findWords(path, readFileSync(path, 'utf8')))).toEqual([])
})

test('a replaced word is found in a name, a comment and a sentence', () => {
  const found = findWords('src/a.ts', 'const firstAnswer = 1 // The server answers.\nthrow new Error("refused")\n')

  expect(found.map((line) => line.split(';', 1)[0])).toEqual([
    'src/a.ts:1: "Answer"',
    'src/a.ts:1: "answers"',
    'src/a.ts:2: "refused"',
  ])
})

test('each allowed use and each document to rewrite still has such a word', () => {
  const texts = listFiles().map((path) => ({ path, text: splitNames(readFileSync(path, 'utf8')) }))
  const isUsed = ({ path, words }: (typeof allowed)[number]): boolean =>
    texts.some(
      (each) =>
        path.test(each.path) &&
        patterns.some(({ pattern }) => [...each.text.matchAll(pattern)].some(([word]) => words.test(word))),
    )
  const hasWord = (name: string): boolean =>
    texts.some(({ path, text }) => path === name && patterns.some(({ pattern }) => text.search(pattern) >= 0))

  expect(allowed.filter((each) => !isUsed(each))).toEqual([])
  expect([...documentsToRewrite].filter((name) => !hasWord(name))).toEqual([])
})
