import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openTestServer } from '../../support/open-test-server.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const page = await readFile(join(root, 'docs/tutorials/implement-a-server.md'), 'utf8')
const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
const run = promisify(execFile)

/** Runs the suite of this tree where the page runs the built one; its report is shown when a rule fails. */
const suite = `npx() {
  shift 2
  node --import tsx conformance/src/main.ts --seed 1 "$@" > "$WORK/report" 2>&1 || { cat "$WORK/report" >&2; return 1; }
}
`

/** Replaces the values that differ in every run of the page. */
const nameWhatDiffers = (output: string): string => output.replace(/"[A-Za-z0-9_-]{20}"/g, '"ID"')

test('the tutorial begins with the build of the suite, and ends with a whole run', () => {
  expect(blocks[0]).toContain('npm ci && npm run build\n')
  expect(blocks.at(-1)).toBe('npx --no-install thingsync-conformance doctor\nnpx --no-install thingsync-conformance\n')
})

test('the requests of the tutorial get the responses that it shows, and the rules of each step pass', async () => {
  const server = await openTestServer()
  for (const name of ['alice', 'bob', 'carol']) await server.addUser(name)
  const work = await mkdtemp(join(tmpdir(), 'tutorial-'))
  onTestFinished(() => rm(work, { recursive: true, force: true }))
  const steps = blocks.slice(2, -1)

  const { stdout, stderr } = await run('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', suite + steps.join('\n')], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      WORK: work,
      NAME: 'carol',
      PASSWORD: 'correct horse',
      THINGSYNC_BASE_URL: server.baseUrl,
      THINGSYNC_CLIENT_ID: server.clientId,
      THINGSYNC_CLIENT_SECRET: server.clientSecret,
      THINGSYNC_USER: 'alice:correct horse\nbob:correct horse',
    },
  })

  const promised = steps.flatMap((block) => block.split('\n').filter((line) => line.startsWith('# ')))
  expect(stderr).toBe('')
  expect(nameWhatDiffers(stdout).trim().split('\n').filter(Boolean)).toEqual(promised.map((line) => line.slice(2)))
})
