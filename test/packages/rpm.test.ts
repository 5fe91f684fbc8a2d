import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openDebian } from './open-debian.ts'
import { findReleased } from './release-files.ts'
import { run } from './run.ts'

// Debian's rpm knows nothing of what Debian's packages bring, hence --nodeps: the names of the dependencies are those of
// Fedora, RHEL and openSUSE, and are not tried here.
test('rpm takes the .rpm as whole, installs it, keeps settings at an upgrade, and removes all but the things', async () => {
  const file = findReleased('.rpm')
  const { root, shell } = await openDebian([])
  const rpm = (...args: string[]) => run('rpm', ['--root', root, ...args])
  expect(await run('rpm', ['-K', file])).toContain('digests OK')
  await rpm('--initdb')

  await rpm('--install', '--nodeps', file)
  expect(await shell('systemctl daemon-reload; systemctl is-enabled thingsync || true')).toBe('disabled\n')
  await shell('systemctl enable --now thingsync')
  const sync = (title: string) =>
    shell(
      `/usr/lib/thingsync/bin/node /files/first-sync.mjs /var/lib/thingsync/first-run.txt http://127.0.0.1:8484 '${title}'`,
    )
  expect(await sync('before')).toBe('before\n')

  await shell(`sed -i 's/"port": 8484/"log_level": "warn",\\n  "port": 8484/' /etc/thingsync/thingsync.json`)
  await rpm('--upgrade', '--replacepkgs', '--nodeps', file)
  await shell('systemctl restart thingsync')
  expect(await sync('after')).toBe('before, after\n')
  expect(await shell('cat /etc/thingsync/thingsync.json')).toContain('"log_level": "warn"')
  expect(await rpm('--query', '--queryformat', '%{VERSION}', 'thingsync')).toBe(
    JSON.parse(await readFile('package.json', 'utf8')).version,
  )
  // What differs from the package is the settings alone.
  expect(await rpm('--verify', '--nodeps', 'thingsync').catch(String)).toMatch(
    /:\n\S+ +c \/etc\/thingsync\/thingsync\.json\n$/,
  )

  await shell('systemctl stop thingsync')
  await rpm('--erase', 'thingsync')
  expect(
    await shell('ls -d /var/lib/thingsync/journal /etc/thingsync/*; ls /usr/lib/thingsync 2>/dev/null || true'),
  ).toBe('/etc/thingsync/thingsync.json.rpmsave\n/var/lib/thingsync/journal\n')
})
