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
