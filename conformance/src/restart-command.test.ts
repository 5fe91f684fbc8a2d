import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { restartBy, restartManually } from './restart.ts'

const { signal } = new AbortController()

test('a command that succeeds is a restart, with any output', async () => {
  await expect(restartBy('echo stopping >&2; echo started')(signal)).resolves.toBeUndefined()
})

test('the restart does not wait for a server that the command leaves running in the background', async () => {
  await expect(restartBy('sleep 2 & exit 0')(signal)).resolves.toBeUndefined()
})

test('a command that fails is reported with its exit code and its last output', async () => {
  await expect(restartBy('echo no such service >&2; exit 7')(signal)).rejects.toThrow(
    'the command of --restart ended with 7: no such service',
  )
})

test('a command is ended with the run', async () => {
  const ending = new AbortController()
  const restarting = restartBy('sleep 60')(ending.signal)

  ending.abort()

  await expect(restarting).rejects.toThrow('the command of --restart did not end in time and was ended')
})

test('a server that the command leaves running may write after the command has ended', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'restart-command-'))
  try {
    const path = join(folder, 'alive')
    await restartBy(`(sleep 0.2; echo one; echo two >&2; echo alive >'${path}') & exit 0`)(signal)

    await expect.poll(() => readFile(path, 'utf8').catch(() => ''), { timeout: 30_000 }).toBe('alive\n')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a manual restart asks the user, and goes on when the user confirms it', async () => {
  const said: string[] = []
  const restart = restartManually({ say: (text) => said.push(text), waitForEnter: async () => true })

  await expect(restart(signal)).resolves.toBeUndefined()
  expect(said.join('')).toBe('\nRestart the server now. Press Enter when it has started again.\n')
})

test('a manual restart that nobody confirms blocks the rules', async () => {
  const restart = restartManually({ say: () => {}, waitForEnter: async () => false })

  await expect(restart(signal)).rejects.toThrow('the restart was not confirmed before the end of the run')
})
