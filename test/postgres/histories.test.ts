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

  const { failed } = await runHistory(await openStores(processes, url), (awaitWrites) => awaitWrites(200))

  expect(failed).toBe(0)
})

test(
  'the same while the database crashes and comes back',
  async () => {
    const postgres = await startPostgres()
    onTestFinished(postgres.stop)

    const outcome = await runHistory(await openStores(processes, postgres.url()), async (awaitWrites) => {
      const random = createRandom(1)
      for (let crash = 0; crash < crashes; crash += 1) {
        await awaitWrites(5)
        await wait(random.below(700))
        await postgres.kill()
        await postgres.start()
      }
      await awaitWrites(5)
    })

    expect(outcome.acknowledged).toBeGreaterThan(5 * crashes)
    if (crashes > 3) console.error(`${crashes} crashes: ${JSON.stringify(outcome)}`)
  },
  60_000 + crashes * 60_000,
)

test('the same while connections break with responses on their way', async () => {
  const { url, drop } = await openTestDatabase()
  onTestFinished(drop)
  const proxy = await openCuttingProxy(Number(new URL(url).port))
  onTestFinished(proxy.close)
  const through = new URL(url)
  through.port = String(proxy.port)

  await runHistory(await openStores(processes, through.href), async (awaitWrites) => {
    const random = createRandom(2)
    for (let cut = 0; cut < cuts; cut += 1) {
      await awaitWrites(2)
      await wait(random.below(100))
      proxy.cut()
    }
    await awaitWrites(2)
  })

  expect(proxy.countCuts()).toBeGreaterThan(cuts)
})
