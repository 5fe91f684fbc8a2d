import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runCommandLine } from '../../src/cli/command-line.ts'
import type { Behavior } from '../../src/model/behavior.ts'
import { openRightServer } from '../../src/model/right-server.ts'
import { allRules } from '../../src/rules/all-rules.ts'

const readme = fileURLToPath(new URL('../../README.md', import.meta.url))

/** Unfinished servers, and the heading of their screen in the README. */
const stages: readonly { readonly heading: string; readonly behavior: Partial<Behavior> }[] = [
  { heading: '`/token` works, `/sync` is not there yet', behavior: { operations: ['token'] } },
  { heading: 'Uploads work, but every listing is a full one', behavior: { isFull: () => true } },
  { heading: 'One mistake: incremental syncs do not list deletions', behavior: { listsDeleted: () => false } },
]

/** Runs the suite and returns its screen, without the parts that differ between runs. */
const screenOf = async (behavior: Partial<Behavior>): Promise<string> => {
  const server = await openRightServer({ behavior })
  const folder = await mkdtemp(join(tmpdir(), 'screens-'))
  let text = ''
  const write = (part: string): void => {
    text += part
  }
  const output = { write, isTerminal: false, columns: 80 }
  const environment = {
    THINGSYNC_BASE_URL: server.baseUrl,
    THINGSYNC_CLIENT_ID: server.clientId,
    THINGSYNC_CLIENT_SECRET: server.clientSecret,
    THINGSYNC_USER: server.users.map(({ username, password }) => `${username}:${password}`).join('\n'),
  }
  const words = ['--histories', '0', '--jobs', '1', '--seed', '1', '--scripts', folder]
  const errors = { ...output, write: () => {} }
  await runCommandLine(words, { environment, output, errors, rules: allRules, signal: new AbortController().signal })
  await server.close()
  await rm(folder, { recursive: true, force: true })
  return (
    text
      .replaceAll(folder, '/tmp/repeat')
      .replaceAll(server.baseUrl, 'http://localhost:8080/v1/')
      .replaceAll(server.baseUrl.replace(/\/$/, ''), 'http://localhost:8080/v1')
      .replaceAll(/tsc[0-9a-f]{8}/g, 'tsc0a1b2c3d')
      .replaceAll(/\b[0-9a-f]{18}\b/g, '5f3a0c7e91b2d4f608')
      .replaceAll(/"[0-9a-f]*…/g, '"…')
      // Positions change with each new rule.
      .replaceAll(/(laptop was given|with position) \d+/g, '$1 1843')
      .replaceAll(/\d+\.\d s$/gm, '2.0 s')
  )
}

test('the README shows the screens of three unfinished servers; SCREENS=write writes them', {
  timeout: 600_000,
}, async () => {
  const screens: string[] = []
  for (const { heading, behavior } of stages) {
    screens.push(`### ${heading}\n\n\`\`\`\n${(await screenOf(behavior)).trim()}\n\`\`\`\n`)
  }
  for (const screen of screens) {
    expect(screen.split('\n').length).toBeLessThanOrEqual(34)
    expect(screen).toContain(' 0 errors of the suite')
  }
  const text = await readFile(readme, 'utf8')
  const [before = '', rest = ''] = text.split('<!-- screens -->\n')
  const [, after = ''] = rest.split('<!-- end of screens -->')
  const wanted = `${before}<!-- screens -->\n${screens.join('\n')}<!-- end of screens -->${after}`
  if (process.env.SCREENS === 'write') await writeFile(readme, wanted)

  expect(await readFile(readme, 'utf8')).toBe(wanted)
})
