import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findChromium } from '../support/find-chromium.ts'

const tsx = createRequire(import.meta.url).resolve('tsx/cli')
const main = join(import.meta.dirname, '../../conformance/src/main.ts')

let folder = ''

beforeAll(async () => {
  // Below the packages of the project, which the bundles import.
  await mkdir(join(import.meta.dirname, 'dist'), { recursive: true })
  folder = await mkdtemp(join(import.meta.dirname, 'dist/'))
})

afterAll(() => rm(folder, { recursive: true }))

/** Bundles a program, because the suite starts each adapter many times, and returns its path. */
const bundle = async (name: string, platform: 'node' | 'browser'): Promise<string> => {
  const file = join(folder, `${name}.mjs`)
  const bundled = await rolldown({
    input: join(import.meta.dirname, `${name}.ts`),
    platform,
    tsconfig: join(import.meta.dirname, '../../tsconfig.json'),
    ...(platform === 'node' ? { external: ['playwright-core', 'tsx'] } : {}),
  })
  await bundled.write({ file })
  await bundled.close()
  return file
}

/** Runs the suite of clients with the adapter; fails with its report unless every MUST passes. */
const checkClient = async (
  profile: 'api' | 'replica',
  adapter: readonly string[],
  options: readonly string[] = [],
): Promise<string> => {
  const settings = ['--profile', profile, '--seed', '31', ...options]
  const command = [tsx, main, 'client', ...settings, '--', process.execPath, ...adapter]
  return await new Promise((resolve) => {
    execFile(process.execPath, command, { maxBuffer: 100_000_000 }, (error, stdout, stderr) =>
      resolve(
        error === null ? `exit code 0\n${stdout}` : `exit code ${error.code ?? error.signal}\n${stdout}${stderr}`,
      ),
    )
  })
}

test.each(['api', 'replica'] as const)('the client in Node passes the profile %s', async (profile) => {
  const adapter = await bundle('thingsync-client-adapter', 'node')

  const report = await checkClient(profile, [adapter])

  expect(report).toMatch(/^exit code 0\n/)
})

/** Beginnings of the rules that depend on the store, the kills and the network; Node plays all others with the same code. */
const rulesInChromium = [
  'OFFLINE KILL TORN LOST MEANWHILE SESSION LISTING PAGE POSITION HELD STRANGE DOWNLOAD SHORT FULL RESTORED AGAIN',
  'OUTCOME HIDDEN TEXT DATE SETTING DROPPED',
].flatMap((names) => names.split(' '))

test('the client in Chromium, with IndexedDB, passes the rules that depend on its platform', async () => {
  expect(
    findChromium(process.env.CHROMIUM),
    'npm run test:clients needs Chromium: apt-get install chromium',
  ).toBeDefined()
  const [adapter, page] = [await bundle('chromium-adapter', 'node'), await bundle('chromium-page', 'browser')]

  const options = ['--jobs', '2', ...rulesInChromium.flatMap((name) => ['--rule', `CLIENT-${name}`])]
  const profiles = await mkdtemp(join(tmpdir(), 'thingsync-chromium-'))
  onTestFinished(() => rm(profiles, { recursive: true, maxRetries: 10 }))

  const report = await checkClient('replica', [adapter, page, profiles], options)

  expect(report).toMatch(/^exit code 0\n/)
})
