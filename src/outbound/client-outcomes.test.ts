import { expect, test } from 'vitest'
import { describeFailure } from './client.ts'
import type { Reached } from './connection.ts'

test.each<[Reached, string]>([
  ['nothing', 'No connection could be made.'],
  ['socket', 'No secure connection could be made: the certificate or something else of TLS was not accepted.'],
  ['receiver', 'The receiver gave no answer, or none in HTTP.'],
])('how far it came (%s) is told of public addresses only', (reached, reason) => {
  expect(describeFailure(reached, true)).toEqual({ kind: 'failed', reason })
  expect(describeFailure(reached, false)).toEqual({ kind: 'failed', reason: 'The receiver gave no answer.' })
})
