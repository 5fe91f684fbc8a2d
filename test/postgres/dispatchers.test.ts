import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openTestDatabase, withConnection } from './open-database.ts'
import { openStores } from './open-stores.ts'

const program = fileURLToPath(new URL('endless-dispatcher.ts', import.meta.url))
const keys = Array.from({ length: 90 }, (_, number) => `entry-${number}`)

interface Dispatcher {
  readonly child: ChildProcess
  readonly lines: string[]
}

const startDispatcher = async (...args: readonly string[]): Promise<Dispatcher> => {
  const child = spawn(process.execPath, ['--import', 'tsx', program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = `${rest}${text}`.split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  })
  await once(child.stdout, 'data')
  return { child, lines }
}

const kill = async ({ child }: Dispatcher): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'close')
  child.kill('SIGKILL')
  await ended
}

const keysOf = (dispatchers: readonly Dispatcher[], word: string): readonly string[] =>
  dispatchers.flatMap(({ lines }) =>
    lines.filter((line) => line.startsWith(word)).map((line) => line.split(' ')[1] ?? ''),
  )

const awaitThat = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await wait(5)
}

test('one of three dispatchers delivers each outbox entry; another takes over from a killed one', async () => {
  const { url, drop } = await openTestDatabase()
  onTestFinished(drop)
  const victim = await startDispatcher(url, '5')
  const others = await Promise.all([startDispatcher(url), startDispatcher(url)])
  const dispatchers = [victim, ...others]
  onTestFinished(async () => {
    await Promise.all(dispatchers.map(kill))
  })
  const [store] = await openStores(1, url)
  onTestFinished(async () => store?.close())

  for (const [index, key] of keys.entries())
    await store?.write(`user-${index % 7}`, 'phone', (draft) => draft.putOutboxEntry(key, 0))
  await awaitThat(() => keysOf([victim], 'begin').length === 5)
  await kill(victim)
  const begun = keysOf([victim], 'begin')
  const ended = keysOf([victim], 'end')
  await awaitThat(
    () =>
      keysOf(dispatchers, 'begin').length >= keys.length && keysOf(others, 'end').length >= keys.length - begun.length,
  )
  const beforeTime = keysOf(dispatchers, 'begin')
  await withConnection(url, (connection) =>
    connection.query('update delivery set taken_until = 0 where taken_until is not null'),
  )
  const left = begun.filter((key) => !ended.includes(key))
  await awaitThat(() => keysOf(others, 'end').length + ended.length >= keys.length)

  expect(beforeTime.toSorted()).toEqual(keys.toSorted())
  expect(left).toHaveLength(1)
  expect(keysOf(dispatchers, 'end').toSorted()).toEqual(keys.toSorted())
  expect(await store?.listOutboxEntries()).toEqual([])
})
