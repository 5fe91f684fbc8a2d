import { expect, test } from 'vitest'
import { describeFailure } from './client.ts'
import type { Reached } from './connection.ts'

test.each<[Reached, string]>([
  ['nothing', 'No connection could be made.'],
  ['socket', 'No secure connection could be made: TLS failed, for example because of the certificate.'],
  ['receiver', 'The receiver did not respond, or not in HTTP.'],
])('the reason of a failure (%s) is given for public addresses only', (reached, reason) => {
  expect(describeFailure(reached, true)).toEqual({ kind: 'failed', reason })
  expect(describeFailure(reached, false)).toEqual({ kind: 'failed', reason: 'The receiver did not respond.' })
})
