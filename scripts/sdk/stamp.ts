import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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

/** The files of a language's SDK that are not generated and say its version or licence, as they have to be, by their paths. */
export function stampFiles(language: string, version: string): Map<string, string> {
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

/** Writes those files, or only says which are not as they have to be. */
export function stamp(language: string, version: string, isCheck: boolean): string[] {
  const stale = [...stampFiles(language, version)].filter(
    ([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text,
  )
  if (!isCheck) for (const [path, text] of stale) writeFileSync(path, text)
  return isCheck ? stale.map(([path]) => `${path} is not of version ${version} or not our licence`) : []
}
