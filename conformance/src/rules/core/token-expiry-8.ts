import { setTimeout as pause } from 'node:timers/promises'
import type { RawRequest, Reply } from '../../client.ts'
import { expectRefusal, expectSame } from '../../expect.ts'
import { asSetup, Inapplicable } from '../../finding.ts'
import type { Lab } from '../../lab.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { coreSection } from './core-rules.ts'
import { readRequestToken, refresh, takeGrant } from './take-grant.ts'

/** Longest validity, in seconds, that a rule waits for. */
const longestWait = 5

/** Longer than the answer of a grant may be under way, in seconds. */
const graceSeconds = 1.5

/** The validity that a token answer tells, in seconds, when it can be waited for. */
const readValidity = ({ json }: Reply): number => {
  const seconds = Number(json?.expires_in)
  if (seconds <= longestWait) return seconds
  throw new Inapplicable(`the server's access tokens are valid for ${seconds} s, too long to wait for`)
}

const ways = {
  header: 'Authorization header',
  query: 'GET parameter',
  form: 'form parameter of a POST',
} as const

type Kind = keyof typeof ways

const present = (lab: Lab, kind: Kind, token: string): Promise<Reply> => {
  const request: RawRequest =
    kind === 'form' ? { path: 'sync', form: [['limit', '1']] } : { path: 'sync', query: [['limit', '1']] }
  return lab.present(request, token, kind === 'header' ? { kind } : { kind })
}

/** Presents a token of a password grant and one of a refresh, once new and once expired. */
const expectExpiry = async (lab: Lab, kind: Kind): Promise<void> => {
  const { reply, token } = await takeGrant(lab)
  const seconds = readValidity(reply)
  const other = await asSetup('another password grant', () => takeGrant(lab))
  const again = await refresh(lab, readRequestToken(other.reply))
  const refreshed = String(again.json?.access_token)
  const tokens = { 'of a password grant': token, 'of a refresh': refreshed }
  for (const [whose, each] of Object.entries(tokens)) {
    await asSetup(`a sync with the new token ${whose}`, async () =>
      readSyncAnswer(await present(lab, kind, each), 'a sync'),
    )
  }
  await pause((seconds + graceSeconds) * 1000)
  for (const [whose, each] of Object.entries(tokens)) {
    const answer = await present(lab, kind, each)
    const { error, error_description: description } = answer.json ?? {}
    const wanted = ['invalid_grant', 'The access token provided is invalid']
    const expected = `error and error_description for a token ${whose} that was given with expires_in ${seconds} and is older (${kind})`
    expectSame([error, description], wanted, expected, answer)
  }
}

/** The end of a token's validity (interface 5.3, 7, 8); only one of seconds can be waited for. */
export const tokenExpiryRules = coreSection('8', [
  {
    id: 'TOKEN-EXPIRE-01',
    title: 'MUST reject an access token once its expires_in is over',
    clauses: ['C-8-1', 'C-7-2'],
    faults: ['token-outlives-expires-in', 'token-expired-from-the-start'],
    check: async (lab) => {
      const { reply, token } = await takeGrant(lab)
      const seconds = readValidity(reply)
      await asSetup('a sync with the new token', async () => readSyncAnswer(await lab.openSync(token), 'a sync'))
      await pause((seconds + graceSeconds) * 1000)
      const age = seconds + graceSeconds
      expectRefusal(await lab.openSync(token), `it was given ${age} s ago with expires_in ${seconds}`)
    },
  },
  ...(Object.keys(ways) as Kind[]).map((kind, place) => ({
    id: `TOKEN-EXPIRE-0${place + 2}`,
    title: `MUST refuse an expired access token in the ${ways[kind]} with the stated error`,
    clauses: ['C-8-1', 'C-7-2', 'C-5.3-4'],
    faults: [
      `token-outlives-in-${kind}`,
      `token-expired-differs-in-${kind}`,
      'token-refreshed-outlives',
      'token-expired-from-the-start',
    ],
    check: (lab: Lab) => expectExpiry(lab, kind),
  })),
])
