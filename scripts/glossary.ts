// The words of contributing/glossary.md that we do not write, and the uses that stay. test/glossary.test.ts holds every
// text file to them; scripts/check-documents.ts counts them in the documents.

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

/** Uses that stay: the path, the words, and why they are right there. */
export const allowedUses: readonly { readonly path: RegExp; readonly words: RegExp; readonly why: string }[] = [
  { path: /^src\/http\//, words: /peers?/i, why: 'the other end of a TCP connection (RFC 9293)' },
  { path: /^test\/postgres\/patroni\//, words: /peer/, why: 'a way to sign in to PostgreSQL' },
  { path: /^conformance\/src\/(?:report\/causes|result)\.ts$/, words: /refused/, why: 'ECONNREFUSED' },
]

/** A word that the glossary replaces, where a text uses it. */
export interface ReplacedWord {
  /** Counts from 1. */
  readonly line: number
  readonly word: string
  /** The word or words to write instead. */
  readonly write: string
}

/** Separates the words of names: `findTokenById` becomes `find Token By Id`. */
const splitNames = (text: string): string =>
  text.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')

/** Finds the words that the glossary replaces, in sentences and inside names, allowed uses included. */
export const findReplacedWords = (text: string): readonly ReplacedWord[] =>
  splitNames(text)
    .split('\n')
    .flatMap((content, index) =>
      patterns.flatMap(({ pattern, write }) =>
        [...content.matchAll(pattern)].map(([word]) => ({ line: index + 1, word, write })),
      ),
    )

/** Returns true where a use of a replaced word stays. */
export const isAllowedUse = (path: string, word: string): boolean =>
  allowedUses.some((each) => each.path.test(path) && each.words.test(word))
