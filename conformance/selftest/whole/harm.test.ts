import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { rightServer } from '../../src/model/behavior.ts'
import { type OpenServer, openRightServer, type RightServerOptions } from '../../src/model/right-server.ts'
import type { Account } from '../../src/model/state.ts'
import { ApiError } from '../../src/model/state.ts'
import { addThing } from '../../src/model/sync.ts'
import { openSession } from '../../src/model/token-endpoint.ts'
import { allRules } from '../../src/rules/all-rules.ts'
import { checkOpenServer, rulesOf } from '../check-server.ts'
import { elsewhereCertificate } from '../elsewhere-certificate.ts'

const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

const withServer = async <T>(options: RightServerOptions, use: (server: OpenServer) => Promise<T>): Promise<T> => {
  const server = await openRightServer(options)
  try {
    return await use(server)
  } finally {
    await server.close()
  }
}

const countedId = ({ memory }: Account): string => {
  const number = Number(memory.get('ids') ?? 0) + 1
  memory.set('ids', number)
  return `thing${number}`
}

/** Puts old things into bob's account. Their ids are also alice's next ids. */
const fillBob: RightServerOptions['prepare'] = (state) => {
  const bob = state.accounts.get('bob')
  if (bob === undefined) return
  for (let count = 0; count < 5; count += 1) {
    const id = countedId(bob)
    addThing(bob, openSession(state, 'bob'), id, { title: `old ${id}` }, rightServer.nextPosition(bob))
  }
}

test('where ids are counted per user, the run changes and deletes no data of the second user', async () => {
  await withServer({ behavior: { newId: countedId }, prepare: fillBob }, async (server) => {
    const titles = () =>
      [...(server.state.accounts.get('bob')?.things.values() ?? [])].map(({ fields, deleted }) => [
        fields.title,
        deleted,
      ])
    const before = titles()

    const report = await checkOpenServer(server, { rules: rulesOf(allRules, 'core'), profile: 'core', histories: 1 })

    expect(titles().slice(0, 5)).toEqual(before)
    expect(report.results.filter(({ status }) => status === 'failed' || status === 'error')).toEqual([])
  })
}, 300_000)

test('a race with one failed side ends the rule, and leaves no promise behind', async () => {
  await withServer({}, async (server) => {
    server.state.behavior.delay = async ({ parameters }) => {
      if (parameters.some(([name]) => name.startsWith('changed_thing'))) throw new ApiError('parameter-invalid', 'no')
    }
    const rules = allRules.filter(({ id }) => id.startsWith('SYNC-RACE') || id === 'SYNC-FULL-01')

    const report = await checkOpenServer(server, { rules, profile: 'core' })

    expect(report.results.filter(({ status }) => status === 'error')).toEqual([])
    expect(report.results.filter(({ status }) => status === 'passed').length).toBeGreaterThan(2)
  })
})

const environmentOf = (server: OpenServer, baseUrl = server.baseUrl): NodeJS.ProcessEnv => ({
  ...process.env,
  THINGSYNC_BASE_URL: baseUrl,
  THINGSYNC_CLIENT_ID: server.clientId,
  THINGSYNC_CLIENT_SECRET: server.clientSecret,
  THINGSYNC_USER: server.users.map(({ username, password }) => `${username}:${password}`).join('\n'),
})

const start = (words: readonly string[], env: NodeJS.ProcessEnv) => {
  const running = spawn(process.execPath, ['--import', 'tsx', program, ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { output: '', errors: '' }
  running.stdout.on('data', (chunk) => {
    said.output += chunk
  })
  running.stderr.on('data', (chunk) => {
    said.errors += chunk
  })
  const ended = once(running, 'close').then(([exitCode]) => ({ exitCode, ...said }))
  return { running, ended }
}

const never = (): Promise<void> => new Promise(() => {})

test('a bug in a rule is an error of the suite, and the other rules run', async () => {
  await withServer({}, async (server) => {
    const script = `
      import { runRules } from ${JSON.stringify(new URL('../../src/runner.ts', import.meta.url).href)}
      const shape = { level: 'must', basis: 'specified', profile: 'core', section: '4.3', requirements: [], faults: [] }
      const leave = async () => { Promise.reject(new TypeError('left behind')); await new Promise((go) => setTimeout(go, 20)) }
      const look = async (lab) => void (await (await lab.replica('phone')).listAll())
      const rules = [{ ...shape, id: 'A-01', title: 'MUST leave', check: leave }, { ...shape, id: 'B-01', title: 'MUST look', check: look }]
      const [username, password] = process.env.THINGSYNC_USER.split('\\n')[0].split(/:(.*)/s)
      const target = { baseUrl: process.env.THINGSYNC_BASE_URL, clientId: process.env.THINGSYNC_CLIENT_ID,
        clientSecret: process.env.THINGSYNC_CLIENT_SECRET, users: [{ username, password }] }
      const report = await runRules({ target, rules, profile: 'core', seed: 1, jobs: 1 })
      console.log(JSON.stringify(report.results.map(({ id, status, message }) => [id, status, message])))`
    const running = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      env: environmentOf(server),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    running.stdout.on('data', (chunk) => {
      output += chunk
    })
    const [exitCode] = await once(running, 'close')

    expect([exitCode, JSON.parse(output)]).toEqual([
      0,
      [
        ['A-01', 'error', expect.stringContaining('left behind')],
        ['B-01', 'passed', null],
      ],
    ])
  })
})

test('a server without responses ends the run soon, with one sentence', async () => {
  await withServer({}, async (server) => {
    server.state.behavior.delay = never
    const { exitCode, output } = await start(['--timeout', '300ms'], environmentOf(server)).ended

    expect(exitCode).toBe(2)
    expect(output).toMatch(
      /NOT RUN: the server responds, but not to a request for a token \(the server sent nothing for 0\.3 s\)/,
    )
  })
})

test('an operation without responses is requested a few times, not by every rule', async () => {
  await withServer({}, async (server) => {
    let requested = 0
    server.state.behavior.delay = async ({ path }) => {
      if (path === 'token') return
      requested += 1
      await never()
    }
    const { exitCode, output } = await start(['--timeout', '2s'], environmentOf(server)).ended

    expect(exitCode).toBe(1)
    expect(output).toContain('FIX THIS FIRST: GET, POST and PUT sync get no response')
    expect(requested).toBeLessThan(40)
  })
})

test('the suite reports a server that ends as gone, and not as lacking an operation', async () => {
  const server = await openRightServer({})
  let requested = 0
  server.state.behavior.delay = async () => {
    requested += 1
    if (requested === 400) void server.close()
  }

  const { exitCode, output } = await start(['--histories', '0'], environmentOf(server)).ended

  expect(exitCode).toBe(1)
  expect(output).toContain('FIX THIS FIRST: the server went away during the run')
  expect(output).toContain('ECONNREFUSED')
  expect(output).not.toMatch(/(token|sync) gets? no response/)
})

test('the suite names a certificate for another name as the reason', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'harm-'))
  const authority = join(folder, 'authority.pem')
  await writeFile(authority, elsewhereCertificate.cert)
  const secure = createSecureServer(elsewhereCertificate).listen(0, '127.0.0.1')
  await once(secure, 'listening')
  await withServer({}, async (server) => {
    const baseUrl = `https://127.0.0.1:${(secure.address() as AddressInfo).port}/v1/`
    const env = { ...environmentOf(server, baseUrl), NODE_EXTRA_CA_CERTS: authority }
    const { exitCode, output } = await start(['doctor'], env).ended

    expect(exitCode).toBe(2)
    expect(output).toContain('its certificate is not for 127.0.0.1; give --base-url with a name from the certificate')
  })
  secure.close()
  await rm(folder, { recursive: true })
})

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('%s ends a run on a server that hangs, with a report of the results so far', async (signal, code) => {
  const folder = await mkdtemp(join(tmpdir(), 'harm-'))
  await withServer({}, async (server) => {
    const file = join(folder, 'report.json')
    const { running, ended } = start(['--timeout', '600s', '--report', `json=${file}`], environmentOf(server))
    let isHanging = false
    server.state.behavior.delay = async ({ path }) => {
      if (isHanging && path !== 'token') await never()
    }
    // The first line of progress comes after the first rule.
    await once(running.stderr, 'data')
    isHanging = true
    running.kill(signal)
    const { exitCode, output } = await ended
    const report = JSON.parse(await readFile(file, 'utf8'))

    expect([exitCode, report.exitCode]).toEqual([code, code])
    expect(report.results.length).toBeGreaterThan(100)
    expect(report.results.filter(({ status }: { status: string }) => status === 'passed').length).toBeGreaterThan(0)
    expect(output).toContain(report.verdict)
    expect(report.verdict).toMatch(/^INTERRUPTED: \d+ of \d+ rules were checked, /)
  })
  await rm(folder, { recursive: true })
})

/** Lists the titles of the existing things of all accounts, and the names of tags with settings. */
const findLeft = ({ state }: OpenServer): string[] =>
  [...state.accounts.values()].flatMap(({ things, tags }) => [
    ...[...things.values()].filter(({ deleted }) => !deleted).map(({ fields }) => fields.title),
    ...[...tags].filter(([, { settings }]) => Object.values(settings).some(Boolean)).map(([name]) => name),
  ])

test.each([2, 9])(
  'a run that is interrupted during upload %i of unmarked things to a slow server leaves nothing',
  async (upload) => {
    await withServer({}, async (server) => {
      const ending = new AbortController()
      const leftovers: string[] = []
      const underWay = new Set<Promise<void>>()
      let unmarked = 0
      server.state.behavior.delay = ({ parameters }) => {
        const created = parameters.find(([name]) => name.startsWith('new_thing'))
        if (created !== undefined && !/"title":"tsc/.test(`${created[1]}`)) unmarked += 1
        if (unmarked === upload) ending.abort()
        const waiting = wait(200).finally(() => underWay.delete(waiting))
        underWay.add(waiting)
        return waiting
      }
      const rules = allRules.filter(({ id, profile }) => profile === 'core' && /^(THING|SYNC-RACE)-/.test(id))
      const onLeftover = (sentence: string) => leftovers.push(sentence)
      // A long limit, because the time depends on the machine; the README has the time for a quiet one.
      const checkOptions = { rules, profile: 'core', signal: ending.signal, onLeftover, interruptedMs: 40_000 } as const
      const report = await checkOpenServer(server, checkOptions)
      await Promise.all(underWay)

      expect(
        report.results.filter(({ message = '' }) => message.includes('the run was interrupted')).length,
      ).toBeGreaterThan(0)
      expect([findLeft(server), leftovers]).toEqual([[], []])
    })
  },
)

/** Forwards connections to a server one at a time: the next one after the close of the previous one. */
const openOneByOne = async (port: number): Promise<{ port: number; server: Server }> => {
  const waiting: Socket[] = []
  let isBusy = false
  const next = (): void => {
    const socket = waiting.shift()
    isBusy = socket !== undefined
    if (socket === undefined) return
    const behind = connect(port, '127.0.0.1')
    socket.pipe(behind).pipe(socket)
    for (const end of [socket, behind]) end.on('error', () => {})
    socket.on('close', () => {
      behind.destroy()
      next()
    })
  }
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    waiting.push(socket)
    if (!isBusy) next()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, server }
}

test('the suite checks a server of one thread that keeps its connections as any other', async () => {
  await withServer({}, async (right) => {
    const { port, server } = await openOneByOne(Number(new URL(right.baseUrl).port))
    const env = environmentOf(right, `http://127.0.0.1:${port}/v1/`)
    const { exitCode, output, errors } = await start(['--histories', '4'], env).ended
    server.close()

    expect([exitCode, output.slice(-200)]).toEqual([0, expect.stringContaining('PASSED')])
    expect(errors).toContain('one connection at a time')
  })
})

test('a budget ends the rules, and the report names the rules that it left out', async () => {
  await withServer({}, async (server) => {
    let requested = 0
    server.state.behavior.delay = async ({ path }) => {
      requested += 1
      if (path !== 'token' && requested > 60) await never()
    }
    const { exitCode, output } = await start(['--budget', '2s', '--timeout', '600s'], environmentOf(server)).ended

    expect(exitCode).toBe(3)
    expect(output).toContain('the budget of 2 s was used up')
  })
})
