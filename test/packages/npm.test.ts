import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { findReleased } from './release-files.ts'
import { run } from './run.ts'

const firstSync = fileURLToPath(new URL('first-sync.mjs', import.meta.url))

test('the npm package installs globally, without a build, small, and starts without a network', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-npm-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { release } = { release: dirname(findReleased('SHA256SUMS')) }
  const names = (await readdir(release)).filter((name) => /^thingsync-\d.*\.tgz$/.test(name))

  await run('npm', ['install', '--global', '--prefix', folder, '--ignore-scripts', join(release, names[0] ?? '')])

  const installed = join(folder, 'lib/node_modules/thingsync')
  const manifests = await run('find', [installed, '-name', 'package.json', '-path', '*/node_modules/*'])
  const packages = manifests.split('\n').filter((path) => /node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(path))
  const kilobytes = Number((await run('du', ['-sk', '--apparent-size', installed])).split('\t')[0])
  // The figures of docs/how-to/host/install.md, with some room.
  expect(packages.length).toBeLessThan(10)
  expect(kilobytes).toBeLessThan(20_000)
  await mkdir(join(folder, 'data'))
  const lines = `
    ip link set lo up
    cd ${folder}
    bin/thingsync serve >log 2>&1 &
    '${process.execPath}' '${firstSync}' data/first-run.txt http://127.0.0.1:8484 'from npm'
    kill $!
    wait $!`
  expect(await run('unshare', ['--net', 'sh', '-ec', lines])).toBe('from npm\n')
})
