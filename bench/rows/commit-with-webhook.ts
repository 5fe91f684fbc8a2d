import { join } from 'node:path'
import { enrol, signIn } from '../candidate/accounts.ts'
import { readCpuSeconds } from '../machine/usage.ts'
import { formHeaders } from '../measure/requests.ts'
import { interleave, type Row } from '../row.ts'

const clientCount = 64

/** How many hooks hang beside: each of the users has that many more. */
const hangingPerUser = 16

/** A webhook is called at once and then once a second: a shorter measurement would have more calls than there are. */
const leastSeconds = 1

/** Who is told costs those little who change something. */
export const commitWithWebhook: Row = {
  id: 'commit-with-webhook',
  work: 'durable uploads of one thing, 64 clients, each user with a webhook',
  against: 'the same without webhooks',
  measured: 'ms per upload',
  figures: {
    one: { title: 'one webhook each, which works', unit: 'x', goal: { is: 'most', limit: 1.15 } },
    oneCpu: { title: 'the same, CPU time of the server', unit: 'x' },
    hanging: { title: `${clientCount * hangingPerUser} more that hang`, unit: 'x', goal: { is: 'most', limit: 1.15 } },
  },
  open: async (bench) => {
    const receiver = await bench.startFloor('webhook-receiver', [], 'load')
    const body = `from={pos}&new_thing=${encodeURIComponent('{"local_id":"LOCAL","title":"one thing"}').replace('LOCAL', '{n}')}`
    const openServer = async (hooks: readonly string[]) => {
      const folder = join(await bench.makeFolder(), 'data')
      const enrolment = await enrol(folder, clientCount)
      const { port, pid } = await bench.start({ folder, deliveryAllow: '127.0.0.1' })
      const users = await Promise.all(
        enrolment.users.map(async (user) => {
          const headers = formHeaders(await signIn(port, enrolment, user))
          for (const hook of hooks) {
            const form = new URLSearchParams({ target_url: `http://127.0.0.1:${receiver.port}/${hook}`, event: 'any' })
            await fetch(`http://127.0.0.1:${port}/v1/webhook/register`, { method: 'POST', headers, body: form })
          }
          return headers
        }),
      )
      return async () => {
        const load = { port, method: 'POST', path: '/v1/sync', headers: {}, headersByConnection: users, body }
        const before = await readCpuSeconds(pid)
        const measured = Math.max(leastSeconds, bench.rateSeconds)
        const { count, seconds } = await bench.load({ ...load, connections: clientCount, seconds: measured })
        return { each: (1000 * seconds) / count, cpu: (1000 * ((await readCpuSeconds(pid)) - before)) / count }
      }
    }
    const hanging = Array.from({ length: hangingPerUser }, (_, index) => `hang/${index}`)
    const [none, one, many] = [
      await openServer([]),
      await openServer(['works']),
      await openServer(['works', ...hanging]),
    ]
    const round = async (index: number) => {
      const [floor, withOne] = await interleave(index, none, one)
      const withMany = await many()
      return {
        one: { value: withOne.each / floor.each, candidate: withOne.each, floor: floor.each },
        oneCpu: { value: withOne.cpu / floor.cpu, candidate: withOne.cpu, floor: floor.cpu },
        hanging: { value: withMany.each / floor.each, candidate: withMany.each, floor: floor.each },
      }
    }
    return {
      round,
      notes: [
        'the receiver is one process on the core of the clients; each webhook is called about once a second, 64 a second in all',
      ],
    }
  },
}
