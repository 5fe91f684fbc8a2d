import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runToEnd } from '../../scheduling.ts'
import { encodeLine, readLine, readSteps } from './checked-lines.ts'

test('a line is read again, whatever the number of pieces of its steps', () => {
  fc.assert(
    fc.property(fc.array(fc.json({ stringUnit: 'binary' })), fc.string(), fc.nat(), (steps, key, cut) => {
      const line = { write: 7, batch: 6, key }
      const json = Buffer.from(`[${steps.join(',')}]`)
      const pieces = [json.subarray(0, cut), json.subarray(cut)]

      const whole = Buffer.concat(runToEnd(encodeLine(line, [json])))

      expect(Buffer.concat(runToEnd(encodeLine(line, pieces))).equals(whole)).toBe(true)
      const read = whole.subarray(0, -1)
      expect([readLine(read), readSteps(read)]).toEqual([line, JSON.parse(json.toString())])
    }),
    { numRuns: 50 },
  )
})
