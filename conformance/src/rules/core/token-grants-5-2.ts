import { expect } from '../../expect.ts'
import { asSetup } from '../../finding.ts'
import { showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { coreSection } from './core-rules.ts'
import { takeGrant } from './take-grant.ts'

const expectField = async (lab: Lab, name: string, isRight: (value: unknown) => boolean, wanted: string) => {
  const { json, reply } = await takeGrant(lab)
  const came = Object.hasOwn(json, name) ? showValue(json[name]) : 'the field is missing'
  expect(isRight(json[name]), `${name} to be ${wanted}, because a password grant succeeded`, came, reply)
}

/** Whether it is the Unix time of some moment near now: nobody gives tokens for half a century. */
const isTimeOfOurs = (seconds: number): boolean => Math.abs(seconds - Date.now() / 1000) < 1e8

/** Grants and their answer (interface 4.2, 5.1, 5.2). */
export const tokenGrantRules = coreSection('5.2', [
  {
    // The form-encoded password grant at {base_url}/token gives an access token, and that token is what opens the API.
    id: 'TOKEN-GRANT-01',
    title: 'MUST answer a password grant with an access_token that opens sync',
    section: '5.1',
    clauses: ['C-1-1', 'C-4.2-1', 'C-5.1-1', 'C-5.2-1'],
    faults: [
      'token-access-token-missing',
      'token-form-refused',
      'token-answer-as-form',
      'token-field-wrapped',
      'sync-get-refused',
      'access-token-never-valid',
      'token-expired-from-the-start',
    ],
    check: async (lab) => {
      const { token } = await takeGrant(lab)
      readSyncAnswer(await lab.openSync(token), 'a sync with the new access token')
    },
  },
  {
    // The second token of the pair stands in a field of its own name.
    id: 'TOKEN-GRANT-02',
    title: 'MUST give the second token of a grant as the string request_token',
    clauses: ['C-5.2-3'],
    faults: ['token-request-token-missing', 'token-refresh-for-whoever-asks'],
    check: (lab) =>
      expectField(
        lab,
        'request_token',
        (value) => typeof value === 'string' && value !== '',
        'a string that is not empty',
      ),
  },
  {
    // The validity is a number of seconds; none at all would make the token useless.
    id: 'TOKEN-GRANT-03',
    title: 'MUST give expires_in as a number of seconds above 0',
    clauses: ['C-5.2-2'],
    faults: ['token-expires-in-text', 'token-expires-in-zero', 'token-expires-in-time'],
    check: (lab) =>
      expectField(
        lab,
        'expires_in',
        (value) => typeof value === 'number' && value > 0 && !isTimeOfOurs(value),
        'a number (not text) of seconds above 0, and not the time at which it ends',
      ),
  },
  {
    id: 'TOKEN-GRANT-04',
    title: 'MUST give token_type as "bearer"',
    clauses: ['C-5.2-4'],
    faults: ['token-type-not-bearer'],
    check: (lab) => expectField(lab, 'token_type', (value) => value === 'bearer', '"bearer"'),
  },
  {
    id: 'TOKEN-GRANT-05',
    title: 'MUST give scope as null',
    clauses: ['C-5.2-5'],
    faults: ['token-scope-empty-text', 'token-scope-missing'],
    check: (lab) => expectField(lab, 'scope', (value) => value === null, 'null'),
  },
  {
    // Each grant issues a new pair: neither half is one that was given before.
    id: 'TOKEN-GRANT-06',
    title: 'MUST issue a new pair of tokens with each password grant',
    clauses: ['C-5.2-6'],
    faults: ['token-same-access-token-twice', 'token-same-request-token-twice'],
    check: async (lab) => {
      const first = await asSetup('a first password grant', () => takeGrant(lab))
      const second = await takeGrant(lab)
      expect(
        second.token !== first.token,
        'another access_token than the first grant gave',
        'the same came',
        second.reply,
      )
      const isNew = second.json.request_token !== first.json.request_token
      expect(isNew, 'another request_token than the first grant gave', 'the same came', second.reply)
    },
  },
  {
    // expires_in is the validity of the token: it may be used as often as needed until then, whatever other devices ask for.
    id: 'TOKEN-GRANT-07',
    title: 'MUST accept an access token again and again during its validity, also after another grant',
    section: '8',
    clauses: ['C-8-1'],
    faults: ['token-dies-after-third-use'],
    check: async (lab) => {
      const { token } = await asSetup('a password grant', () => takeGrant(lab))
      await asSetup('another password grant', () => takeGrant(lab))
      for (const time of ['1st', '2nd', '3rd', '4th', '5th', '6th']) {
        readSyncAnswer(await lab.openSync(token), `the ${time} sync with an access token that is seconds old`)
      }
    },
  },
])
