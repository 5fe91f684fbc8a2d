import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const compressible = /\.(html|js|css|svg|webmanifest)$/
/** Smaller files take one packet, so that compression saves nothing. */
const minCompressedBytes = 1024

/** Writes compressed variants (brotli, gzip) beside each text file, with maximum compression. */
export const compressFiles = (): Plugin => {
  let folder = ''
  return {
    name: 'compress-files',
    apply: 'build',
    enforce: 'post',
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir)
    },
    closeBundle: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name))
      await Promise.all(
        files.map(async ({ name, parentPath }) => {
          const path = join(parentPath, name)
          const bytes = await readFile(path)
          if (bytes.length < minCompressedBytes) return
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
 * Writes the list of all files into the service worker, with a version that changes with any of them. Browsers
 * recognize a new build by the changed service worker.
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
        if (entry?.type !== 'chunk') this.error('the bundle has no service worker')
        const precache = JSON.stringify({ version: hash.digest('hex').slice(0, 16), paths })
        if (!entry.code.includes('__PRECACHE__')) this.error('the service worker has no __PRECACHE__')
        entry.code = entry.code.replace('__PRECACHE__', () => precache)
      },
    },
  }
}

/** The build: static files in `web/dist` with relative URLs, so that they work below any path prefix. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  build: {
    target: 'es2023',
    // The content security policy of the page forbids data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Compression is expected to take the longest.
      checks: { pluginTimings: false },
      input: {
        index: 'index.html',
        'service-worker': 'service-worker/service-worker.ts',
      },
      output: {
        // Two files, and not one for each combination of screens: larger files compress better, and fewer are requested.
        codeSplitting: {
          groups: [
            { name: 'app', test: /\/web\/(?:root\.tsx|data\/start-app\.ts)$/u, priority: 2 },
            { name: 'screens', test: /\/web\/screens\/(?:item|tags|recent|settings)-screen\.tsx$/u, priority: 1 },
          ],
        },
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  plugins: [writePrecache(), compressFiles()],
})
