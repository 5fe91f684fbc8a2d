import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { runCommandLine } from '../../src/cli/command-line.ts'
import { allRules } from '../../src/rules/all-rules.ts'

const program = fileURLToPath(new URL('../from-the-page/server.py', import.meta.url))
const hasPython = spawnSync('python3', ['--version']).status === 0

/** Starts the server and returns its base URL. @throws Error when the server ends before it prints one */
const startServer = async (): Promise<string> => {
  if (!hasPython) throw new Error('this test needs python3, which this machine does not have')
  const users = ['alice:wonderland', 'bob:builder']
  const child: ChildProcess = spawn('python3', [program, 'dev', 's3cret', ...users], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  if (child.stdout === null) throw new Error('the server has no output')
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error('the server ended before it printed its base URL')
}

test.skipIf(!hasPython && process.env.CI !== 'true')(
  'a server written from docs/reference/protocol.md alone, in another language, passes core (needs python3)',
  { timeout: 180_000 },
  async () => {
    const baseUrl = await startServer()
    let text = ''
    const output = { isTerminal: false, columns: 80, write: (part: string) => (text += part) }
    const environment = {
      THINGSYNC_BASE_URL: baseUrl,
      THINGSYNC_CLIENT_ID: 'dev',
      THINGSYNC_CLIENT_SECRET: 's3cret',
      THINGSYNC_USER: 'alice:wonderland\nbob:builder',
    }
    const errors = { ...output, write: () => {} }
    const context = { environment, output, errors, rules: allRules, signal: new AbortController().signal }

    const exitCode = await runCommandLine(['--level', 'should', '--seed', '1'], context)

    expect([exitCode, text]).toEqual([0, expect.stringContaining('PASSED: ')])
  },
)
