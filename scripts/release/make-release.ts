import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildPackages } from './build-packages.ts'
import { packArchive } from './pack-archive.ts'
import { packSdks } from './pack-sdks.ts'
import { packSystemPackages } from './pack-system-packages.ts'
import { findPlatforms } from './platforms.ts'
import { copySource, type Source } from './source.ts'
import { stageProgram } from './stage-program.ts'
import { writeBom } from './write-bom.ts'
import { writeRecords } from './write-records.ts'

/**
 * Makes everything that a release consists of in `output`, which is emptied before: npm packages, an archive, a `.deb` and
 * an `.rpm` for each platform, an archive of each SDK, lists of what is in them, and checksums. The same source makes the
 * same bytes.
 * @throws ReleaseFailed, ToolMissing, CannotGenerate
 */
export const makeRelease = async (
  project: string,
  output: string,
  { source, platforms, say }: { source: Source; platforms: string; say: (line: string) => void },
): Promise<void> => {
  rmSync(output, { recursive: true, force: true })
  const work = join(output, '.work')
  const sourceFolder = join(work, 'source')
  mkdirSync(sourceFolder, { recursive: true })
  say('copies the source, builds it and packs it for npm')
  copySource(project, sourceFolder)
  const tarball = buildPackages(sourceFolder, output)
  for (const platform of findPlatforms(platforms)) {
    say(`${platform.name}: archive with Node, .deb, .rpm, list of contents`)
    const name = `thingsync-${source.version}-${platform.name}`
    const folder = join(work, platform.name)
    const staged = join(folder, name)
    stageProgram(staged, { source: sourceFolder, tarball, platform, epoch: source.epoch })
    packArchive(staged, join(output, `${name}.tar.gz`), source.epoch)
    cpSync(staged, join(folder, 'program'), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
    cpSync(join(sourceFolder, 'packaging'), join(folder, 'packaging'), { recursive: true })
    packSystemPackages(folder, output, { platform, source })
    writeBom(join(output, `${name}.cdx.json`), { sourceFolder, source, platform })
  }
  say('generates the SDKs and packs each')
  await packSdks(sourceFolder, output, source)
  rmSync(work, { recursive: true })
  writeRecords(output, { source, lockFile: join(project, 'package-lock.json'), platforms })
}
