import { expect, test } from 'vitest'
import { gatherForRestart } from './restart.ts'
import { Finding } from './result.ts'

test('rules share one restart, after the last step of each and after those that ended before', async () => {
  const seen: string[] = []
  const { join } = gatherForRestart(3, async () => {
    seen.push('restart')
  })
  const [one, other, third] = [join(), join(), join()]
  const rule = async (name: string, part: typeof one): Promise<void> => {
    await part.take(async () => {
      seen.push(`last step of ${name}`)
    })
    seen.push(`${name} goes on`)
    part.leave()
  }

  const running = [rule('one', one), rule('other', other)]
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(seen).toEqual([])
  third.leave()
  await Promise.all(running)

  expect(seen).toEqual(['last step of one', 'last step of other', 'restart', 'one goes on', 'other goes on'])
})

test('a failed last step fails its own rule only', async () => {
  let restarts = 0
  const { join } = gatherForRestart(2, async () => {
    restarts += 1
  })
  const [one, other] = [join(), join()]
  const failing = one.take(async () => {
    throw new Finding('a response', 'none came')
  })
  const going = other.take()

  await expect(failing).rejects.toThrow('none came')
  await expect(going).resolves.toBeUndefined()
  expect(restarts).toBe(1)
})

test('each rule gets the error of a failed restart, and no restart happens when all rules have ended', async () => {
  const failing = gatherForRestart(1, async () => {
    throw new Error('it stays away')
  })
  await expect(failing.join().take()).rejects.toThrow('it stays away')

  let restarts = 0
  const needless = gatherForRestart(1, async () => {
    restarts += 1
  })
  needless.join().leave()
  await new Promise((resolve) => setTimeout(resolve, 1))

  expect(restarts).toBe(0)
})
