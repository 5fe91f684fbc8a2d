import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const packable = /\.(html|js|css|svg|webmanifest)$/
const smallest = 1024

/** Writes each text file compressed beside itself, as small as it gets: it is made once and sent many times. */
export const packFiles = (): Plugin => {
  let folder = ''
  return {
    name: 'pack-files',
    apply: 'build',
    enforce: 'post',
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir)
    },
    closeBundle: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile() && packable.test(entry.name))
      await Promise.all(
        files.map(async ({ name, parentPath }) => {
          const path = join(parentPath, name)
          const bytes = await readFile(path)
          if (bytes.length < smallest) return
          await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes))
          await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
        }),
      )
    },
  }
}

const worker = 'service-worker.js'

const listPublic = (folder: string): readonly (readonly [string, Buffer])[] =>
  folder === '' ? [] : readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const)

/**
 * Tells the service worker which files there are, and a name that changes with any of them: by that browsers see that
 * there is something new.
 */
export const writePrecache = (): Plugin => {
  let publicFolder = ''
  return {
    name: 'write-precache',
    apply: 'build',
    configResolved: (config) => {
      publicFolder = config.publicDir
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const built = Object.values(bundle).map(
          (file) => [file.fileName, file.type === 'chunk' ? file.code : file.source] as const,
        )
        const files = [...built, ...listPublic(publicFolder)].filter(([name]) => name !== worker)
        const hash = createHash('sha256')
        for (const [name, content] of files.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
          hash.update(`${name}\n`).update(content)
        }
        const paths = files.map(([name]) => (name === 'index.html' ? './' : `./${name}`)).sort()
        const entry = bundle[worker]
        if (entry?.type !== 'chunk') this.error('there is no service worker')
        const told = JSON.stringify({ version: hash.digest('hex').slice(0, 16), paths })
        if (!entry.code.includes('__PRECACHE__')) this.error('the service worker asks for no list of files')
        entry.code = entry.code.replace('__PRECACHE__', () => told)
      },
    },
  }
}
