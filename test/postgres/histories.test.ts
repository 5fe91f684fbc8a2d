import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createRandom } from '../store/faults/random.ts'
import { openCuttingProxy } from './cutting-proxy.ts'
import { openTestDatabase } from './open-database.ts'
import { openStores } from './open-stores.ts'
import { runHistory } from './run-history.ts'
import { startPostgres } from './start-postgres.ts'

const processes = 3
/** `THINGSYNC_POSTGRES_CRASHES=50 npm run test:postgres -- histories` for a long run. */
const crashes = Number(process.env.THINGSYNC_POSTGRES_CRASHES ?? 3)
const cuts = 20

test('of 8 clients over 3 processes no change is lost, none is listed twice, and no position is given twice', async () => {
  const { url, drop } = await openTestDatabase()
  onTestFinished(drop)

  const { refused } = await runHistory(await openStores(processes, url), (awaitResponses) => awaitResponses(200))

  expect(refused).toBe(0)
})

test(
  'the same while the database crashes and comes back',
  async () => {
    const postgres = await startPostgres()
    onTestFinished(postgres.stop)

    const judged = await runHistory(await openStores(processes, postgres.url()), async (awaitResponses) => {
      const random = createRandom(1)
      for (let crash = 0; crash < crashes; crash += 1) {
        await awaitResponses(5)
        await wait(random.below(700))
        await postgres.kill()
        await postgres.start()
      }
      await awaitResponses(5)
    })

    expect(judged.answered).toBeGreaterThan(5 * crashes)
    if (crashes > 3) console.error(`${crashes} crashes: ${JSON.stringify(judged)}`)
  },
  60_000 + crashes * 60_000,
)

test('the same while connections break with answers on their way', async () => {
  const { url, drop } = await openTestDatabase()
  onTestFinished(drop)
  const proxy = await openCuttingProxy(Number(new URL(url).port))
  onTestFinished(proxy.close)
  const through = new URL(url)
  through.port = String(proxy.port)

  await runHistory(await openStores(processes, through.href), async (awaitResponses) => {
    const random = createRandom(2)
    for (let cut = 0; cut < cuts; cut += 1) {
      await awaitResponses(2)
      await wait(random.below(100))
      proxy.cut()
    }
    await awaitResponses(2)
  })

  expect(proxy.countCuts()).toBeGreaterThan(cuts)
})
