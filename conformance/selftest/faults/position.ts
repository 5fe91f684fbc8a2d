import { type Behaviour, right } from '../server/behaviour.ts'
import type { Account, Session } from '../server/world.ts'
import { answers, type Fault, fault, without } from './fault.ts'
import { hold, visit } from './meeting.ts'

const { nextPosition, position } = right

/** Changes of one second; a clock that counts them is as slow on every machine. */
const changesInSecond = 40

/** The position of all changes of one second. */
function secondOf({ memory }: Account): number {
  return 1_000_000 + Math.floor(Number(memory.get('changes') ?? 0) / changesInSecond)
}

function nextSecond(account: Account): number {
  account.memory.set('changes', Number(account.memory.get('changes') ?? 0) + 1)
  account.position = secondOf(account)
  return account.position
}

/** Takes the position first, and shows the work later. */
const slowCommit: Behaviour['commit'] = async (account, work) => {
  const taken = nextPosition(account)
  await hold(account.memory, 'listing')
  work(() => taken)
}

function living({ things }: Account): readonly number[] {
  return [...things.values()].flatMap((thing) => (thing.deleted ? [] : [thing.position]))
}

function offset({ memory }: Session): number {
  if (!memory.has('offset')) memory.set('offset', 1e12 - Math.floor(performance.now() * 1000))
  return Number(memory.get('offset'))
}

/** Faults of `pos` (interface 2.3, 4.3). */
export const positionFaults: readonly Fault[] = [
  fault(
    'pos-missing-on-empty',
    'gives no pos when nothing changed',
    answers((answer) => (answer.things || answer.tags ? answer : without(answer, 'pos'))),
  ),
  fault(
    'pos-text',
    'gives pos as text',
    answers((answer) => ({ ...answer, pos: `${answer.pos}` })),
  ),
  fault('pos-zero-always', 'gives 0 for pos', { position: () => 0 }),
  fault('pos-from-living-things', 'takes pos from the living things, so that a deletion moves it back', {
    position: (account) => Math.max(0, ...living(account)),
  }),
  fault('pos-thing-count', 'gives the number of things for pos', { position: (account) => living(account).length }),
  fault('pos-ahead', 'gives a pos that the next change will have', {
    position: (account) => account.position + 1,
    isFull: (from) => from === undefined || from === 0,
  }),
  fault('upload-returns-old-pos', 'answers an upload with the old pos', {
    position: (account, session, of) => (of.own.size > 0 ? of.from : position(account, session, of)),
  }),
  fault('pos-second-granularity', 'takes the clock in whole seconds for positions', {
    nextPosition: nextSecond,
    position: secondOf,
  }),
  fault('pos-before-slow-commit', 'takes the position before a slow commit', {
    commit: slowCommit,
    position: (account, session, of) => {
      visit(account.memory, 'listing')
      return position(account, session, of)
    },
  }),
  fault('pos-read-after-slow-listing', 'reads pos only after a slow listing', {
    betweenListAndPosition: async ({ memory }) => void (await hold(memory, 'write')),
    afterWrite: ({ memory }) => void visit(memory, 'write'),
  }),
  fault('pos-per-session', 'gives positions that only the same session can use', {
    position: (account, session) => account.position + offset(session),
    since: (from, session) => Math.max(0, from - offset(session)),
    isFull: (from) => from === undefined || from === 0,
  }),
  fault(
    'pos-missing-after-deletion',
    'gives no pos with the answer to a deletion',
    answers((answer, { body }) => (body.some(([name]) => name === 'deleted_thing') ? without(answer, 'pos') : answer)),
  ),
  fault(
    'pos-of-change-from-the-future',
    'gives with the answer to a change the pos of the next one',
    answers((answer, { body }) =>
      body.some(([name]) => name === 'changed_thing') ? { ...answer, pos: Number(answer.pos) + 1 } : answer,
    ),
  ),
]
