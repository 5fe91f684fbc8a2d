import { makeThings } from '../candidate/make-things.ts'
import type { LoadJob } from '../load/job.ts'
import { formHeaders } from '../measure/requests.ts'

/** How many clients upload at a time. */
export const clientCount = 64

/** Each client uploads one new thing after the other, after what it got last, with a token of its own. */
export const uploadJob = (port: number, tokens: readonly string[], seconds: number): LoadJob => {
  const [thing] = makeThings(7, 1)
  const text = JSON.stringify({ ...thing, local_id: 'LOCAL' })
  return {
    ...{ port, method: 'POST', path: '/v1/sync', headers: {}, headersByConnection: tokens.map(formHeaders) },
    body: `from={pos}&new_thing=${encodeURIComponent(text).replace('LOCAL', '{n}')}`,
    ...{ connections: tokens.length, seconds, rests: true },
  }
}
