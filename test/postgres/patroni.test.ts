import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createRandom } from '../store/faults/random.ts'
import { openStores } from './open-stores.ts'
import { startCluster } from './patroni/start-cluster.ts'
import { runHistory } from './run-history.ts'

const processes = 3
/** `THINGSYNC_POSTGRES_FAILOVERS=20 npm run test:postgres -- patroni` for a long run; half of them are lost primaries. */
const failovers = Number(process.env.THINGSYNC_POSTGRES_FAILOVERS ?? 2)

test(
  'of 8 clients over 3 processes nothing is lost while Patroni switches over and primaries are lost',
  async () => {
    const cluster = await startCluster()
    onTestFinished(cluster.stop, 60_000)

    const outcome = await runHistory(await openStores(processes, cluster.url), async (awaitWrites) => {
      const random = createRandom(failovers)
      for (let done = 0; done < failovers; done += 1) {
        await awaitWrites(10)
        await wait(random.below(1000))
        await (done % 2 === 0 ? cluster.switchOver() : cluster.losePrimary())
      }
      await awaitWrites(10)
    })

    expect(outcome.acknowledged).toBeGreaterThan(10 * failovers)
    if (failovers > 2) console.error(`${failovers} failovers: ${JSON.stringify(outcome)}`)
  },
  180_000 + failovers * 120_000,
)
