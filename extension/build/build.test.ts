import { fileURLToPath } from 'node:url'
import { crc32, inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { extensionRedirectUris } from '../../src/accounts/apps.ts'
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

/** Reads the files of an archive by its central directory, as browsers do. */
const unpack = (archive: Buffer): Map<string, Buffer> => {
  const end = archive.length - 22
  expect(archive.readUInt32LE(end)).toBe(0x06054b50)
  const files = new Map<string, Buffer>()
  for (let left = archive.readUInt16LE(end + 10), at = archive.readUInt32LE(end + 16); left > 0; left--) {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50)
    const [sum, packed, size] = [16, 20, 24].map((offset) => archive.readUInt32LE(at + offset))
    const nameLength = archive.readUInt16LE(at + 28)
    const local = archive.readUInt32LE(at + 42)
    expect(archive.subarray(local + 4, local + 30)).toEqual(archive.subarray(at + 6, at + 32))
    const start = local + 30 + nameLength
    const content = inflateRawSync(archive.subarray(start, start + (packed ?? 0)))
    expect([content.length, crc32(content)]).toEqual([size, sum])
    files.set(archive.subarray(at + 46, at + 46 + nameLength).toString(), content)
    at += 46 + nameLength
  }
  return files
}

test('an archive has the same bytes each time, and holds all files', () => {
  const files = built.listFiles('chromium')

  const archive = packZip(files, 1_790_000_001)
  const again = packZip(new Map([...files].reverse()), 1_790_000_001)

  expect(archive.equals(again)).toBe(true)
  expect(unpack(archive)).toEqual(new Map([...files].map(([path, content]) => [path, Buffer.from(content)])))
})
