import { cpSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { languages } from '../sdk/languages.ts'
import { makeSdks } from '../sdk/make-sdks.ts'
import { packArchive } from './pack-archive.ts'
import type { Source } from './source.ts'

/** What only our tests of an SDK need. */
const testFiles = /^(runner(\..*)?|tour|test)$/

/**
 * Generates the SDKs in a copy of the project and packs each as `thingsync-sdk-<language>-<version>.tar.gz`: the sources of
 * a package that its language's tools build and install.
 * @throws CannotGenerate when Java or the generator is missing
 */
export const packSdks = async (sourceFolder: string, output: string, { version, epoch }: Source): Promise<void> => {
  const names = Object.keys(languages)
  await makeSdks(names, { target: sourceFolder, report: () => {} })
  for (const language of names) {
    const name = `thingsync-sdk-${language}-${version}`
    const folder = join(sourceFolder, '..', name)
    cpSync(join(sourceFolder, 'sdk', language), folder, {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => !testFiles.test(basename(path)),
    })
    packArchive(folder, join(output, `${name}.tar.gz`), epoch)
    rmSync(folder, { recursive: true })
  }
}
