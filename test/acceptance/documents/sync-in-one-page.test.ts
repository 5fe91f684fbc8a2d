import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openTestServer } from '../../support/open-test-server.ts'

const page = await readFile(new URL('../../../docs/sync-in-one-page.md', import.meta.url), 'utf8')
const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
const run = promisify(execFile)

/** Replaces the values that differ in every run of the page. */
const nameWhatDiffers = (output: string): string =>
  output.replace(/"[A-Za-z0-9_-]{20}"/g, '"ID"').replace(/"date":\d+/g, '"date":DATE')

test('the commands of the page, pasted one after the other into a shell, print what the page says', async () => {
  const server = await openTestServer()
  const env = {
    PATH: process.env.PATH ?? '',
    BASE: server.baseUrl,
    CLIENT_ID: server.clientId,
    CLIENT_SECRET: server.clientSecret,
    USERNAME: 'anna',
    PASSWORD: 'correct horse',
  }

  const { stdout, stderr } = await run('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', blocks.join('\n')], { env })

  const promised = blocks.flatMap((block) => block.split('\n').filter((line) => line.startsWith('# ')))
  expect(stderr).toBe('')
  expect(nameWhatDiffers(stdout).trim().split('\n').filter(Boolean)).toEqual(promised.map((line) => line.slice(2)))
})
