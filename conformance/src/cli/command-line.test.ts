import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenServer, openRightServer } from '../model/right-server.ts'
import { reportKinds } from '../report/write-reports.ts'
import { Blocked, Finding } from '../result.ts'
import type { Rule } from '../rule.ts'
import { runCommandLine } from './command-line.ts'

const shape = {
  level: 'must',
  basis: 'specified',
  profile: 'core',
  section: '4.3',
  requirements: ['C-4.3-1'],
  faults: [],
} as const

const rules: readonly Rule[] = [
  {
    ...shape,
    id: 'GOOD-RULE-01',
    title: 'MUST pass',
    check: async (lab) => void (await (await lab.replica('phone')).listAll()),
  },
  {
    ...shape,
    id: 'BAD-RULE-01',
    title: 'MUST respond with a banner',
    check: async (lab) => {
      const response = await (await lab.replica('phone')).sync({ from: 1 })
      throw new Finding(
        'a banner, because phone asked for one',
        `none came with ${await (await lab.replica('phone')).token()}`,
        response.exchange,
      )
    },
  },
  {
    ...shape,
    ...{ id: 'HISTORY-RULE-01', profile: 'full', basis: 'extension', title: 'MUST be played' },
    check: async () => {},
  },
  {
    ...shape,
    id: 'SOFT-RULE-01',
    level: 'should',
    title: 'SHOULD sing',
    check: async () => Promise.reject(new Finding('a song', 'silence')),
  },
  {
    ...shape,
    id: 'STUCK-RULE-01',
    title: 'MUST be checked',
    check: async () => Promise.reject(new Blocked('a step before did not work')),
  },
  {
    ...shape,
    id: 'BROKEN-RULE-01',
    title: 'MUST be written right',
    check: async () => Promise.reject(new TypeError('a bug of the suite')),
  },
  { ...shape, id: 'FULL-RULE-01', profile: 'full', basis: 'extension', title: 'MUST do more', check: async () => {} },
]

let server: OpenServer
let folder: string

beforeAll(async () => {
  server = await openRightServer()
  folder = await mkdtemp(join(tmpdir(), 'conformance-'))
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const connectionOf = (
  target: Pick<OpenServer, 'baseUrl' | 'clientId' | 'clientSecret' | 'users'>,
): Record<string, string> => ({
  THINGSYNC_BASE_URL: target.baseUrl,
  THINGSYNC_CLIENT_ID: target.clientId,
  THINGSYNC_CLIENT_SECRET: target.clientSecret,
  THINGSYNC_USER: target.users.map(({ username, password }) => `${username}:${password}`).join('\n'),
})

const runIt = async (words: readonly string[], environment: Record<string, string> = connectionOf(server)) => {
  const written = { output: '', errors: '' }
  const stream = (name: 'output' | 'errors') => ({
    write: (text: string) => {
      written[name] += text
    },
    isTerminal: false,
    columns: 80,
  })
  const exitCode = await runCommandLine(words, {
    ...{ environment, rules, output: stream('output'), errors: stream('errors') },
    signal: new AbortController().signal,
  })
  return { exitCode, ...written }
}

const runs: [words: string[], exitCode: number, verdict: RegExp][] = [
  [['--rule', 'GOOD'], 0, /^PASSED: 1 MUST rule of profile core passed\.$/m],
  [['--rule', 'GOOD', '--rule', 'SOFT'], 0, /^PASSED/m],
  [['--rule', 'GOOD', '--rule', 'SOFT', '--level', 'should'], 1, /^FAILED/m],
  [['--rule', 'SOFT', '--level', 'should'], 1, /^FAILED/m],
  [['--rule', 'BAD'], 1, /^FAILED: 1 of 1 MUST rule/m],
  [['--rule', 'STUCK'], 3, /^INCONCLUSIVE/m],
  [['--rule', 'BROKEN'], 3, /^INCONCLUSIVE/m],
  [[], 1, /^FAILED: 1 of 4 MUST rules of profile core failed, 2 blocked\.$/m],
  [['--profile', 'full', '--rule', 'FULL'], 0, /^PASSED/m],
]

test.each(runs)('run %j exits %i, and text, JSON and exit code agree', async (words, exitCode, verdict) => {
  const file = join(folder, 'agree.json')

  const ran = await runIt([...words, '--report', `json=${file}`])

  const report = JSON.parse(await readFile(file, 'utf8'))
  expect([ran.exitCode, report.exitCode]).toEqual([exitCode, exitCode])
  expect(ran.output).toMatch(verdict)
  expect(ran.output).toContain(report.verdict)
})

const usageErrors: [words: string[], sentence: RegExp][] = [
  [['--rule', 'GOOD-RULE-02'], /--rule GOOD-RULE-02: no rule has this ID or beginning; did you mean GOOD-RULE-01/],
  [['--rule', 'FULL'], /--rule FULL is of the profile full; add --profile full/],
  [['--rule', 'SOFT'], /only SHOULD rules are selected.*add --level should/],
  [['--profile', 'full', '--rule', 'HISTORY', '--histories', '0'], /nothing was selected/],
  [['list', '--coverage', '--rule', 'GOOD'], /--coverage shows every requirement; leave --rule out/],
  [['explain'], /explain needs the ID of a rule/],
  [['explain', 'BAD-RULE-02'], /no rule BAD-RULE-02; did you mean BAD-RULE-01/],
  [['--report', 'json=/dev/null/a.json'], /--report: .*\/dev\/null.* cannot be written/],
  [['--expect', '/nowhere.json'], /--expect \/nowhere\.json cannot be read \(ENOENT\)/],
]

test.each(usageErrors)('%j is a usage error: one sentence, exit code 2', async (words, sentence) => {
  const { exitCode, errors } = await runIt(words)

  expect(exitCode).toBe(2)
  expect(errors).toMatch(sentence)
  expect(errors.trim().split('\n')).toHaveLength(1)
})

test('an expected failure is shown and does not decide, and one that passes is reported', async () => {
  const file = join(folder, 'known.json')
  await writeFile(
    file,
    JSON.stringify([
      { id: 'BAD-RULE-01', reason: 'no banners' },
      { id: 'GOOD-RULE-01', reason: 'fixed' },
    ]),
  )

  const { exitCode, output } = await runIt(['--rule', 'GOOD', '--rule', 'BAD', '--expect', file])

  expect(exitCode).toBe(0)
  expect(output).toMatch(/BAD-RULE-01 .*\n.*expected because no banners/)
  expect(output).toMatch(/that passed: remove them from the list\n\n {2}GOOD-RULE-01/)
  expect(output).toMatch(/^PASSED: 1 MUST rule of profile core passed, 1 expected failure aside\.$/m)
})

test.each([
  ['{"id":"BAD-RULE-01"}', /must contain a JSON array/],
  ['[{"id":"BAD-RULE-01"}]', /entry 1 needs an "id".*and a "reason"/],
  ['[{"id":"BAD-RUL-01","reason":"x"}]', /there is no rule BAD-RUL-01; did you mean BAD-RULE-01/],
  ['[{"id":"BAD-RULE-01","reason":"x"},{"id":"BAD-RULE-01","reason":"y"}]', /names BAD-RULE-01 twice/],
  ['[', /is not JSON/],
])('an --expect file that holds %s is a usage error', async (text, sentence) => {
  const file = join(folder, 'wrong.json')
  await writeFile(file, text)

  const { exitCode, errors } = await runIt(['--expect', file])

  expect([exitCode, sentence.test(errors)]).toEqual([2, true])
})

test('an unreachable server and rejected credentials are exit code 2 and no failure of a rule', async () => {
  const { port } = await freePort()
  const file = join(folder, 'unreachable.json')
  const unreachable = await runIt(
    ['--report', `json=${file}`],
    connectionOf({ ...server, baseUrl: `http://127.0.0.1:${port}/v1/` }),
  )
  const otherUser = await runIt([], connectionOf({ ...server, users: [{ username: 'alice', password: 'wrong' }] }))
  const application = await runIt([], connectionOf({ ...server, clientSecret: 'wrong' }))

  expect([unreachable.exitCode, otherUser.exitCode, application.exitCode]).toEqual([2, 2, 2])
  expect(unreachable.output).toMatch(/^NOT RUN: .* does not respond .*: start the server, or correct the port/m)
  expect(otherUser.output).toMatch(/^NOT RUN: name and password of alice were rejected/m)
  expect(application.output).toMatch(/^NOT RUN: client ID and secret were rejected/m)
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ exitCode: 2, results: [] })
})

test('no report, text or progress line holds a secret', async () => {
  const reports = reportKinds.map((kind) => join(folder, `secret.${kind}`))
  const words = reportKinds.flatMap((kind, index) => ['--report', `${kind}=${reports[index]}`])

  const { output, errors } = await runIt(words)

  const texts = [output, errors, ...(await Promise.all(reports.map((file) => readFile(file, 'utf8'))))]
  const tokens = server.state.sessions.flatMap((session) =>
    session.pairs.flatMap((pair) => [pair.access, pair.request]),
  )
  const secrets = [server.clientSecret, ...server.users.map((user) => user.password), ...tokens]
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
  ])
  expect(tokens.length).toBeGreaterThan(0)
  expect(forms.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([])
})

test('doctor prints each step and what to do next', async () => {
  const { exitCode, output } = await runIt(['doctor'])

  expect([exitCode, output.split('\n').filter((line) => !line.startsWith('ok '))]).toEqual([
    0,
    ['Ready: run the suite with the same options. Without --other-client and --restart, it skips rules.', ''],
  ])
})

test('every command shows its options, examples and exit codes with --help', async () => {
  for (const command of ['run', 'list', 'explain', 'doctor']) {
    const { exitCode, output } = await runIt([command, '--help'])

    expect([
      command,
      exitCode,
      /^Usage: thingsync-conformance/m.test(output),
      /^Examples:/m.test(output),
      /^ {2}3 {4}inconclusive/m.test(output),
    ]).toEqual([command, 0, true, true, true])
  }
})

test('the help of a command shows the default of each option for that command', async () => {
  const helps = [await runIt(['run', '--help']), await runIt(['list', '--help'])]

  expect(helps.map(({ output }) => output.match(/--profile .*\(default: (\w+)\)$/m)?.[1])).toEqual(['core', 'full'])
})

test('list names every rule, and explain describes one with its requirement', async () => {
  const list = await runIt(['list'], {})
  const explained = await runIt(['explain', 'bad-rule-01'], {})

  expect(rules.filter((rule) => !list.output.includes(rule.id))).toEqual([])
  expect(explained.output).toMatch(/^BAD-RULE-01 {2}MUST respond with a banner\n[\s\S]*requires C-4\.3-1: \S/)
})

test('explain also describes a requirement, and both name an existing section of the specification', async () => {
  const explained = [await runIt(['explain', 'BAD-RULE-01'], {}), await runIt(['explain', 'c-4.3-1'], {})]

  expect(explained[1]?.output).toMatch(
    /^C-4\.3-1 {2}MUST {2}sync MUST accept GET\.\n[\s\S]*checked {2}by .*BAD-RULE-01/,
  )
  for (const { output } of explained) {
    const [, anchor, path = ''] = output.match(/ {2}read {5}protocol\.md#(\S+), which is (.*)$/m) ?? []
    expect(await readFile(path, 'utf8')).toContain(`<a id="${anchor}"></a>`)
  }
})

async function freePort(): Promise<{ port: number }> {
  const listener = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => listener.once('listening', resolve))
  const { port } = listener.address() as AddressInfo
  await new Promise((resolve) => listener.close(resolve))
  return { port }
}
