import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const listFiles = (path: string): string[] => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return []
  if (found.isFile()) return [path]
  return readdirSync(path).flatMap((name) => listFiles(join(path, name)))
}

const built = /(^|\/)__pycache__\//

/** What is wrong with the committed client: a line for each file that is missing, surplus or other than the generated one. */
export function compareClient(folder: string, kept: readonly string[], files: ReadonlyMap<string, string>): string[] {
  const wanted = new Map([...files].map(([path, text]) => [join(folder, path), text]))
  const present = kept.flatMap((path) => listFiles(join(folder, path))).filter((path) => !built.test(path))
  const surplus = present.filter((path) => !wanted.has(path)).map((path) => `${path} is not generated any more`)
  const stale = [...wanted].flatMap(([path, text]) => {
    if (!present.includes(path)) return [`${path} is missing`]
    return readFileSync(path, 'utf8') === text ? [] : [`${path} is not what the profile gives`]
  })
  return [...surplus, ...stale]
}

/** Puts the generated files in place of all that was in the kept folders. */
export function replaceClient(folder: string, kept: readonly string[], files: ReadonlyMap<string, string>): void {
  for (const path of kept) rmSync(join(folder, path), { recursive: true, force: true })
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
