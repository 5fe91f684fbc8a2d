import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { signIn } from '../candidate/accounts.ts'
import { readPosition } from '../candidate/fill.ts'
import { getJob, measureCpuPerRequest } from '../measure/requests.ts'
import type { Row } from '../row.ts'

/** The request that every client sends most: is there anything new? */
export const smallSync: Row = {
  id: 'small-sync',
  work: 'small GET /sync, nothing new: token checked, request validated',
  against: 'bare Koa, and raw node:http, answering the same bytes as a constant',
  measured: 'µs of CPU per request, 64 clients',
  figures: {
    koa: { title: 'of bare Koa', unit: 'x', goal: { is: 'least', limit: 0.7 } },
    raw: { title: 'of raw node:http', unit: 'x', goal: { is: 'least', limit: 0.42 } },
    logged: { title: 'of bare Koa, with a log line each (the default)', unit: 'x' },
  },
  open: async (bench) => {
    const quiet = await bench.openAccount(1_000)
    const { folder: loggedFolder } = await bench.copyFilled(1_000)
    const logged = await bench.start({ folder: loggedFolder, logLevel: 'info' })
    const position = await readPosition(quiet.port, quiet.token)
    const constant = join(await bench.makeFolder(), 'answer.json')
    await writeFile(constant, JSON.stringify({ pos: position }))
    const koa = await bench.startFloor('bare-koa', [constant])
    const raw = await bench.startFloor('prebuilt', [constant])
    const loggedToken = await signIn(logged.port, quiet.enrolment)

    const measure = ({ port, pid }: { port: number; pid: number }, token: string) =>
      measureCpuPerRequest(bench.load, pid, {
        ...getJob(port, token, `/v1/sync?from=${position}`),
        connections: 64,
        seconds: bench.rateSeconds,
      })
    const compare = (floor: number, candidate: number) => ({ value: floor / candidate, candidate, floor })
    const round = async () => {
      const rawCpu = await measure(raw, quiet.token)
      const quietCpu = await measure(quiet, quiet.token)
      const koaCpu = await measure(koa, quiet.token)
      const loggedCpu = await measure(logged, loggedToken)
      return { koa: compare(koaCpu, quietCpu), raw: compare(rawCpu, quietCpu), logged: compare(koaCpu, loggedCpu) }
    }
    return { round, notes: ['the server runs with --log-level warn, but for the figure with a log line'] }
  },
}
