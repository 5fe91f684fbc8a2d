import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { RowUnavailable } from '../row.ts'

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'thingsync-bench')

/** One exact version of a package of npm. */
export interface PeerPackage {
  readonly name: string
  readonly version: string
}

/** Where a package is installed: in the user's cache, outside the tree. */
export const findPeerFolder = ({ name, version }: PeerPackage): string => join(cache, `${name}-${version}`)

/**
 * Installs a package into its folder, unless it is there already; tells its version.
 * @throws RowUnavailable when npm cannot
 */
export const installPeer = async (peer: PeerPackage, say: (progress: string) => void): Promise<string> => {
  const folder = findPeerFolder(peer)
  if (existsSync(folder)) return peer.version
  say(`npm installs ${peer.name} ${peer.version} into ${folder}`)
  // Installed aside and then renamed, so that an installation that was broken off is never taken for a whole one.
  const aside = `${folder}.${process.pid}`
  await mkdir(aside, { recursive: true })
  await writeFile(join(aside, 'package.json'), '{"private": true}\n')
  const args = ['install', '--no-audit', '--no-fund', `${peer.name}@${peer.version}`]
  try {
    await promisify(execFile)('npm', args, { cwd: aside, maxBuffer: 2 ** 26 })
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)
    throw new RowUnavailable(`npm could not install ${peer.name} ${peer.version}: ${reason}`)
  }
  await rename(aside, folder)
  return peer.version
}
