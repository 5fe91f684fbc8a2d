import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createForm, createRepeatedForm, createThings, enroll, passwordForm, signIn } from '../candidate/accounts.ts'
import { formHeaders, measureCpuPerRequest, postForm } from '../candidate/measure.ts'
import { nextMessage, readCpuSeconds } from '../machine/processes.ts'
import { findMedian } from '../report/results.ts'
import { interleave, type Row } from '../row.ts'

const clientCount = 64

/** Creates the body that each client uploads: one new thing, from the position of its last response. */
const oneThing = (): string => {
  const [thing] = createThings(7, 1)
  const text = JSON.stringify({ ...thing, local_id: 'LOCAL' })
  return `from={pos}&new_thing=${encodeURIComponent(text).replace('LOCAL', '{n}')}`
}

/** Durable uploads, compared to the rate of the disk. */
export const durableUploads: Row = {
  id: 'durable-uploads',
  work: 'durable uploads of one thing, 64 clients',
  against: 'raw node:http that appends the body and syncs once for all that wait',
  measured: 'uploads per second',
  figures: {
    users: { title: '64 users', unit: 'x', goal: { is: 'least', limit: 0.45 } },
    oneUser: { title: '64 devices of one user, which get each other’s things', unit: 'x' },
  },
  open: async (bench) => {
    const folder = join(await bench.createFolder(), 'data')
    const enrollment = await enroll(folder, clientCount)
    const server = await bench.start({ folder })
    const baseline = await bench.startBaseline('group-commit', [await bench.createFolder()])
    bench.say(`signing in ${clientCount} users`)
    const users: Record<string, string>[] = []
    const devices: Record<string, string>[] = []
    for (const user of enrollment.users) {
      users.push(formHeaders(await signIn(server.port, enrollment, user)))
      devices.push(formHeaders(await signIn(server.port, enrollment, 'user-0')))
    }
    const body = oneThing()
    const measure = async (port: number, headersByConnection: readonly Record<string, string>[]) => {
      const { count, seconds } = await bench.load({
        port,
        method: 'POST',
        path: '/v1/sync',
        headers: {},
        headersByConnection,
        body,
        connections: clientCount,
        seconds: bench.rateSeconds,
      })
      return count / seconds
    }
    const round = async (index: number) => {
      const [baselineRate, rate] = await interleave(
        index,
        () => measure(baseline.port, users),
        () => measure(server.port, users),
      )
      const oneUserRate = await measure(server.port, devices)
      return {
        users: { value: rate / baselineRate, candidate: rate, baseline: baselineRate },
        oneUser: { value: oneUserRate / baselineRate, candidate: oneUserRate, baseline: baselineRate },
      }
    }
    return { round, notes: ['both respond after fdatasync; accounts begin empty and grow with the rounds'] }
  },
}

const thingCount = 10_000
/** Repetitions of the short steps in a round: the kernel counts CPU time in steps of 10 ms. */
const repeats = 20

/** A large first upload, as of a client after years of offline use. */
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
    const things = createThings(0, thingCount)
    const form = createForm(things)
    const repeatedForm = createRepeatedForm(things)
    const files = await bench.createFolder()
    const [jsonFile, responseFile] = [join(files, 'things.json'), join(files, 'response.json')]
    await writeFile(jsonFile, JSON.stringify(things))
    const baseline = bench.startScript('baselines.ts', ['parse-json', jsonFile])

    const folder = join(await bench.createFolder(), 'data')
    // Every upload goes to an empty account: two for each round and two for the warm-up round.
    const enrollment = await enroll(folder, 2 * (bench.rounds + 1))
    const server = await bench.start({ folder })

    const parse = async () => {
      const runs: { ms: number; cpuMs: number }[] = []
      while (runs.length < repeats) {
        const response = nextMessage<{ ms: number; cpuMs: number }>(baseline)
        baseline.send('parse')
        runs.push(await response)
      }
      return { ms: findMedian(runs.map((run) => run.ms)), cpuMs: findMedian(runs.map((run) => run.cpuMs)) }
    }
    // The server decodes the whole form before it rejects the last field.
    const sendInvalid = async () => {
      const job = postForm(server.port, await signIn(server.port, enrollment), '/v1/sync', `${form}&broken=%`)
      const invalidJob = { ...job, connections: 1, count: repeats, status: 400 }
      return (await measureCpuPerRequest(bench.load, server.pid, invalidJob)) / 1000
    }
    const upload = async (user: string | undefined, body: string) => {
      const job = postForm(server.port, await signIn(server.port, enrollment, user), '/v1/sync', body)
      await server.startDelay()
      const { maxMs } = await bench.load({ ...job, connections: 1, count: 1, saveTo: responseFile })
      const delayMs = await server.stopDelay()
      const response = JSON.parse(await readFile(responseFile, 'utf8')) as { things: { new: object } }
      return { ms: maxMs, delayMs, kept: Object.keys(response.things.new).length }
    }
    const round = async (index: number) => {
      const { ms: parseMs, cpuMs: parseCpuMs } = await parse()
      const decodeMs = await sendInvalid()
      const whole = await upload(enrollment.users[2 * index], form)
      const repeated = await upload(enrollment.users[2 * index + 1], repeatedForm)
      return {
        decode: { value: decodeMs / parseCpuMs, candidate: decodeMs, baseline: parseCpuMs },
        whole: { value: whole.ms / parseMs, candidate: whole.ms, baseline: parseMs },
        slice: { value: whole.delayMs },
        repeated: { value: repeated.kept },
      }
    }
    const notes = [
      `${(form.length / 1e6).toFixed(1)} MB of form, into an empty account each time`,
      'decoding: CPU time of whole requests that end with an error, so a little more than the decoding alone',
    ]
    return { round, notes }
  },
}

const loginCount = 8

/** Password hashing is slow on purpose. Writes must not wait for it. */
export const commitBesideLogins: Row = {
  id: 'commit-beside-logins',
  work: 'commit latency (median) with 8 logins in flight',
  against: 'the same without logins',
  measured: 'ms per upload of one thing, one client',
  figures: { latency: { title: 'median latency', unit: 'x', goal: { is: 'most', limit: 5 } } },
  open: async (bench) => {
    const folder = join(await bench.createFolder(), 'data')
    const enrollment = await enroll(folder, 2 + loginCount)
    const [uploader = '', ...others] = enrollment.users
    const { port } = await bench.start({ folder })
    const upload = {
      port,
      method: 'POST',
      path: '/v1/sync',
      headers: formHeaders(await signIn(port, enrollment, uploader)),
      body: `from={pos}&new_thing=${encodeURIComponent('{"local_id":"LOCAL","title":"one thing"}').replace('LOCAL', '{n}')}`,
      connections: 1,
      seconds: bench.rateSeconds,
    }
    const logins = others.slice(0, loginCount).map((user) => ({
      port,
      method: 'POST',
      path: '/v1/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: passwordForm(enrollment, user),
      connections: 1,
      seconds: bench.rateSeconds,
    }))
    const round = async () => {
      const idle = await bench.load(upload)
      const [busy] = await Promise.all([bench.load(upload), ...logins.map((login) => bench.loadBeside(login))])
      return {
        latency: { value: busy.medianMs / idle.medianMs, candidate: busy.medianMs, baseline: idle.medianMs },
      }
    }
    return {
      round,
      notes: ['8 users sign in repeatedly; the server checks one password of a client address at a time'],
    }
  },
}

const webhookClientCount = 64

/** Number of additional webhooks of each user whose receiver never responds. */
const hangingPerUser = 16

/** The server calls a webhook at once and then once a second. A shorter measurement would count too many calls. */
const minSeconds = 1

/** The cost of webhooks for the clients that change something. */
export const commitWithWebhook: Row = {
  id: 'commit-with-webhook',
  work: 'durable uploads of one thing, 64 clients, each user with a webhook',
  against: 'the same without webhooks',
  measured: 'ms per upload',
  figures: {
    one: { title: 'one webhook each, which works', unit: 'x', goal: { is: 'most', limit: 1.15 } },
    oneCpu: { title: 'the same, CPU time of the server', unit: 'x' },
    hanging: {
      title: `${webhookClientCount * hangingPerUser} more that hang`,
      unit: 'x',
      goal: { is: 'most', limit: 1.15 },
    },
  },
  open: async (bench) => {
    const receiver = await bench.startBaseline('webhook-receiver', [], 'load')
    const body = `from={pos}&new_thing=${encodeURIComponent('{"local_id":"LOCAL","title":"one thing"}').replace('LOCAL', '{n}')}`
    const openServer = async (hooks: readonly string[]) => {
      const folder = join(await bench.createFolder(), 'data')
      const enrollment = await enroll(folder, webhookClientCount)
      const { port, pid } = await bench.start({ folder, deliveryAllow: '127.0.0.1' })
      const users = await Promise.all(
        enrollment.users.map(async (user) => {
          const headers = formHeaders(await signIn(port, enrollment, user))
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
        const measured = Math.max(minSeconds, bench.rateSeconds)
        const { count, seconds } = await bench.load({ ...load, connections: webhookClientCount, seconds: measured })
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
      const [baseline, withOne] = await interleave(index, none, one)
      const withMany = await many()
      return {
        one: { value: withOne.each / baseline.each, candidate: withOne.each, baseline: baseline.each },
        oneCpu: { value: withOne.cpu / baseline.cpu, candidate: withOne.cpu, baseline: baseline.cpu },
        hanging: { value: withMany.each / baseline.each, candidate: withMany.each, baseline: baseline.each },
      }
    }
    return {
      round,
      notes: [
        'the receiver is one process on the core of the clients; the server calls each webhook about once a second, 64 a second in all',
      ],
    }
  },
}
