import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { ApiError, type ApiErrorKind } from '../api-error.ts'
import {
  type AttemptLimits,
  createLoginAttempts,
  defaultAttemptLimits,
  type FailedAttempt,
  type LoginAttempt,
} from './login-attempts.ts'

afterEach(() => {
  vi.useRealTimers()
})

const day = 24 * 3600 * 1000

const openFixture = (change: Partial<AttemptLimits> = {}) => {
  const clock = { now: 1 }
  const failures: FailedAttempt[] = []
  const waits: number[] = []
  const attempts = createLoginAttempts(
    (failure) => failures.push(failure),
    { ...defaultAttemptLimits, ...change },
    { now: () => clock.now, sleep: async (ms) => void waits.push(ms) },
  )
  let checks = 0
  const guess = (attempt: LoginAttempt, verify: () => Promise<boolean>, userId = 'id') =>
    attempts
      .check(attempt, async (checkPassword) => {
        const isRight = await checkPassword(userId, () => {
          checks++
          return verify()
        })
        if (!isRight) throw new ApiError('passwordInvalid')
        return 'granted'
      })
      .catch((error: unknown) => (error instanceof ApiError ? error.kind : error))
  return {
    attempts,
    clock,
    failures,
    waits,
    countChecks: () => checks,
    wrong: (address: string, username = 'anna') => guess({ address, username }, async () => false),
    right: (address: string, username = 'anna', userId?: string) =>
      guess({ address, username }, async () => true, userId),
    guess,
  }
}

const repeat = async <T>(times: number, work: (index: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let index = 0; index < times; index++) results.push(await work(index))
  return results
}
const ipv4 = (index: number) => `10.0.${index >> 8}.${index & 255}`

test('ten wrong passwords block an account for their IP address only; the eleventh is not checked', async () => {
  const { wrong, right, countChecks } = openFixture()

  const tries = await repeat(11, () => wrong('10.0.0.1'))

  expect(tries).toEqual([...Array(10).fill('passwordInvalid'), 'tooManyAttempts'])
  expect(countChecks()).toBe(10)
  expect(await right('10.0.0.1')).toBe('tooManyAttempts')
  expect(await right('10.0.0.1', 'berta')).toBe('granted')
  expect(await right('10.0.0.2')).toBe('granted')
})

test('names that differ in case or outer spaces, and addresses of one /64, count together', async () => {
  const { wrong, right } = openFixture()
  const names = ['anna', 'Anna', ' ANNA ', '\uff21nna', 'anNa']

  await repeat(10, (index) => wrong(`2001:db8:1:2:${index}::1`, names[index % 5]))

  expect(await right('2001:db8:1:2:ffff::1')).toBe('tooManyAttempts')
  expect(await right('2001:db8:1:3::1')).toBe('granted')
  expect((await repeat(10, () => wrong('::ffff:10.0.0.1'))).at(-1)).toBe('passwordInvalid')
  expect(await right('10.0.0.1')).toBe('tooManyAttempts')
})

test('texts that are too long for a name are counted as they were typed', async () => {
  const { wrong, right } = openFixture()

  await repeat(10, () => wrong('10.0.0.1', 'A'.repeat(401)))

  expect(await right('10.0.0.1', 'A'.repeat(401))).toBe('tooManyAttempts')
  expect(await right('10.0.0.1', 'a'.repeat(401))).toBe('granted')
  expect((await repeat(10, () => wrong('10.0.0.2', 'A'.repeat(400)))).at(-1)).toBe('passwordInvalid')
  expect(await right('10.0.0.2', 'a'.repeat(400))).toBe('tooManyAttempts')
})

test('many attempts at once get no more guesses than one after the other', async () => {
  const { guess, countChecks } = openFixture()
  const slow = async () => {
    await sleep(1)
    return false
  }

  const all = Array.from({ length: 50 }, () => guess({ address: '10.0.0.1', username: 'anna' }, slow))
  await Promise.all(all)

  expect(countChecks()).toBe(10)
})

test('a right password clears what its address failed, and opens nothing to others', async () => {
  const { wrong, right } = openFixture()
  await repeat(9, () => wrong('10.0.0.1'))
  await repeat(10, () => wrong('10.0.0.2'))

  expect(await right('10.0.0.1')).toBe('granted')

  expect(await repeat(9, () => wrong('10.0.0.1'))).toEqual(Array(9).fill('passwordInvalid'))
  expect(await right('10.0.0.1')).toBe('granted')
  expect(await right('10.0.0.2')).toBe('tooManyAttempts')
})

test('guesses from everywhere slow an account down for new clients, and block nobody', async () => {
  const { attempts, wrong, right, waits, clock } = openFixture()
  await attempts.recordSuccess('10.9.0.1', 'anna-id')

  await repeat(100, (index) => wrong(ipv4(index)))
  expect(waits).toEqual([])
  await repeat(3, (index) => wrong(ipv4(200 + index)))
  expect(await right('10.9.0.2')).toBe('granted')

  expect(waits).toEqual([1000, 2000, 3000])
  expect(await right('10.9.0.1', 'anna', 'anna-id')).toBe('granted')
  expect(await right('10.9.0.3', 'berta')).toBe('granted')
  expect(waits).toHaveLength(3)
  clock.now += day
  expect(await right('10.9.0.2')).toBe('granted')
  expect(waits).toHaveLength(3)
})

test('an attempt that would wait too long gets the time to wait, and reserves no slot', async () => {
  const { attempts, clock } = openFixture({ failuresPerSecond: 1, maxSpacingSeconds: 3 })
  const wrong = (index: number) =>
    attempts.check({ address: ipv4(index), username: 'anna' }, async (check) => check('id', async () => false))
  await repeat(4, wrong)

  const tooMany = { kind: 'tooManyAttempts', details: { retryAfterSeconds: 6 } }
  await expect(wrong(10)).rejects.toMatchObject(tooMany)
  await expect(wrong(11)).rejects.toMatchObject(tooMany)
  clock.now += 3_000

  expect(await wrong(12)).toBe(false)
})

test('addresses that keep guessing take no slot from an address that tries for the first time', async () => {
  const { wrong, right, waits } = openFixture({ failuresPerSecond: 50 })
  await repeat(50, (index) => wrong(ipv4(index)))
  await repeat(50, (index) => wrong(ipv4(index)))
  const before = [...waits]

  expect(await wrong(ipv4(0))).toBe('tooManyAttempts')
  expect(await right('10.9.0.1')).toBe('granted')

  expect(Math.max(...before)).toBe(30_000)
  expect(waits).toEqual(before)
})

test('an address that guesses many names is slowed down for all its users', async () => {
  const { attempts, wrong, right, waits } = openFixture()
  await attempts.recordSuccess('10.0.0.1', 'anna-id')

  await repeat(102, (index) => wrong('10.0.0.1', `user ${index}`))

  expect(waits).toEqual([1000])
  expect(await right('10.0.0.1', 'anna', 'anna-id')).toBe('granted')
  expect(waits).toEqual([1000])
  expect(await right('10.0.0.1', 'berta', 'berta-id')).toBe('granted')
  expect(waits).toEqual([1000, 2000])
})

test('right clients and tokens are never rejected, and wrong ones get 429 only at the limit', async () => {
  const { attempts, right } = openFixture({ perAddress: 3 })
  const check = (work: () => Promise<unknown>) =>
    attempts.check({ address: '10.0.0.1' }, work).catch((error: ApiError) => [error.kind, error.details])
  const fail = (kind: ApiErrorKind) => () => check(() => Promise.reject(new ApiError(kind)))

  const kinds = ['clientInvalid', 'refreshTokenInvalid', 'clientInvalid'] as const
  for (const kind of kinds) expect(await fail(kind)()).toEqual([kind, {}])

  expect(await fail('refreshTokenInvalid')()).toEqual(['tooManyAttempts', { retryAfterSeconds: 300 }])
  expect(await fail('clientMissing')()).toEqual(['clientMissing', {}])
  expect(await check(async () => 'fresh pair')).toBe('fresh pair')
  expect(await right('10.0.0.1')).toBe('granted')
})

test('only failed attempts count', async () => {
  const { attempts, failures } = openFixture({ perAddress: 1 })

  for (let time = 0; time < 5; time++) {
    const unavailable = attempts.check({ address: 'a' }, () => Promise.reject(new ApiError('storeUnavailable')))
    await expect(unavailable).rejects.toEqual(new ApiError('storeUnavailable'))
    await expect(attempts.check({ address: 'a' }, () => Promise.reject('disk gone'))).rejects.toBe('disk gone')
  }

  expect(failures).toEqual([])
})

test('a blocked pair opens when its time has passed, by a monotonic clock', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { attempts, clock, wrong, right } = openFixture()
  await repeat(10, () => wrong('10.0.0.1'))

  vi.setSystemTime(Date.now() - 365 * day)
  clock.now += 100_000
  const attempt = attempts.check({ address: '10.0.0.1', username: 'anna' }, async (check) =>
    check('id', async () => true),
  )

  await expect(attempt).rejects.toMatchObject({ details: { retryAfterSeconds: 200 } })
  clock.now += 199_000
  expect(await right('10.0.0.1')).toBe('tooManyAttempts')
  clock.now += 2_000
  expect(await right('10.0.0.1')).toBe('granted')
})

test('the queue is limited, and a flood from one address takes no slot of another', async () => {
  const { guess, failures } = openFixture({ maxWaiting: 4 })
  let open = () => {}
  const closed = new Promise<void>((resolve) => {
    open = resolve
  })
  const done: string[] = []
  const slow = (address: string) =>
    guess({ address, username: address }, async () => {
      await closed
      done.push(address)
      return true
    })

  const flood = Array.from({ length: 10 }, () => slow('10.0.0.1'))
  const owner = slow('10.0.0.2')
  open()

  expect(await owner).toBe('granted')
  expect((await Promise.all(flood)).filter((result) => result === 'signInsBusy')).toHaveLength(6)
  expect(done).toEqual(['10.0.0.1', '10.0.0.1', '10.0.0.2', '10.0.0.1', '10.0.0.1'])
  expect(failures.map(({ reason }) => reason)).toEqual(Array(6).fill('limit'))
})

test('known clients do not wait while new clients guess', async () => {
  const { attempts, guess, right } = openFixture()
  await attempts.recordSuccess('10.0.0.2', 'anna-id')
  let open = () => {}
  const closed = new Promise<boolean>((resolve) => {
    open = () => resolve(false)
  })
  const guesses = Array.from({ length: 20 }, (_, index) =>
    guess({ address: ipv4(1000 + index), username: 'x' }, () => closed),
  )

  expect(await right('10.0.0.2', 'anna', 'anna-id')).toBe('granted')

  open()
  expect(await Promise.all(guesses)).toEqual(Array(20).fill('passwordInvalid'))
})
