import { expect, test } from 'vitest'
import { openDebian } from './open-debian.ts'
import { findReleased } from './release-files.ts'

test('the archive is unpacked and serves a first sync where no Node is, and no network', async () => {
  const { shell } = await openDebian([findReleased('.tar.gz')])
  await shell('mkdir /srv/try && tar -xzf /files/*.tar.gz -C /srv/try --strip-components=1')
  expect(await shell('command -v node npm || echo none')).toBe('none\n')

  const titles = await shell(`
    cd /srv/try
    setpriv --reuid=nobody --regid=nogroup --clear-groups ./thingsync --version >/dev/null
    mkdir data && chown nobody data
    setpriv --reuid=nobody --regid=nogroup --clear-groups ./thingsync serve >/tmp/log 2>&1 &
    bin/node /files/first-sync.mjs data/first-run.txt http://127.0.0.1:8484 'from the archive'
    kill %1 2>/dev/null || kill $!
    wait $!`)

  expect(titles).toBe('from the archive\n')
})

test('everything in the archive belongs to root, and nobody else may write it', async () => {
  const { shell } = await openDebian([findReleased('.tar.gz')])

  const strange = await shell(
    'mkdir /srv/try && tar -xzf /files/*.tar.gz -C /srv/try && find /srv/try ! -type l ( ! -user root -o -perm /022 )'
      .replace('(', '\\(')
      .replace(/\)$/, '\\)'),
  )

  expect(strange).toBe('')
})
