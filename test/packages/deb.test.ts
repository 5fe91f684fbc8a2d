import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Debian, openDebian } from './open-debian.ts'
import { findReleased } from './release-files.ts'
import { run } from './run.ts'

const firstSync = (title: string) =>
  `/usr/lib/thingsync/bin/node /files/first-sync.mjs /var/lib/thingsync/first-run.txt http://127.0.0.1:8484 '${title}'`

/** A Debian with the released package beside one that is the same but for a lower version. */
const openWithPackages = async (): Promise<Debian> => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-deb-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [older, unpacked] = [join(folder, 'older.deb'), join(folder, 'unpacked')]
  await run('dpkg-deb', ['--raw-extract', findReleased('.deb'), unpacked])
  const control = join(unpacked, 'DEBIAN/control')
  await writeFile(control, (await readFile(control, 'utf8')).replace(/^Version: .*$/m, 'Version: 0.9.0'))
  await run('dpkg-deb', ['--build', '-Znone', unpacked, older])
  const newer = join(folder, 'newer.deb')
  await cp(findReleased('.deb'), newer)
  return openDebian([older, newer])
}

test('the .deb starts a confined server, keeps settings and things at an upgrade, and things even at a purge', async () => {
  const { shell } = await openWithPackages()

  await shell('apt-get install -y --no-install-recommends /files/older.deb')
  expect(await shell(firstSync('before the upgrade'))).toBe('before the upgrade\n')

  const pid = 'pid=$(systemctl show --property MainPID --value thingsync)'
  const status = await shell(`${pid}; grep -E '^(Uid|CapEff|NoNewPrivs|Seccomp):' /proc/$pid/status; id -u thingsync`)
  const uid = status.trim().split('\n').at(-1)
  expect(status.replaceAll('\t', ' ')).toBe(
    `Uid: ${uid} ${uid} ${uid} ${uid}\nCapEff: 0000000000000000\nNoNewPrivs: 1\nSeccomp: 2\n${uid}\n`,
  )
  expect(uid).not.toBe('0')
  expect(await shell('stat -c "%U %a" /var/lib/thingsync; find /var/lib/thingsync ! -user thingsync')).toBe(
    'thingsync 700\n',
  )

  // Commands of root: while the server runs, and while it does not, after which it must still read its folder.
  await shell('thingsync user add anna --password-stdin', 'correct horse')
  await shell('systemctl stop thingsync')
  await shell('thingsync user add bert --password-stdin', 'correct horse')
  await shell(`sed -i 's/"port": 8484/"log_level": "warn",\\n  "port": 8484/' /etc/thingsync/thingsync.json`)
  await shell('systemctl start thingsync')
  expect(await shell('thingsync user list')).toMatch(/^anna .*\nbert .*$/m)
  expect(await shell('find /var/lib/thingsync ! -user thingsync')).toBe('')

  const before = await shell(`${pid}; echo $pid`)
  await shell('apt-get install -y --no-install-recommends /files/newer.deb')
  const isActive = 'systemctl is-active thingsync || journalctl --no-pager -o short-precise -n 60'
  expect(await shell(`dpkg-query --show thingsync; ${isActive}`)).toBe(
    `thingsync\t${JSON.parse(await readFile('package.json', 'utf8')).version}\nactive\n`,
  )
  expect(await shell(`${pid}; echo $pid`)).not.toBe(before)
  expect(await shell(firstSync('after the upgrade'))).toBe('before the upgrade, after the upgrade\n')
  expect(await shell('cat /etc/thingsync/thingsync.json')).toContain('"log_level": "warn"')

  await shell('apt-get remove -y thingsync')
  expect(await shell('ls /usr/lib/thingsync /usr/bin/thingsync 2>/dev/null || ls /etc/thingsync')).toBe(
    'thingsync.json\n',
  )
  expect(await shell('systemctl is-active thingsync || true')).toBe('inactive\n')
  await shell('apt-get purge -y thingsync 2>&1')
  expect(await shell('[ ! -e /etc/thingsync ]; ls -d /var/lib/thingsync/journal; id -un thingsync')).toBe(
    '/var/lib/thingsync/journal\nthingsync\n',
  )
})
