import { join } from 'node:path'
import { enrol, signIn } from '../candidate/accounts.ts'
import { attacks } from '../load/attacks.ts'
import type { Strangers } from '../load/strangers.ts'
import { nextMessage } from '../machine/start-script.ts'
import { readMemory, resetPeak } from '../machine/usage.ts'
import type { Row } from '../row.ts'

const [strangerCount, clientCount, heapMegabytes, seconds] = [100, 20, 256, 5]

/** What people without an account can do to those who have one. */
export const strangers: Row = {
  id: 'strangers',
  work: `${strangerCount} strangers beside ${clientCount} signed-in clients that sync all the time, heap of ${heapMegabytes} MB`,
  against: 'a fixed limit, and the same without strangers',
  measured: 'ms per sync',
  figures: {
    median: { title: 'sync, median', unit: 'ms', goal: { is: 'most', limit: 100 } },
    p99: { title: 'sync, 99 %', unit: 'ms' },
    longest: { title: 'sync, longest', unit: 'ms' },
    memory: { title: 'resident memory, peak', unit: 'MB', goal: { is: 'most', limit: 300 } },
  },
  open: async (bench) => {
    const folder = join(await bench.makeFolder(), 'data')
    const enrolment = await enrol(folder, clientCount)
    const { port, pid } = await bench.start({ folder, heapMegabytes, maxBodyBytes: undefined })
    const tokens: string[] = []
    for (const user of enrolment.users) tokens.push(await signIn(port, enrolment, user))
    const clients = {
      port,
      method: 'POST',
      path: '/v1/sync',
      headers: {},
      headersByConnection: tokens.map((token) => ({
        authorization: `Bearer ${token}`,
        'content-type': 'application/x-www-form-urlencoded',
      })),
      body: `from={pos}&new_thing=${encodeURIComponent('{"local_id":"LOCAL","title":"one thing"}').replace('LOCAL', '{n}')}`,
      connections: clientCount,
      seconds,
    }
    const round = async () => {
      const alone = await bench.load(clients)
      const mark = bench.children.mark()
      const crowd = bench.startScript('load/strangers.ts', [String(port), String(strangerCount)], 'load')
      await nextMessage(crowd)
      await resetPeak(pid)
      const beside = await bench.load(clients)
      const { peakMb } = await readMemory(pid)
      crowd.send('how many?')
      const { connections, refused } = await nextMessage<Strangers>(crowd)
      await bench.children.endSince(mark)
      if (connections < strangerCount || refused > 0)
        throw new Error(`strangers: ${connections} let in, ${refused} not`)
      return {
        median: { value: beside.medianMs, candidate: beside.medianMs, floor: alone.medianMs },
        p99: { value: beside.p99Ms, candidate: beside.p99Ms, floor: alone.p99Ms },
        longest: { value: beside.maxMs, candidate: beside.maxMs, floor: alone.maxMs },
        memory: { value: peakMb },
      }
    }
    return {
      round,
      notes: [
        `clients upload one thing a sync, durably, without pause, for ${seconds} s; an answer but 200 would end the row`,
        `strangers: ${Object.keys(attacks).join('; ')}`,
      ],
    }
  },
}
