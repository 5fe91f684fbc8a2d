import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createRandom } from '../store/faults/random.ts'
import { openTestDatabase } from './open-database.ts'
import { openStores } from './open-stores.ts'

const program = fileURLToPath(new URL('endless-client.ts', import.meta.url))
const processes = 3
/** `THINGSYNC_POSTGRES_KILLS=300 npm run test:postgres -- kills` for a long run. */
const kills = Number(process.env.THINGSYNC_POSTGRES_KILLS ?? 6)

test(
  'every acknowledged change of processes killed in the middle of writes stays, whole and once',
  async () => {
    const { url, drop } = await openTestDatabase()
    onTestFinished(drop)
    const random = createRandom(kills)
    const acknowledged = new Map<number, string>()
    const running: ChildProcess[] = []
    let begun = 0

    const begin = async (): Promise<ChildProcess> => {
      const names = [0, 1, 2].map((number) => `p${begun}w${number}`)
      begun += 1
      const child = spawn(process.execPath, ['--import', 'tsx', program, url, ...names], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let rest = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const lines = `${rest}${text}`.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const [position = '', id = ''] = line.split(' ')
          expect(acknowledged.get(Number(position)), `position ${position} was given twice`).toBeUndefined()
          acknowledged.set(Number(position), id)
        }
      })
      await once(child.stdout, 'data')
      return child
    }
    const kill = async (child: ChildProcess | undefined): Promise<void> => {
      if (child === undefined) return
      const ended = once(child, 'close')
      child.kill('SIGKILL')
      await ended
    }
    onTestFinished(async () => {
      await Promise.all(running.map(kill))
    })

    for (let number = 0; number < processes; number += 1) running.push(await begin())
    for (let done = 0; done < kills; done += 1) {
      await wait(random.below(300))
      await kill(running.shift())
      running.push(await begin())
    }
    await Promise.all(running.splice(0).map(kill))

    const [store] = await openStores(1, url)
    onTestFinished(async () => store?.close())
    const view = await store?.read('ann')
    const kept = new Map<number, string>()
    for await (const { position, id } of view?.listEvents(0) ?? []) kept.set(position, id)
    for (const [position, id] of acknowledged) expect(kept.get(position)).toBe(id)
    expect(acknowledged.size).toBeGreaterThan(kills)
    // Each write is one thing and one more in the record: a write without a response is there whole, or not at all.
    expect((await view?.listRecords('count', ''))?.get('')).toBe(kept.size)
    expect(view?.position).toBe(kept.size)
  },
  60_000 + kills * 30_000,
)
