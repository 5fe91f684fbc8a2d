import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A code sample as `x-codeSamples` has it. */
export type CodeSample = { lang: string; label: string; source: string }

/** The samples of each operation, by its `operationId`. */
export type CodeSamples = { readonly [operationId: string]: readonly CodeSample[] }

/** Where the samples are written to: for each operation one of each language. */
export const samplesPath = 'sdk/code-samples.json'

/** The tour of each SDK: a program that calls every operation with the packed SDK, and is run by `npm run sdk:test`. */
export const tourFiles: Readonly<Record<string, { file: string; label: string }>> = {
  typescript: { file: 'tour.ts', label: 'TypeScript' },
  python: { file: 'tour.py', label: 'Python' },
  go: { file: 'main.go', label: 'Go' },
  java: { file: 'Tour.java', label: 'Java' },
  kotlin: { file: 'Tour.kt', label: 'Kotlin' },
  rust: { file: 'src/main.rs', label: 'Rust' },
  php: { file: 'tour.php', label: 'PHP' },
  ruby: { file: 'tour.rb', label: 'Ruby' },
}

// What stands before the first call belongs to its sample.
const before = ['imports', 'open']
const first = 'grantToken'

const dedent = (text: string): string => {
  const indents = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [/^\s*/.exec(line)?.[0].length ?? 0]))
  return text.replaceAll(new RegExp(`^\\s{${Math.min(...indents)}}`, 'gm'), '').trim()
}

/** The marked parts of a tour, by their names. */
export function readSamples(language: string): Map<string, string> {
  const text = readFileSync(join('sdk', language, 'tour', tourFiles[language]?.file ?? ''), 'utf8')
  const parts = text.matchAll(/^[ \t]*(?:\/\/|#) sample: (\w+)\n([\s\S]*?)^[ \t]*(?:\/\/|#) end$/gm)
  return new Map([...parts].map(([, name = '', code = '']) => [name, dedent(code)]))
}

/** The samples of these operations, of every language that has them. */
export function listSamples(operations: readonly string[]): CodeSamples {
  const samples = Object.fromEntries(operations.map((name) => [name, [] as CodeSample[]]))
  for (const [language, { label }] of Object.entries(tourFiles)) {
    const parts = readSamples(language)
    for (const [name, of] of Object.entries(samples)) {
      const names = name === first ? [...before, first] : [name]
      const source = names.flatMap((part) => parts.get(part) ?? []).join('\n\n')
      if (source !== '') of.push({ lang: label, label, source })
    }
  }
  return samples
}
