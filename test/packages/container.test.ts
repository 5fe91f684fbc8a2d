import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, inject, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { findReleased } from './release-files.ts'
import { run } from './run.ts'

const container = fileURLToPath(new URL('../../packaging/container', import.meta.url))

/** podman with images and containers of the test's own, and no registry. */
const openPodman = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-podman-'))
  const store = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run'), '--storage-driver', 'overlay']
  const running = new Set<Promise<string>>()
  const podman = (args: readonly string[]) => {
    const ended = run('podman', [...store, '--cgroup-manager', 'cgroupfs', '--runtime', 'runc', ...args])
    running.add(ended)
    return ended
  }
  onTestFinished(async () => {
    // A test that ran out of time leaves a command behind, which would go on writing.
    await Promise.allSettled(running)
    await podman(['rm', '--all', '--force', '--time', '1'])
    // podman leaves its own mount behind.
    const mounted = join(folder, 'root', 'overlay')
    await run('sh', ['-c', `if mountpoint --quiet ${mounted}; then umount --recursive --lazy ${mounted}; fi`])
    await rm(folder, { recursive: true, force: true })
  })
  return { folder, podman }
}

/**
 * Stands in for the images that the Dockerfile begins with, which no registry gives here: the whole Debian, and of it the
 * files of the C libraries alone, as in distroless/cc.
 */
const importBases = async (folder: string, podman: (args: readonly string[]) => Promise<string>): Promise<void> => {
  const { debian } = inject('packages')
  await run('tar', ['-C', debian, '-cf', join(folder, 'debian.tar'), '.'])
  await podman(['import', '--quiet', join(folder, 'debian.tar'), 'docker.io/library/debian:bookworm-slim'])
  const listed = await run('chroot', [debian, 'dpkg-query', '--listfiles', 'libc6', 'libgcc-s1', 'libstdc++6'])
  // dpkg names them below /lib, which is a link to /usr/lib.
  const libraries = listed.split('\n').filter((path) => /^\/(usr\/)?lib.*\.so/.test(path))
  const found = libraries.map((path) => path.replace(/^\/lib/, '/usr/lib'))
  const cc = join(folder, 'cc')
  await mkdir(join(cc, 'usr/lib'), { recursive: true })
  const links = ['/lib', '/lib64', '/etc/passwd', '/etc/group']
  const copied = [...links, ...found].map((path) => path.slice(1)).join('\n')
  await run('sh', ['-c', `tar -C ${debian} -cf - --ignore-failed-read -T - | tar -C ${cc} -xf -`], { input: copied })
  await run('tar', ['-C', cc, '-cf', join(folder, 'cc.tar'), '.'])
  await podman(['import', '--quiet', join(folder, 'cc.tar'), 'gcr.io/distroless/cc-debian12'])
}

test('the Dockerfile makes a container that serves as any user on a read-only root, and says whether it is well', async () => {
  const { folder, podman } = await openPodman()
  await importBases(folder, podman)
  const archive = findReleased('.tar.gz')
  const context = join(folder, 'context')
  await mkdir(context)
  await cp(archive, join(context, basename(archive)))

  const build = ['--isolation', 'chroot', '--format', 'docker', '--pull-never', '--file', join(container, 'Dockerfile')]
  await podman(['build', ...build, '--build-arg', `ARCHIVE=${basename(archive)}`, '--tag', 'thingsync', context])

  // The machine does not let runc raise limits.
  const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024']
  const confined = [
    '--read-only',
    '--read-only-tmpfs=false',
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
  ]
  const user = ['--user', '123456:0', '--network', 'none', '--volume', 'things:/data']
  await cp(fileURLToPath(new URL('first-sync.mjs', import.meta.url)), join(folder, 'first-sync.mjs'))
  const fixture = ['--volume', `${folder}/first-sync.mjs:/files/first-sync.mjs:ro`]
  await podman(['run', '--detach', '--name', 'one', ...limits, ...confined, ...user, ...fixture, 'localhost/thingsync'])
  const inside = (...args: string[]) => podman(['exec', 'one', ...args])
  const sync = ['/files/first-sync.mjs', '/data/first-run.txt', 'http://127.0.0.1:8484', 'from a container']

  expect(await inside('/thingsync/bin/node', ...sync)).toBe('from a container\n')
  expect(await inside('thingsync', 'user', 'list')).toMatch(/^owner /m)
  expect(await podman(['healthcheck', 'run', 'one'])).toBe('')
  await expect(inside('/bin/sh', '-c', 'true')).rejects.toThrow('no such file')
  const write = "require('fs').writeFileSync('/thingsync/x', '')"
  await expect(inside('/thingsync/bin/node', '-e', write)).rejects.toThrow('EROFS')
  await podman(['stop', '--time', '20', 'one'])
  expect((await podman(['inspect', '--format', '{{.State.ExitCode}}', 'one'])).trim()).toBe('0')
})

test('Caddy takes the Caddyfile of the compose file, which keeps the server confined and its port unpublished', async () => {
  const { services } = parse(await readFile(join(container, 'compose.yaml'), 'utf8'))
  const env = { ...(process.env as Record<string, string>), THINGSYNC_DOMAIN: 'things.example' }

  const adapted = await run('caddy', ['adapt', '--config', join(container, 'Caddyfile')], { env })

  const [route] = JSON.parse(adapted).apps.http.servers.srv0.routes
  expect(route.match).toEqual([{ host: ['things.example'] }])
  expect(JSON.stringify(route)).toContain('"upstreams":[{"dial":"thingsync:8484"}]')
  expect(services.thingsync).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
  expect(services.thingsync.ports).toBeUndefined()
})
