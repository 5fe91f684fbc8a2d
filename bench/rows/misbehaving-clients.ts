import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { enroll, enrolTokens, readPosition, signIn } from '../candidate/accounts.ts'
import { getJob } from '../candidate/measure.ts'
import { attacks, repeatedAttacks } from '../load/attacks.ts'
import type { CostlyRequests } from '../load/costly-requests.ts'
import type { MisbehavingClients } from '../load/misbehaving-clients.ts'
import { nextMessage, readMemory, resetPeak } from '../machine/processes.ts'
import type { FigureKind, Row, Sample } from '../row.ts'

const [misbehavingCount, clientCount, heapMegabytes, seconds] = [100, 20, 256, 5]
const repeated = { clients: 10, heapMegabytes: 512, seconds: 10, quickSeconds: 3 }

/** Two figures for each repeated attack: the time of a small sync of another user during the attack. */
const repeatedFigures: Readonly<Record<string, FigureKind>> = Object.fromEntries(
  Object.keys(repeatedAttacks).flatMap((name) => [
    [`${name}, median`, { title: `${name}, median`, unit: 'ms', goal: { is: 'most', limit: 100 } }],
    [`${name}, longest`, { title: `${name}, longest`, unit: 'ms', goal: { is: 'most', limit: 400 } }],
  ]),
)

/** Measures small syncs of a user on a new server, while another account runs one attack. */
const measureAttack = async (bench: Bench, name: string): Promise<Record<string, Sample>> => {
  const duration = bench.rateSeconds < 1 ? repeated.quickSeconds : repeated.seconds
  const mark = bench.children.mark()
  const folder = join(await bench.createFolder(), 'data')
  const [token = '', attackerToken = ''] = await enrolTokens(folder, 2)
  const server = await bench.start({ folder, heapMegabytes: repeated.heapMegabytes, maxBodyBytes: undefined })
  const { port } = server
  const small = getJob(port, token, `/v1/sync?from=${await readPosition(port, token)}`)
  const attackers = bench.startScript(
    'load/costly-requests.ts',
    [String(port), attackerToken, String(repeated.clients), name],
    'load',
  )
  await nextMessage(attackers)
  let [medianMs, maxMs] = [0, 0]
  try {
    ;({ medianMs, maxMs } = await bench.load({ ...small, connections: 1, seconds: duration, sleepsWhileWaiting: true }))
    attackers.send('report')
    const { statuses, broken } = await nextMessage<CostlyRequests>(attackers)
    bench.say(`${name}: ${JSON.stringify(statuses)}, ${broken} broken`)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // A server that ends, or an error for the other user, counts as no response for the whole time.
    bench.say(`${name}: the other user's sync failed: ${error.message}`)
    medianMs = duration * 1000
    maxMs = medianMs
  }
  await bench.children.endSince(mark)
  return { [`${name}, median`]: { value: medianMs }, [`${name}, longest`]: { value: maxMs } }
}

/** The effect of misbehaving clients and of attacks on other users. */
export const misbehavingClients: Row = {
  id: 'unauthenticated-load',
  work: `${misbehavingCount} misbehaving clients beside ${clientCount} signed-in clients that sync without pause, heap of ${heapMegabytes} MB`,
  against: 'a fixed limit, and the same without misbehaving clients',
  measured: 'ms per sync',
  figures: {
    median: { title: 'sync, median', unit: 'ms', goal: { is: 'most', limit: 100 } },
    p99: { title: 'sync, 99 %', unit: 'ms' },
    longest: { title: 'sync, longest', unit: 'ms' },
    memory: { title: 'resident memory, peak', unit: 'MB', goal: { is: 'most', limit: 300 } },
    ...repeatedFigures,
  },
  open: async (bench) => {
    const folder = join(await bench.createFolder(), 'data')
    const enrollment = await enroll(folder, clientCount)
    const { port, pid } = await bench.start({ folder, heapMegabytes, maxBodyBytes: undefined })
    const tokens: string[] = []
    for (const user of enrollment.users) tokens.push(await signIn(port, enrollment, user))
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
    const round = async (index: number) => {
      const alone = await bench.load(clients)
      const mark = bench.children.mark()
      const args = [String(port), String(misbehavingCount)]
      const attackers = bench.startScript('load/misbehaving-clients.ts', args, 'load')
      await nextMessage(attackers)
      await resetPeak(pid)
      const beside = await bench.load(clients)
      const { peakMb } = await readMemory(pid)
      attackers.send('report')
      const { connections, rejected } = await nextMessage<MisbehavingClients>(attackers)
      await bench.children.endSince(mark)
      if (connections < misbehavingCount || rejected > 0)
        throw new Error(`misbehaving clients: ${connections} connections accepted, ${rejected} rejected`)
      const measured: Record<string, Sample> = {}
      // Each attack starts its own server, so there is nothing to warm up, and one round takes minutes.
      if (index === 1)
        for (const name of Object.keys(repeatedAttacks)) Object.assign(measured, await measureAttack(bench, name))
      return {
        ...measured,
        median: { value: beside.medianMs, candidate: beside.medianMs, baseline: alone.medianMs },
        p99: { value: beside.p99Ms, candidate: beside.p99Ms, baseline: alone.p99Ms },
        longest: { value: beside.maxMs, candidate: beside.maxMs, baseline: alone.maxMs },
        memory: { value: peakMb },
      }
    }
    return {
      round,
      notes: [
        `clients upload one thing a sync, durably, without pause, for ${seconds} s; any status but 200 ends the row`,
        `attacks of the misbehaving clients: ${Object.keys(attacks).join('; ')}`,
        `other figures, of one round: a small sync of another user while ${repeated.clients} clients send one attack for ${repeated.seconds} s (${repeated.quickSeconds} with --quick), heap of ${repeated.heapMegabytes} MB; 'longest' is the whole time when the server ended`,
      ],
    }
  },
}
