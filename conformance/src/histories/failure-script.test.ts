import { expect, test } from 'vitest'
import { writeScript } from './failure-script.ts'
import { emptyUpload } from './plan.ts'
import type { SyncEvent } from './trace.ts'

test('text of the server appears in comments only', () => {
  const milk = { thing: 'milk', number: 1, rich: false, archived: false }
  const step = { ...emptyUpload, creates: [milk] }
  const event: SyncEvent = {
    ...{ number: 1, round: 0, who: 'phone', started: 1, ended: 2, step, base: 0 },
    ...{ responses: [], position: 1, apiError: undefined, exchange: undefined, during: undefined },
  }
  const trace = { mark: 'm', events: [event], idOf: new Map([['milk', 'x\nrm -rf "$HOME" #']]) }
  const proof = { kind: 'accepted' } as const
  const anomaly = { kind: 'rejected', event, subject: 'milk', expected: 'a', actual: 'b\r\nreboot', proof } as const

  const script = writeScript({ plan: [{ round: 0, who: 'phone', step }], trace, anomaly })

  const dangerous = script.split(/[\r\n]/).filter((line) => /HOME|reboot/.test(line))
  expect(dangerous).toHaveLength(2)
  expect(dangerous.filter((line) => !line.startsWith('# '))).toEqual([])
})
