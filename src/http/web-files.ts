import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join, sep } from 'node:path'

/** A content encoding that the build has made of a file. */
export type WebEncoding = 'br' | 'gzip'

/** A file of the built web app. */
export interface WebFile {
  readonly type: string
  /** Its name has a hash of what is in it: it never changes. */
  readonly isHashed: boolean
  /** A strong ETag of the plain bytes. */
  readonly tag: string
  readonly plain: Buffer
  readonly packed: Readonly<Partial<Record<WebEncoding, Buffer>>>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
}

const endings: Readonly<Record<string, WebEncoding>> = { '.br': 'br', '.gz': 'gzip' }

/** Where the build puts the web app, in the package as in a clone. */
const folder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('thingsync/package.json')), 'web', 'dist')

const listFiles = async (within: string): Promise<readonly string[]> => {
  try {
    const entries = await readdir(within, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(within.length + 1))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    throw new Error('the web app is not built; run "npm run build", or start with --no-web', { cause: error })
  }
}

/**
 * Reads the files of the web app, by path below the prefix; `/` is its page. What is of no known type is none of them, as
 * what dpkg and rpm write beside the files that they are going to replace.
 * @throws when it was not built
 */
export const readWebFiles = async (): Promise<ReadonlyMap<string, WebFile>> => {
  const within = folder()
  const names = await listFiles(within)
  const read = (name: string) => readFile(join(within, name))
  const files = await Promise.all(
    names
      .flatMap((name) => {
        const type = types[extname(name)]
        return type === undefined ? [] : [[name, type] as const]
      })
      .map(async ([name, type]): Promise<[string, WebFile]> => {
        const plain = await read(name)
        const packed = Object.fromEntries(
          await Promise.all(
            Object.entries(endings)
              .filter(([ending]) => names.includes(`${name}${ending}`))
              .map(async ([ending, encoding]) => [encoding, await read(`${name}${ending}`)] as const),
          ),
        )
        const path = `/${name.replaceAll(sep, '/')}`
        const tag = `"${createHash('sha256').update(plain).digest('base64url')}"`
        const file = { type, isHashed: path.startsWith('/assets/'), tag, plain, packed }
        return [path === '/index.html' ? '/' : path, file]
      }),
  )
  return new Map(files)
}
