import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { findReleased } from './release-files.ts'
import { run } from './run.ts'

test('the same source gives the same bytes, in another folder, time zone, language and umask', async () => {
  const { release, again } = inject('packages')
  const readSums = (folder: string) => readFile(join(folder, 'SHA256SUMS'), 'utf8')

  expect(await readSums(again)).toBe(await readSums(release))
  expect(await readdir(again)).toEqual(await readdir(release))
})

test('SHA256SUMS holds every file of the release, and each is as it says', async () => {
  const { release } = inject('packages')

  const checked = (await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: release })).trim().split('\n')

  const named = checked.map((line) => line.replace(/: OK$/, ''))
  expect([...named, 'SHA256SUMS'].sort()).toEqual((await readdir(release)).sort())
})

test('archive, .deb and .rpm hold the same program, with its pages and samples', async () => {
  const listFiles = (printed: string, top: RegExp) =>
    printed
      .split('\n')
      .flatMap((path) => (top.test(path) && !path.endsWith('/') ? [path.replace(top, '')] : []))
      .sort()
  const unpack = `dpkg-deb --fsys-tarfile ${findReleased('.deb')} | tar -t`
  const withModes = '[%{FILEMODES:perms}%{FILENAMES}\n]'

  const archive = listFiles(await run('tar', ['-tzf', findReleased('.tar.gz')]), /^[^/]+\//)
  const deb = listFiles(await run('sh', ['-c', unpack]), /^\.?\/?usr\/lib\/thingsync\//)
  const listed = await run('rpm', ['--query', '--package', '--queryformat', withModes, findReleased('.rpm')])
  const rpm = listFiles(listed, /^[-l][-rwx]{9}\/usr\/lib\/thingsync\//)

  expect(archive).toEqual(
    expect.arrayContaining([
      'app/SECURITY.md',
      'app/docs/how-to/host/install.md',
      'app/docs/proxies/nginx.conf',
      'app/docs/fail2ban/filter.conf',
      'app/docs/monitoring/grafana.json',
    ]),
  )
  expect(deb).toEqual(archive)
  expect(rpm).toEqual(archive)
})

test('the list of contents names Node and every package that the archive holds or bundles, in its version', async () => {
  const archive = findReleased('.tar.gz')
  const paths = (await run('tar', ['-tzf', archive])).split('\n')
  const installed = paths.flatMap((path) => {
    const [, name] = /^[^/]+\/app\/.*node_modules\/((?:@[^/]+\/)?[^/@.][^/]*)\/package\.json$/.exec(path) ?? []
    return name === undefined ? [] : [name]
  })
  const list = await run('tar', ['-xzOf', archive, '--wildcards', '*/app/dist/packages.json'])
  const bundled: { name: string; version: string }[] = JSON.parse(list)
  const held = [...installed, ...bundled.map(({ name }) => name)]
  const bom = JSON.parse(await readFile(findReleased('.cdx.json'), 'utf8'))
  const listed: { name: string; version: string }[] = bom.components

  expect(installed).toContain('@node-rs/argon2')
  expect(bundled.length).toBeGreaterThan(50)
  expect(listed).toEqual(
    expect.arrayContaining(bundled.map(({ name, version }) => expect.objectContaining({ name, version }))),
  )
  expect([...new Set(held)].filter((name) => !listed.some((one) => one.name === name))).toEqual([])
  expect(listed.filter(({ name }) => name !== 'node' && !held.includes(name))).toEqual([])
  expect(listed.find(({ name }) => name === 'node')?.version).toMatch(/^24\./)
  expect(bom.metadata.component).toMatchObject({ type: 'application', name: 'thingsync' })
})

test('the provenance names the commit and the digest of each file', async () => {
  const { subject, predicate } = JSON.parse(await readFile(findReleased('provenance.json'), 'utf8'))
  const sums = await readFile(findReleased('SHA256SUMS'), 'utf8')
  const lines = subject.map((one: { name: string; digest: { sha256: string } }) => `${one.digest.sha256}  ${one.name}`)

  expect(sums.split('\n').filter((line) => line !== '' && !line.endsWith(' provenance.json'))).toEqual(lines)
  expect(predicate.buildDefinition.resolvedDependencies[0].digest.gitCommit).toBe(
    (await run('git', ['rev-parse', 'HEAD'])).trim(),
  )
})

test('without --dry-run nothing is made of a commit that is not tagged, or of changes that are not committed', async () => {
  await expect(run('npm', ['run', '--silent', 'release', '--', '--output', '/nonexistent/thingsync'])).rejects.toThrow(
    /release: (\S+ still has|package\.json has no|there are changes that are not committed|the commit has no tag v)/,
  )
})
