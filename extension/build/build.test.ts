import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { extensionRedirectUris } from '../../src/accounts/apps.ts'
import { unpackZip } from '../../test/support/unpack-zip.ts'
import { buildExtension } from './build.ts'
import { createManifest, findRedirectUri, targets } from './manifest.ts'
import { packZip } from './zip.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))
const built = await buildExtension(project)

test('servers register the redirect URIs that browsers derive from the IDs of the extension', () => {
  expect(targets.map(findRedirectUri)).toEqual(extensionRedirectUris)
})

test('the permissions are four, and host permissions are optional', () => {
  for (const target of targets) {
    expect(createManifest(target, '1.0.0')).toMatchObject({
      manifest_version: 3,
      permissions: ['activeTab', 'contextMenus', 'identity', 'storage'],
      optional_host_permissions: ['https://*/*', 'http://localhost/*', 'http://127.0.0.1/*'],
    })
    expect(Object.keys(createManifest(target, '1.0.0'))).not.toContain('host_permissions')
  }
})

test('only the manifest differs between the browsers, and the store of Chrome gets no key', () => {
  const [chromium, firefox] = [new Map(built.listFiles('chromium')), new Map(built.listFiles('firefox'))]
  const store = JSON.parse(String(built.listFiles('chromium', true).get('manifest.json')))
  const manifest = JSON.parse(String(chromium.get('manifest.json')))
  for (const files of [chromium, firefox]) files.delete('manifest.json')

  expect(chromium).toEqual(firefox)
  expect({ ...store, key: manifest.key }).toEqual(manifest)
  expect(store).not.toHaveProperty('key')
})

test('every file that a page or the manifest names is in the archive, and nothing is loaded from elsewhere', () => {
  const files = built.listFiles('firefox')
  const texts = [...files].filter(([path]) => /\.(?:html|js|json)$/u.test(path)).map(([, text]) => String(text))
  const named = texts.flatMap((text) => [
    ...text.matchAll(/(?:src|href)="([^"]+)"|from *["'`]\.\/([^"'`]+)["'`]|"([\w-]+\.(?:png|html|js))"/gu),
  ])
  const paths = named.map(([, page, script, entry]) => page ?? script ?? entry ?? '')

  expect(paths.length).toBeGreaterThan(8)
  expect(paths.filter((path) => !files.has(path))).toEqual([])
  expect(texts.filter((text) => /\beval\(|new Function\(|import\(["'`]https?:/u.test(text))).toEqual([])
})

test('the licenses of the bundled packages are in the archive', () => {
  const text = String(built.listFiles('firefox').get('licenses.txt'))

  expect(text.match(/^(?:@?[\w/-]+) \d+\.\d+\.\d+$/gmu)?.map((line) => line.split(' ')[0])).toEqual([
    'idb',
    'openapi-fetch',
    'preact',
  ])
})

test('the popup does not load the replica, so that it opens quickly', () => {
  const files = built.listFiles('chromium')
  const loaded = new Set(['popup.js'])
  for (const path of loaded) {
    for (const [, next = ''] of String(files.get(path)).matchAll(/from *["'`]\.\/([^"'`]+)["'`]/gu)) loaded.add(next)
  }
  const code = [...loaded].map((path) => String(files.get(path))).join('\n')

  expect(loaded.size).toBeGreaterThan(1)
  expect(code).not.toContain('grant_type')
  expect(Buffer.byteLength(code)).toBeLessThan(60_000)
})

test('an archive has the same bytes each time, and holds all files', () => {
  const files = built.listFiles('chromium')

  const archive = packZip(files, 1_790_000_001)
  const again = packZip(new Map([...files].reverse()), 1_790_000_001)

  expect(archive.equals(again)).toBe(true)
  expect(unpackZip(archive)).toEqual(new Map([...files].map(([path, content]) => [path, Buffer.from(content)])))
})
