import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/** Bundled modules of the server. */
export interface BundledModules {
  /** The URL of a module that another process can import; `path` as it was bundled. */
  readonly urlOf: (path: string) => string
  readonly remove: () => Promise<void>
}

/**
 * Bundles modules of `src/` for another process, such as `store/memory-store.ts`; they share what they import. A process
 * that loads the sources takes three times as long to start, and compiles them otherwise than users do.
 */
export const bundleModules = async (paths: readonly string[]): Promise<BundledModules> => {
  const source = fileURLToPath(new URL('../../src/', import.meta.url))
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-modules-'))
  const nameOf = (path: string): string => `${basename(path).replace(/\.tsx?$/, '')}.mjs`
  const bundle = await rolldown({
    input: paths.map((path) => join(source, path)),
    platform: 'node',
    tsconfig: join(source, '../tsconfig.json'),
    checks: { eval: false },
  })
  await bundle.write({ dir: folder, entryFileNames: '[name].mjs', chunkFileNames: 'chunk-[name].mjs' })
  await bundle.close()
  return {
    urlOf: (path) => pathToFileURL(join(folder, nameOf(path))).href,
    remove: () => rm(folder, { recursive: true }),
  }
}
