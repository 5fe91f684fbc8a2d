import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The settings for generating the client of one language. */
export type Language = {
  /** The generator's name in openapi-generator. */
  generator: string
  /** Additional properties of the generator, beside the ones that all languages share. */
  properties: Readonly<Record<string, string>>
  /** The folders and files of the output to keep, and their paths below `sdk/<language>/`. The rest is discarded. */
  keep: Readonly<Record<string, string>>
  /** Additional files, by path. */
  add?: Readonly<Record<string, string>>
  /** Fixes for errors of the generator: a text that the file must contain, its replacement and the reason. */
  fix: readonly { file: string; wrong: string; right: string; because: string }[]
}

/** The languages that have an SDK, by the name of the folder. */
export const languages: Readonly<Record<string, Language>> = {
  typescript: {
    generator: 'typescript-fetch',
    properties: {
      importFileExtension: '.js',
      modelPropertyNaming: 'original',
      paramNaming: 'original',
      withoutRuntimeChecks: 'true',
    },
    keep: {
      apis: 'client/apis',
      models: 'client/models',
      'runtime.ts': 'client/runtime.ts',
      'index.ts': 'client/index.ts',
    },
    fix: [
      {
        file: 'models/index.ts',
        wrong: '    _new?: ',
        right: '    new?: ',
        because: 'without runtime checks nothing renames a field, so a reserved word has to keep its name',
      },
    ],
  },
  python: {
    generator: 'python',
    properties: { packageName: 'thingsync_client', generateSourceCodeOnly: 'true' },
    keep: { thingsync_client: 'thingsync_client' },
    // Marks the package as typed (PEP 561).
    add: { 'thingsync_client/py.typed': '' },
    fix: [],
  },
  go: {
    generator: 'go',
    properties: { packageName: 'thingsync', withGoMod: 'false' },
    keep: { '.': 'thingsync' },
    fix: [],
  },
  java: {
    generator: 'java',
    properties: {
      library: 'okhttp-gson',
      invokerPackage: 'thingsync.client',
      apiPackage: 'thingsync.client',
      modelPackage: 'thingsync.client.model',
      openApiNullable: 'false',
      containerDefaultToNull: 'true',
    },
    keep: { 'src/main/java/thingsync/client': 'src/main/java/thingsync/client' },
    fix: [],
  },
  kotlin: {
    generator: 'kotlin',
    properties: { packageName: 'thingsync.client' },
    keep: { 'src/main/kotlin/thingsync/client': 'src/main/kotlin/thingsync/client' },
    fix: [],
  },
  rust: {
    generator: 'rust',
    properties: {
      library: 'reqwest',
      supportAsync: 'true',
      supportMiddleware: 'true',
      packageName: 'thingsync-client',
    },
    keep: { 'src/apis': 'src/apis', 'src/models': 'src/models' },
    fix: [],
  },
  php: {
    generator: 'php',
    properties: { invokerPackage: 'Thingsync\\Client', srcBasePath: 'lib', variableNamingConvention: 'snake_case' },
    keep: { lib: 'lib' },
    fix: [],
  },
  ruby: {
    generator: 'ruby',
    properties: { gemName: 'thingsync_client', moduleName: 'ThingsyncClient' },
    keep: { 'lib/thingsync_client': 'lib/thingsync_client', 'lib/thingsync_client.rb': 'lib/thingsync_client.rb' },
    fix: [],
  },
}

/** The patterns that find the version in the files of an SDK. */
const versionPatterns: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  typescript: { 'package.json': /(?<="version": ")[^"]+/ },
  python: { 'pyproject.toml': /(?<=^version = ")[^"]+/m },
  go: { 'tour/go.mod': /(?<=thingsync\.example\/sdk v)\S+/ },
  java: {
    'pom.xml': /(?<=<artifactId>thingsync-client<\/artifactId>\s*<version>)[^<]+/,
    'README.md': /(?<=thingsync:thingsync-client:)[\d.]+\d/,
  },
  kotlin: {
    'pom.xml': /(?<=<artifactId>thingsync-client-kotlin<\/artifactId>\s*<version>)[^<]+/,
    'tour/pom.xml': /(?<=<artifactId>thingsync-client-kotlin<\/artifactId>\s*<version>)[^<]+/,
    'README.md': /(?<=thingsync:thingsync-client-kotlin:)[\d.]+\d/,
  },
  rust: {
    'Cargo.toml': /(?<=^version = ")[^"]+/m,
    'tour/Cargo.toml': /(?<=path = "thingsync-client-)[^"]+/,
  },
  php: { 'composer.json': /(?<="version": ")[^"]+/ },
  ruby: { 'thingsync_client.gemspec': /(?<=version = ')[^']+/ },
}

/**
 * Creates the handwritten files of every SDK that contain the version or the license, by path.
 * @throws Error when a file has no version
 */
export const stampSdks = (version: string): Map<string, string> =>
  new Map(Object.keys(languages).flatMap((language) => [...stampFiles(language, version)]))

function stampFiles(language: string, version: string): Map<string, string> {
  const folder = join('sdk', language)
  const files = new Map([[join(folder, 'LICENSE'), readFileSync('LICENSE', 'utf8')]])
  for (const [file, pattern] of Object.entries(versionPatterns[language] ?? {})) {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    if (!pattern.test(text)) throw new Error(`${path} has no version that matches ${pattern}`)
    files.set(path, text.replace(pattern, version))
  }
  return files
}

/** A code sample in the format of `x-codeSamples`. */
export type CodeSample = { lang: string; label: string; source: string }

/** The samples of each operation, by its `operationId`. */
export type CodeSamples = { readonly [operationId: string]: readonly CodeSample[] }

/** Path of the code samples: for each operation, one sample in each language. */
export const samplesPath = 'sdk/code-samples.json'

/** The tour of each SDK: a program that calls every operation with the packed SDK. `npm run sdk:test` runs it. */
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

// The code before the first call belongs to the sample of the first call.
const before = ['imports', 'open']
const first = 'grantToken'

const dedent = (text: string): string => {
  const indents = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [/^\s*/.exec(line)?.[0].length ?? 0]))
  return text.replaceAll(new RegExp(`^\\s{${Math.min(...indents)}}`, 'gm'), '').trim()
}

/** Reads the marked parts of a tour, by name. */
export function readSamples(language: string): Map<string, string> {
  const text = readFileSync(join('sdk', language, 'tour', tourFiles[language]?.file ?? ''), 'utf8')
  const parts = text.matchAll(/^[ \t]*(?:\/\/|#) sample: (\w+)\n([\s\S]*?)^[ \t]*(?:\/\/|#) end$/gm)
  return new Map([...parts].map(([, name = '', code = '']) => [name, dedent(code)]))
}

/** Lists the samples of operations, in every language that has them. */
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
