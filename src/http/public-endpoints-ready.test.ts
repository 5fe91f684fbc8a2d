import { expect, test } from 'vitest'
import { createReadyCheck, readyCacheMilliseconds } from './public-endpoints.ts'

/** Opens a fake store whose checks and clock the test controls. */
const openStore = () => {
  const checks: { resolve: () => void; reject: (error: Error) => void }[] = []
  const clock = { now: 0 }
  const check = () =>
    new Promise<void>((resolve, reject) => {
      checks.push({ resolve, reject })
    })
  return { checks, clock, ask: createReadyCheck(check, () => clock.now) }
}

test('calls during a check and until 5 s after it get its result', async () => {
  const { checks, clock, ask } = openStore()

  const first = [ask(), ask()]
  clock.now = 60_000
  first.push(ask())
  checks[0]?.resolve()
  await Promise.all(first)
  clock.now += readyCacheMilliseconds - 1
  await ask()

  expect(checks).toHaveLength(1)
  clock.now += 1
  const second = ask()
  expect(checks).toHaveLength(2)
  checks[1]?.resolve()
  await second
})

test('the result of a failed check is reused as long', async () => {
  const { checks, clock, ask } = openStore()

  const first = ask()
  checks[0]?.reject(new Error('disk full'))

  await expect(first).rejects.toThrow('disk full')
  await expect(ask()).rejects.toThrow('disk full')
  expect(checks).toHaveLength(1)
  clock.now += readyCacheMilliseconds
  const second = ask()
  checks[1]?.resolve()
  await second
  expect(checks).toHaveLength(2)
})
