import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { findToolFolder } from '../../scripts/outside-tools/install-tools.ts'
import { run } from './run.ts'

/**
 * The folder of a clean Debian 12 with systemd, as debootstrap makes it (by mmdebstrap, which takes half the time). Made at
 * its first use, about a minute, and never written to: `openDebian` puts a layer on top.
 */
export const installDebian = async (): Promise<string> => {
  const folder = findToolFolder('debian', 'bookworm')
  if (existsSync(folder)) return folder
  const created = `${folder}.${process.pid}`
  await rm(created, { recursive: true, force: true })
  await mkdir(created, { recursive: true })
  const options = ['--quiet', '--mode=root', '--variant=apt', '--include=systemd,systemd-sysv,ca-certificates']
  await run('mmdebstrap', [...options, 'bookworm', created, 'http://deb.debian.org/debian'])
  await rename(created, folder)
  return folder
}
