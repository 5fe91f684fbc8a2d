import { expectCreated, expectSame } from '../../expect.ts'
import { asSetup } from '../../finding.ts'
import type { Rule } from '../../rule.ts'
import { readAccessToken } from '../../sessions.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { expectError } from './answers.ts'
import { decided } from './decided.ts'

/** Rules of sections 4.3 and 5: what of the decisions a restart forgets (contract, sync 7 and token). */
export const decidedRestartRules: readonly Rule[] = [
  decided({
    id: 'RESTART-RETRY-01',
    title: 'MUST know an upload again that is repeated after a restart',
    section: '4.3',
    clauses: ['K-sync-9', 'C-4.3-39'],
    faults: ['restart-forgets-uploads'],
    restarts: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.create()
      const from = await phone.position()
      const token = readAccessToken(await asSetup('a grant', () => lab.token()))
      const upload = async () => {
        const form = [
          ['from', `${from}`],
          ['new_thing', JSON.stringify({ local_id: 'a', title: lab.mark })],
        ] as const
        return readSyncAnswer(await lab.openSync(token, { path: 'sync', form }), 'an upload')
      }
      const first = await asSetup('the upload before the restart', upload)
      await lab.restart()
      const second = await upload()
      const expected = 'the _id of the answer before the restart, because session, from and local_id are the same'
      expectSame(expectCreated(second, 'a'), expectCreated(first, 'a'), expected, second)
    },
  }),
  decided({
    id: 'RESTART-REVOKED-01',
    title: 'MUST keep a session ended that was ended before a restart',
    section: '5.2',
    clauses: ['K-grant-4', 'C-4.3-39'],
    faults: ['restart-revives-sessions', 'access-token-never-valid'],
    restarts: true,
    check: async (lab) => {
      const { clientId, clientSecret } = lab.target
      const token = readAccessToken(await asSetup('a grant', () => lab.token()))
      const form = [
        ['token', token],
        ['client_id', clientId],
        ['client_secret', clientSecret],
      ] as const
      await asSetup('a sync with the token', async () => readSyncAnswer(await lab.openSync(token), 'a sync'))
      await lab.request({ path: 'revoke', form })
      await lab.restart()
      expectError(await lab.openSync(token), 401, 'invalid_grant', 'the session of the token was ended before')
    },
  }),
]
