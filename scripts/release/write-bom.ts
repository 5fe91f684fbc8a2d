import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asObject } from '../json.ts'
import { nodeVersion, type Platform } from './platforms.ts'
import { runCommand } from './run-command.ts'
import type { Source } from './source.ts'

/**
 * Writes which packages an archive or package holds, as CycloneDX, from the lock file. npm gives each run a number and a
 * time of its own; here the number is taken from the content and the time from the commit.
 */
export const writeBom = (
  file: string,
  { sourceFolder, source, platform }: { sourceFolder: string; source: Source; platform: Platform },
): void => {
  const bom = listPackages(sourceFolder, `${file}.folder`, platform)
  const components = [...(bom.components as unknown[]), describeNode()]
  const { tools: _npmItself, ...metadata } = asObject(bom.metadata, 'metadata')
  const component = { ...asObject(metadata.component, 'metadata.component'), type: 'application', name: 'thingsync' }
  const timestamp = new Date(source.epoch * 1000).toISOString()
  const whole = { ...bom, metadata: { ...metadata, timestamp, component }, components, serialNumber: '' }
  whole.serialNumber = `urn:uuid:${nameByContent(JSON.stringify(whole))}`
  writeFileSync(file, `${JSON.stringify(whole, null, 2)}\n`)
}

/** npm lists what a folder needs; it is asked about one that needs what the server does, and nothing of ours. */
function listPackages(source: string, folder: string, { npm }: Platform): Record<string, unknown> {
  mkdirSync(folder)
  for (const name of ['package-lock.json', '.npmrc', 'package.json'])
    copyFileSync(join(source, name), join(folder, name))
  const options = ['--omit=dev', '--workspaces=false', '--include-workspace-root', '--ignore-scripts', ...npm]
  runCommand('npm', ['ci', ...options], { cwd: folder })
  const {
    devDependencies: _tools,
    workspaces: _ours,
    ...manifest
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  // It would be believed instead of what is there.
  rmSync(join(folder, 'package-lock.json'))
  const text = runCommand('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev'], { cwd: folder })
  rmSync(folder, { recursive: true })
  return asObject(JSON.parse(text), 'the answer of npm sbom')
}

const describeNode = () => ({
  'bom-ref': `node@${nodeVersion}`,
  type: 'application',
  name: 'node',
  version: nodeVersion,
  purl: `pkg:generic/node@${nodeVersion}`,
  licenses: [{ license: { id: 'MIT' } }],
})

/** A UUID of version 8 (RFC 9562): one whose bits its maker chose, here from a digest. */
function nameByContent(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
