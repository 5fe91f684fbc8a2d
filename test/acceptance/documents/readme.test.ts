import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openTestServer } from '../../support/open-test-server.ts'

const page = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')
const [start = '', tests = '', requests = ''] = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
  ([, code = '']) => code,
)
const run = promisify(execFile)

/** Replaces the values that differ in every run. */
const nameWhatDiffers = (output: string): string =>
  output.replace(/"[A-Za-z0-9_-]{20}"/g, '"ID"').replace(/"date":\d+/g, '"date":DATE')

test('the README has at most 120 lines, and begins with the commands that start and test', () => {
  expect(page.split('\n').length).toBeLessThanOrEqual(121)
  expect(start).toMatch(/^npm ci && npm start /)
  expect(tests).toMatch(/^npm ci && npm test /)
})

test('the first sync of the README is four requests that get the responses it shows', async () => {
  const server = await openTestServer()
  const env = {
    PATH: process.env.PATH ?? '',
    BASE: server.baseUrl,
    CLIENT_ID: server.clientId,
    CLIENT_SECRET: server.clientSecret,
    USER_NAME: 'anna',
    PASSWORD: 'correct horse',
  }

  const { stdout, stderr } = await run('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', requests], { env })

  const promised = requests.split('\n').filter((line) => line.startsWith('# → '))
  expect(requests.match(/curl /g)?.length).toBe(4)
  expect(stderr).toBe('')
  expect(nameWhatDiffers(stdout).trim().split('\n')).toEqual(promised.map((line) => line.slice(4)))
})
