import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  describeScore,
  findUnreliableRules,
  isAlarm,
  kills,
  openResultsFile,
  type ProgramScore,
  readFaults,
  readScoreSettings,
} from './score-set.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'score-set-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true })
})

const killed: ProgramScore = {
  ...{ kind: 'fault', id: 'one', profile: 'api', class: 'tokens', level: 'must', status: 'killed', ms: 5 },
  rules: [{ id: 'CLIENT-REFRESH-01', level: 'must', status: 'failed', message: 'expected a, but b' }],
}
const missed: ProgramScore = { ...killed, id: 'two', status: 'missed', rules: [] }
const late: ProgramScore = { ...missed, id: 'three', class: 'pages', level: 'should', status: 'late' }
const right: ProgramScore = {
  ...{ kind: 'right', id: 'right', profile: 'api', status: 'alarm', ms: 9 },
  rules: [{ id: 'CLIENT-WAIT-02', level: 'must', status: 'failed', message: 'expected an end, but it waits' }],
}

test('an interrupted results file goes on after its last whole line', async () => {
  const path = join(folder, 'results.jsonl')
  await (await openResultsFile(path)).add(killed)
  await appendFile(path, '{"kind":"fault","id":"tw')

  const file = await openResultsFile(path)
  await file.add(missed)
  const lines = (await readFile(path, 'utf8')).trim().split('\n')

  expect(file.scores()).toEqual([killed, missed])
  expect([file.has('fault', 'one', 'api'), file.has('fault', 'one', 'replica')]).toEqual([true, false])
  expect(lines).toEqual([JSON.stringify(killed), JSON.stringify(missed)])
})

test('the score counts by class and level, and names misses and false alarms', () => {
  expect(describeScore([right, killed, missed, late]).split('\n')).toEqual([
    'pages                          0/1  three',
    'tokens                         1/2  two',
    'killed 1/3 faults: MUST 1/2, SHOULD 0/1',
    'false alarms on 1 of 1 right and legal programs',
    '  right right: CLIENT-WAIT-02 failed: expected an end, but it waits',
    'ended by --max-seconds: three',
  ])
})

test('rules that the right program does not pass kill nothing, and its score comes first', async () => {
  const file = await openResultsFile(join(folder, 'unreliable.jsonl'))
  await file.add(right)

  expect([...findUnreliableRules(file, 'api')]).toEqual(['CLIENT-WAIT-02'])
  expect(() => findUnreliableRules(file, 'replica')).toThrow('--kind right')
})

test('only a failed rule of its level or a higher one kills a fault', () => {
  const results = [
    { status: 'failed', level: 'must' },
    { status: 'failed', level: 'should' },
    { status: 'blocked', level: 'must' },
  ] as const

  expect(results.map((result) => kills('must', result))).toEqual([true, false, false])
  expect(results.map((result) => kills('should', result))).toEqual([true, true, false])
})

test('a blocked MUST is a false alarm, a blocked SHOULD and a skipped MUST are none', () => {
  const rule = { id: 'X', title: '', basis: 'implied', profile: 'api', section: '1', requirements: [], ms: 0 } as const

  expect([
    isAlarm({ ...rule, status: 'blocked', level: 'must' }),
    isAlarm({ ...rule, status: 'blocked', level: 'should' }),
    isAlarm({ ...rule, status: 'skipped', level: 'must' }),
    isAlarm({ ...rule, status: 'error', level: 'should' }),
  ]).toEqual([true, false, false, true])
})

test('a catalog without levels violates a MUST with each fault', async () => {
  const path = join(folder, 'faults.json')
  const common = { class: 'tokens', profile: 'api', what: 'a sentence' }
  await writeFile(
    path,
    JSON.stringify([
      { id: 'a', ...common },
      { id: 'b', ...common, level: 'SHOULD' },
    ]),
  )

  const faults = await readFaults(path)

  expect(faults.map(({ id, level }) => [id, level])).toEqual([
    ['a', 'must'],
    ['b', 'should'],
  ])
})

test('the command comes after --, and a results file is required', () => {
  const words = ['--results', 'r', '--kind', 'fault', '--only', 'a', '--only', 'b', '--', 'python3', 'x.py', '--port']

  expect(readScoreSettings(words)).toMatchObject({
    command: ['python3', 'x.py', '--port'],
    kinds: ['fault'],
    only: ['a', 'b'],
    jobs: 1,
  })
  expect(() => readScoreSettings(['--results', 'r'])).toThrow('after --')
  expect(() => readScoreSettings(['--', 'python3'])).toThrow('--results FILE')
})
