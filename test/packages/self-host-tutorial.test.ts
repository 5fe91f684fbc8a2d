import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDebian } from './open-debian.ts'
import { readShellBlocks } from './read-guide.ts'
import { findReleased } from './release-files.ts'

const node = '/usr/lib/thingsync/bin/node'

/** Stands in for curl, which the tree does not have: prints the body of the last argument, and retries for a minute. */
const curl = `#!${node}
const end = Date.now() + 60_000
const ask = () =>
  fetch(process.argv.at(-1)).then(async (response) => {
    if (!response.ok) throw new Error(String(response.status))
    console.log(await response.text())
  })
const retry = (error) => {
  if (Date.now() > end) throw error
  setTimeout(() => ask().catch(retry), 500)
}
ask().catch(retry)
`

/** Stands in for the unit of Debian's caddy, whose user the tree does not have. */
const caddyUnit = `[Service]
Type=notify
Environment=XDG_DATA_HOME=/var/lib/caddy XDG_CONFIG_HOME=/var/lib/caddy
ExecStart=/usr/bin/caddy run --config /etc/caddy/Caddyfile
ExecReload=/usr/bin/caddy reload --config /etc/caddy/Caddyfile --force
`

/** Stands in for `apt-get install caddy curl`, because the tree has no network. */
const installCaddy = `
cp /files/caddy /usr/bin/caddy
cp /files/caddy.service /etc/systemd/system/caddy.service
cp /files/curl /usr/bin/curl
chmod 755 /usr/bin/caddy /usr/bin/curl
mkdir -p /etc/caddy
echo :80 >/etc/caddy/Caddyfile
echo '127.0.0.1 localhost things.example' >>/etc/hosts
systemctl daemon-reload
systemctl start caddy
`

/** The lines as a user types them, with a certificate authority inside the tree. */
const prepare = (lines: string): string =>
  lines
    .replace('apt-get install -y caddy curl\n', installCaddy)
    .replace('things.example {', '{\n\tlocal_certs\n\tskip_install_trust\n}\n\nthings.example {')

test('the lines of the self-hosting tutorial set up HTTPS, users and a backup that can be restored', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-tutorial-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'curl'), curl)
  await writeFile(join(folder, 'caddy.service'), caddyUnit)
  const caddy = execFileSync('sh', ['-c', 'readlink -f "$(command -v caddy)"'], { encoding: 'utf8' }).trim()
  const { shell } = await openDebian([findReleased('.deb'), caddy, join(folder, 'curl'), join(folder, 'caddy.service')])
  const authority = 'export NODE_EXTRA_CA_CERTS=/var/lib/caddy/caddy/pki/authorities/local/root.crt'

  const printed = new Map<string, string>()
  for (const { heading, lines } of readShellBlocks('tutorials/self-host.md')) {
    const output = await shell(`cd /files\n${authority}\n${prepare(lines)}`)
    printed.set(heading, `${printed.get(heading) ?? ''}${output}`)
  }

  expect(printed.get('1. Install the server')).toMatch(/^healthy$/m)
  expect(printed.get('3. Put Caddy in front')).toContain('{"status":"ok"}')
  expect(printed.get('4. Create the first user')).toMatch(/^https:\/\/things\.example\/link\?key=/m)
  expect(printed.get('6. Invite a second user')).toMatch(/^https:\/\/things\.example\/link\?key=/m)
  expect(printed.get('7. Make a backup each day')).toMatch(/^everything was restored$/m)
  expect(printed.get('8. Look at the server')).toMatch(/^last backup /m)
})
