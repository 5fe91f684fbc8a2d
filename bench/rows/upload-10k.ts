import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { enrol, signIn } from '../candidate/accounts.ts'
import { makeForm, makeRepeatedForm, makeThings } from '../candidate/make-things.ts'
import { nextMessage } from '../machine/start-script.ts'
import { measureCpuPerRequest, postForm } from '../measure/requests.ts'
import { findMedian } from '../report/median.ts'
import type { Row } from '../row.ts'

const thingCount = 10_000
/** How often the short steps are repeated in a round: the kernel counts CPU time in 10 ms. */
const repeats = 20

/** The first upload of a client that was used offline for years. */
export const upload10k: Row = {
  id: 'upload-10k',
  work: 'upload of 10,000 things in one form',
  against: 'JSON.parse of the same data',
  measured: 'ms',
  figures: {
    decode: { title: 'reading and decoding of the form', unit: 'x', goal: { is: 'most', limit: 2 } },
    whole: { title: 'the whole request, over HTTP and onto the disk', unit: 'x', goal: { is: 'most', limit: 10 } },
    slice: { title: 'longest slice of the event loop', unit: 'ms', goal: { is: 'most', limit: 10 } },
    repeated: {
      title: 'kept of 10,000 repeated new_thing[]',
      unit: 'things',
      goal: { is: 'least', limit: thingCount },
    },
  },
  open: async (bench) => {
    const things = makeThings(0, thingCount)
    const form = makeForm(things)
    const repeatedForm = makeRepeatedForm(things)
    const files = await bench.makeFolder()
    const [jsonFile, answerFile] = [join(files, 'things.json'), join(files, 'answer.json')]
    await writeFile(jsonFile, JSON.stringify(things))
    const floor = bench.startScript('floors/parse-json.ts', [jsonFile])

    const folder = join(await bench.makeFolder(), 'data')
    // Every upload goes to an empty account: two a round, and as many for the one that warms up.
    const enrolment = await enrol(folder, 2 * (bench.rounds + 1))
    const server = await bench.start({ folder })

    const parse = async () => {
      const runs: { ms: number; cpuMs: number }[] = []
      while (runs.length < repeats) {
        const answer = nextMessage<{ ms: number; cpuMs: number }>(floor)
        floor.send('parse')
        runs.push(await answer)
      }
      return { ms: findMedian(runs.map((run) => run.ms)), cpuMs: findMedian(runs.map((run) => run.cpuMs)) }
    }
    // All of the form is decoded before it is told that its last field cannot be.
    const refuse = async () => {
      const job = postForm(server.port, await signIn(server.port, enrolment), '/v1/sync', `${form}&broken=%`)
      const asked = { ...job, connections: 1, count: repeats, status: 400 }
      return (await measureCpuPerRequest(bench.load, server.pid, asked)) / 1000
    }
    const upload = async (user: string | undefined, body: string) => {
      const job = postForm(server.port, await signIn(server.port, enrolment, user), '/v1/sync', body)
      await server.startDelay()
      const { maxMs } = await bench.load({ ...job, connections: 1, count: 1, saveTo: answerFile })
      const delayMs = await server.stopDelay()
      const answer = JSON.parse(await readFile(answerFile, 'utf8')) as { things: { new: object } }
      return { ms: maxMs, delayMs, kept: Object.keys(answer.things.new).length }
    }
    const round = async (index: number) => {
      const { ms: parseMs, cpuMs: parseCpuMs } = await parse()
      const decodeMs = await refuse()
      const whole = await upload(enrolment.users[2 * index], form)
      const repeated = await upload(enrolment.users[2 * index + 1], repeatedForm)
      return {
        decode: { value: decodeMs / parseCpuMs, candidate: decodeMs, floor: parseCpuMs },
        whole: { value: whole.ms / parseMs, candidate: whole.ms, floor: parseMs },
        slice: { value: whole.delayMs },
        repeated: { value: repeated.kept },
      }
    }
    const notes = [
      `${(form.length / 1e6).toFixed(1)} MB of form, into an empty account each time`,
      'decoding: CPU time of whole requests that are refused for want of a token, so a little more than the decoding alone',
    ]
    return { round, notes }
  },
}
