import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openTestServer } from '../../support/open-test-server.ts'

const page = await readFile(new URL('../../../docs/tutorials/first-sync.md', import.meta.url), 'utf8')
const [start = '', ...blocks] = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
const run = promisify(execFile)

/** Replaces the values that differ in every run of the page. */
const nameWhatDiffers = (output: string): string =>
  output.replace(/"[A-Za-z0-9_-]{20}"/g, '"ID"').replace(/"date":\d+/g, '"date":DATE')

/** Replaces the values that a reader takes from the first start of a server. */
const setValues = (code: string, values: Readonly<Record<string, string>>): string =>
  Object.entries(values).reduce(
    (text, [name, value]) => text.replace(new RegExp(`^${name}=.*$`, 'm'), () => `${name}='${value}'`),
    code,
  )

test('the tutorial begins with the command that starts a server', () => {
  expect(start).toBe('npm ci && npm start\n')
})

test('the commands of the tutorial, pasted one after the other into a shell, print what it shows', async () => {
  const server = await openTestServer()
  const code = setValues(blocks.join('\n'), {
    BASE: server.baseUrl,
    CLIENT_ID: server.clientId,
    CLIENT_SECRET: server.clientSecret,
    USER_NAME: 'anna',
    PASSWORD: 'correct horse',
  })

  const { stdout, stderr } = await run('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', code], {
    env: { PATH: process.env.PATH ?? '' },
  })

  const promised = blocks.flatMap((block) => block.split('\n').filter((line) => line.startsWith('# ')))
  expect(stderr).toBe('')
  expect(nameWhatDiffers(stdout).trim().split('\n').filter(Boolean)).toEqual(promised.map((line) => line.slice(2)))
})
