import { expect, test } from 'vitest'
import { ClientError } from '../../client/src/index.ts'
import { de } from '../words/de.ts'
import { en } from '../words/en.ts'
import { describeState } from './messages.ts'
import type { AppState } from './open-account.ts'

const calm: AppState = {
  status: 'live',
  pending: 0,
  progress: undefined,
  syncedAt: 1,
  nextTryAt: undefined,
  lastError: undefined,
  rejected: [],
  overwritten: [],
}
const stateOf = (part: Partial<AppState>, words = en) => describeState({ ...calm, ...part }, words, (at) => `t${at}`)

test('the quiet sentences say that all is saved, or what is being sent', () => {
  const progress = { listed: 300, thingCount: 1000, bytes: 1, sent: 0, toSend: 0 }

  expect(stateOf({}).text).toBe('Everything is saved here and on the server.')
  expect(stateOf({ pending: 1 }).text).toBe('Saved here; 1 change on the way to the server.')
  expect(stateOf({ progress }).text).toBe('Downloading your items: 300 of 1,000')
  expect(stateOf({ status: 'connecting', syncedAt: undefined }).text).toBe('Connecting to the server.')
})

test('the sentence names the waiting changes and offers an action', () => {
  expect(stateOf({ status: 'offline', pending: 3 })).toEqual({
    text: 'No connection. 3 changes wait for the network.',
    tone: 'heed',
    offer: 'tryNow',
  })
  expect(stateOf({ status: 'signed_out', pending: 3 })).toEqual({
    text: 'Signed out. Your 3 changes are kept.',
    tone: 'heed',
    offer: 'signIn',
  })
  expect(stateOf({ status: 'offline', pending: 1 }, de).text).toBe('Keine Verbindung. 1 Änderung wartet auf das Netz.')
})

test('the most severe condition comes first', () => {
  const error = new ClientError('rejected', '400 invalid', { description: 'the title is too long' })
  const rejected = [{ kind: 'thing', name: 'x', error }] as const

  expect(stateOf({ rejected, pending: 1 }).offer).toBe('look')
  expect(stateOf({ rejected, storeProblem: 'full' })).toEqual({ text: en.state.full, tone: 'bad' })
  expect(stateOf({ lastError: error }).text).toBe(
    'The server has a problem. Everything is saved here. The server says: the title is too long',
  )
})

test('a server error gets a plain sentence with the waiting changes', () => {
  const lastError = new ClientError('unexpected_response', 'status 502 without an error object', { status: 502 })

  expect(stateOf({ lastError, pending: 2 }).text).toBe('The server has a problem. 2 changes wait until it is solved.')
  expect(stateOf({ lastError }).text).toBe('The server has a problem. Everything is saved here.')
  expect(stateOf({ lastError, pending: 1 }, de).text).toBe(
    'Der Server hat ein Problem. 1 Änderung wartet, bis es behoben ist.',
  )
})

test('a clock difference is shown in its largest unit, unless another sentence is more important', () => {
  const hour = 3_600_000

  expect([3 * 24 * hour, -5 * hour, hour / 6].map((clockAhead) => stateOf({ clockAhead }).text)).toEqual([
    'Everything is saved. The clock of this device is 3 days ahead: new items get a wrong date.',
    'Everything is saved. The clock of this device is 5 hours behind: new items get a wrong date.',
    'Everything is saved. The clock of this device is 10 minutes ahead: new items get a wrong date.',
  ])
  expect(stateOf({ clockAhead: hour, pending: 1 }).text).toBe('Saved here; 1 change on the way to the server.')
})
