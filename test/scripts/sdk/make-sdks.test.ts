import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pinFile, prepareGenerator, readPin } from '../../../scripts/sdk/make-sdks.ts'

let folder = ''
const pathTo = (...names: string[]): string => join(folder, ...names)

const writePin = (bytes: string, settings: object = {}): string => {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const pin = { version: '1.2.3', sha256, storageDir: 'jars', ...settings }
  writeFileSync(pathTo('openapitools.json'), JSON.stringify({ 'generator-cli': pin }))
  return pathTo('openapitools.json')
}

/** Opens a server that sends these bytes as a JAR, with the settings that let the front fetch from it. */
const openJarServer = async (bytes: string) => {
  const server = createServer((_, response) => response.end(bytes)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const downloadUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/generator.jar`
  return { settings: { repository: { downloadUrl } }, close: () => server.close() }
}

/** An environment in which Java leaves a trace when it is run. */
const traceJava = () => {
  mkdirSync(pathTo('bin'))
  writeFileSync(pathTo('bin', 'java'), `#!/bin/sh\necho ran > '${pathTo('java-ran')}'\n`, { mode: 0o755 })
  return { PATH: `${pathTo('bin')}:${process.env.PATH}` }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'thingsync-generator-'))
  mkdirSync(pathTo('jars'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('the release and its checksum are pinned, and no host is named', () => {
  const pin = readPin()

  expect(pin.version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(pin.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(readFileSync(pinFile, 'utf8')).not.toContain('://')
})

test('the front fetches what is pinned, and nothing runs it meanwhile', async () => {
  const server = await openJarServer('the generator')

  await prepareGenerator(undefined, writePin('the generator', server.settings), traceJava())

  server.close()
  expect(readFileSync(pathTo('jars', '1.2.3.jar'), 'utf8')).toBe('the generator')
  expect(existsSync(pathTo('java-ran'))).toBe(false)
})

test('another file that was fetched is removed, and was never run', async () => {
  const server = await openJarServer('another')

  const prepared = prepareGenerator(undefined, writePin('the generator', server.settings), traceJava())

  await expect(prepared).rejects.toThrow('it was removed and not run')
  server.close()
  expect(existsSync(pathTo('jars', '1.2.3.jar'))).toBe(false)
  expect(existsSync(pathTo('java-ran'))).toBe(false)
})

test('a JAR that cannot be fetched is requested from the user', async () => {
  const server = await openJarServer('the generator')
  server.close()

  const prepared = prepareGenerator(undefined, writePin('the generator', server.settings), {})

  await expect(prepared).rejects.toThrow('give its JAR with --jar FILE or THINGSYNC_GENERATOR_JAR')
})

test('a given JAR is installed when it is the pinned one, byte for byte', async () => {
  writeFileSync(pathTo('given.jar'), 'the generator')
  writeFileSync(pathTo('other.jar'), 'another')

  await prepareGenerator(pathTo('given.jar'), writePin('the generator'))
  const prepared = prepareGenerator(pathTo('other.jar'), pathTo('openapitools.json'))

  await expect(prepared).rejects.toThrow('is not openapi-generator 1.2.3')
  expect(readFileSync(pathTo('jars', '1.2.3.jar'), 'utf8')).toBe('the generator')
})
