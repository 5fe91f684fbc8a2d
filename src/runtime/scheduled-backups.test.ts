import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openScheduledBackups } from './scheduled-backups.ts'

const hour = 3600

/** Opens a schedule with a clock that the test sets, in seconds. */
const open = (options: { readonly last?: number; readonly fails?: () => boolean } = {}) => {
  let now = 1_000_000
  const created: number[] = []
  const logged: string[] = []
  const backups = openScheduledBackups({
    everySeconds: 24 * hour,
    last: options.last,
    now: () => now * 1000,
    create: async () => {
      if (options.fails?.() === true) throw new Error('the disk is full')
      created.push(now)
      return 'done'
    },
    log: pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line).msg) }),
  })
  onTestFinished(backups.close)
  const pass = async (seconds: number) => {
    now += seconds
    await backups.check()
  }
  return { backups, created: created, logged, pass, turnTo: (time: number) => (now = time) }
}

test('the first backup is made at once, the next after the interval', async () => {
  const { backups, created, pass } = open()

  await pass(0)
  await pass(23 * hour)
  await pass(hour)

  expect(created).toEqual([1_000_000, 1_000_000 + 24 * hour])
  expect(backups.state()).toEqual({ last: created[1], next: 1_000_000 + 48 * hour, problem: null })
})

test('after a restart the time of the newest backup counts', async () => {
  const { created, pass } = open({ last: 1_000_000 - 23 * hour })

  await pass(0)
  await pass(hour)

  expect(created).toEqual([1_000_000 + hour])
})

test('a failed backup is logged, and retried within an hour', async () => {
  let fails = true
  const { backups, created, logged, pass } = open({ fails: () => fails })

  await pass(0)
  const failed = backups.state()
  fails = false
  await pass(hour)

  expect(failed).toEqual({ last: null, next: 1_000_000 + hour, problem: 'the disk is full' })
  expect(logged).toEqual(['the backup failed: the disk is full', 'backup: done'])
  expect([created, backups.state().problem]).toEqual([[1_000_000 + hour], null])
})

test('a clock that was set back delays no backup by more than the interval', async () => {
  const { created, pass, turnTo } = open()
  await pass(0)

  turnTo(1000)
  await pass(0)
  await pass(24 * hour)

  expect(created).toEqual([1_000_000, 1000 + 24 * hour])
})

test('a closed schedule makes no more backups', async () => {
  const { backups, created, pass } = open()

  await backups.close()
  await pass(48 * hour)

  expect(created).toEqual([])
})
