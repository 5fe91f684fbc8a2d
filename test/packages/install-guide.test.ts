import { expect, test } from 'vitest'
import { openDebian } from './open-debian.ts'
import { readGuide } from './read-guide.ts'
import { findReleased } from './release-files.ts'

const sync = (node: string, title: string) =>
  `${node} /files/first-sync.mjs /var/lib/thingsync/first-run.txt http://127.0.0.1:8484 '${title}'`

/** A user who types the lines reads each output; a script is faster than the server's first start. */
const untilStarted = 'until grep -qs SIGN_IN_LINK /var/lib/thingsync/first-run.txt; do sleep 0.1; done'
const atTheKeyboard = (lines: string) => lines.replace(/^cat /m, `${untilStarted}\ncat `)

test('install.md: the lines for Debian install, show the secrets, and remove; those for the socket start it', async () => {
  const { shell } = await openDebian([findReleased('.deb')])

  const shown = await shell(`cd /files\n${atTheKeyboard(readGuide('Debian and Ubuntu'))}`)
  expect(shown).toContain('Active: active (running)')
  expect(shown).toContain('THINGSYNC_SIGN_IN_LINK=')
  expect(shown).toMatch(/^data +\/var\/lib\/thingsync +\/etc\/thingsync\/thingsync\.json/m)
  expect(await shell(sync('/usr/lib/thingsync/bin/node', 'one'))).toBe('one\n')
  expect(await shell('thingsync backup - | gzip -dc | head -n 1')).toContain('"format"')

  await shell(`sed -i 's|{|{ "base_url": "http://127.0.0.1:8484/",|' /etc/thingsync/thingsync.json`)
  await shell(readGuide('Start at the first request'))
  expect(await shell('systemctl is-active thingsync.service || true')).toBe('inactive\n')
  expect(await shell(sync('/usr/lib/thingsync/bin/node', 'two'))).toBe('one, two\n')
  expect(await shell('systemctl is-active thingsync.service')).toBe('active\n')

  // It asks whether it may.
  await shell(readGuide('Debian and Ubuntu', 1), 'y\n')
  await shell('rm -r /var/lib/thingsync && userdel thingsync')
})

test('install.md: the lines for the archive start a server', async () => {
  const { shell } = await openDebian([findReleased('.tar.gz')])
  const lines = readGuide('Archive').replace('./thingsync serve', './thingsync serve >/tmp/log 2>&1 &')

  const titles = await shell(`
    cd /files
    ${lines}
    bin/node /files/first-sync.mjs data/first-run.txt http://127.0.0.1:8484 'from the archive'
    kill $!
    wait $!`)

  expect(titles).toBe('from the archive\n')
})

test('install.md: the lines for systemd by hand start the confined server', async () => {
  const { shell } = await openDebian([findReleased('.tar.gz')])

  await shell(`cd /files\n${readGuide('systemd by hand')}`)

  expect(await shell(sync('/usr/lib/thingsync/bin/node', 'by hand'))).toBe('by hand\n')
  expect(await shell('thingsync user list')).toMatch(/^owner /m)
  expect(await shell('grep Seccomp: /proc/$(systemctl show --property MainPID --value thingsync)/status')).toBe(
    'Seccomp:\t2\n',
  )
})

test('install.md: no way takes more than ten lines', () => {
  const ways = ['npm', 'Debian and Ubuntu', 'Fedora, RHEL, openSUSE', 'Archive', 'Container', 'systemd by hand']

  const lengths = ways.map((way) => readGuide(way).trim().split('\n').length)

  expect(Math.max(...lengths)).toBeLessThanOrEqual(10)
})
