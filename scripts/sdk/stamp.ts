import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from './languages.ts'

/** Where the SDK of a language says its version: the texts around it, in its files. */
const places: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
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

/** The hand-written files of every SDK that hold the version or the license, with their required content, by path. */
export const stampSdks = (version: string): Map<string, string> =>
  new Map(Object.keys(languages).flatMap((language) => [...stampFiles(language, version)]))

function stampFiles(language: string, version: string): Map<string, string> {
  const folder = join('sdk', language)
  const files = new Map([[join(folder, 'LICENSE'), readFileSync('LICENSE', 'utf8')]])
  for (const [file, place] of Object.entries(places[language] ?? {})) {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    if (!place.test(text)) throw new Error(`${path} has no place for the version (${place})`)
    files.set(path, text.replace(place, version))
  }
  return files
}
