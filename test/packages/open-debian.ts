import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inject, onTestFinished } from 'vitest'
import { run } from './run.ts'

/** A Debian of the test's own, with systemd running in it, and no network. */
export interface Debian {
  /** Its root folder, as the machine sees it. */
  readonly root: string
  /** Runs shell lines as root, until one fails; gives what they print, and throws when one fails. */
  readonly shell: (lines: string, input?: string) => Promise<string>
}

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const [groupsScript, bootScript, fixture] = [
  pathOf('own-groups.sh'),
  pathOf('boot-debian.sh'),
  pathOf('first-sync.mjs'),
]

/** Starts a fresh Debian, with the files copied to `/files`; it is gone when the test is finished. */
export const openDebian = async (files: readonly string[]): Promise<Debian> => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-debian-'))
  const root = join(folder, 'root')
  for (const name of ['root', 'upper', 'work']) await mkdir(join(folder, name))
  const layers = `lowerdir=${inject('packages').debian},upperdir=${join(folder, 'upper')},workdir=${join(folder, 'work')}`
  await run('mount', ['-t', 'overlay', 'overlay', '-o', layers, root])
  const groups = basename(folder)
  onTestFinished(async () => {
    await run('umount', ['--lazy', root])
    await rm(folder, { recursive: true, force: true })
    await run('find', ['/sys/fs/cgroup', '-depth', '-type', 'd', '-path', `*/${groups}*`, '-exec', 'rmdir', '{}', '+'])
  })
  // Nobody will miss what is not on the disk when the machine stops, and dpkg waits for the disk at each file.
  await writeFile(join(root, 'etc/dpkg/dpkg.cfg.d/no-sync'), 'force-unsafe-io\n')
  await mkdir(join(root, 'files'))
  for (const file of [...files, fixture]) await cp(file, join(root, 'files', file.split('/').at(-1) ?? ''))

  const namespaces = ['--mount', '--pid', '--net', '--uts', '--ipc', '--fork', '--kill-child']
  const bootLine = [groupsScript, groups, ...namespaces, 'sh', bootScript, root, groups]
  const boot = spawn('sh', bootLine, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(boot, 'close')
  let init: number | undefined
  onTestFinished(async () => {
    boot.kill('SIGKILL')
    await ended
    // With the first process of a tree all others end, and it is gone when the last of them is.
    while (init !== undefined && existsSync(`/proc/${init}`)) await sleep(20)
  })
  init = await findChild(boot.pid)
  const enter = ['--target', String(init), '--root', '--wd', '--mount', '--pid', '--net', '--uts', '--ipc', '--cgroup']
  const env = ['env', '-i', 'PATH=/usr/local/bin:/usr/sbin:/usr/bin', 'DEBIAN_FRONTEND=noninteractive', 'TERM=dumb']
  const shell = (lines: string, input = '') => run('nsenter', [...enter, '--', ...env, 'sh', '-ec', lines], { input })
  await untilBooted(shell)
  return { root, shell }
}

/** What unshare has started: the first process of the tree. */
async function findChild(pid: number | undefined): Promise<number> {
  for (;;) {
    // Before it becomes unshare, the script has children of its own.
    const isUnshare = (await readFile(`/proc/${pid}/comm`, 'utf8')) === 'unshare\n'
    const [child] = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ')
    if (isUnshare && child) return Number(child)
    await sleep(20)
  }
}

async function untilBooted(shell: Debian['shell']): Promise<void> {
  for (;;) {
    // Until the tree is the root there is another system to be seen, or none.
    const isUp = await shell(
      '[ -d /files ] && [ -S /run/systemd/private ] && systemctl is-system-running --wait',
    ).catch(() => '')
    if (isUp.trim() === 'running') return
    await sleep(100)
  }
}
