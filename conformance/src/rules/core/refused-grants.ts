import type { Reply } from '../../client.ts'
import { expectRefusal } from '../../expect.ts'
import { asSetup } from '../../finding.ts'
import type { Lab } from '../../lab.ts'
import { readAccessToken } from '../../sessions.ts'
import { refresh, takeGrant, takeRequestToken } from './take-grant.ts'

/** Parameters of a grant that are replaced, or with undefined left out. */
export type Changes = Readonly<Record<string, string | undefined>>

/** A refusal that gives no token and says why in the form of every error (interface 7). */
const expectNoGrant = (reply: Reply, because: string): void => {
  // A token beside an error would be none the less a token.
  const hasToken = reply.json?.access_token !== undefined
  expectRefusal(hasToken ? { ...reply, error: undefined } : reply, because)
}

/** Each wrong password grant is refused, and the right one beside it is not; `wrong` is told by what is wrong with it. */
export const expectEachRefused = async (lab: Lab, wrong: Readonly<Record<string, Changes>>): Promise<void> => {
  await asSetup('the same grant with nothing wrong', () => takeGrant(lab))
  for (const [because, changes] of Object.entries(wrong)) expectNoGrant(await lab.token(changes), because)
  await takeGrant(lab)
}

/** The same for refreshes, each with a request token of its own. */
export const expectEachRefreshRefused = async (lab: Lab, wrong: Readonly<Record<string, Changes>>): Promise<void> => {
  await asSetup('a refresh with nothing wrong', async () =>
    readAccessToken(await refresh(lab, await takeRequestToken(lab))),
  )
  for (const [because, changes] of Object.entries(wrong)) {
    const token = await takeRequestToken(lab)
    expectNoGrant(await lab.token({ grant_type: 'refresh_token', refresh_token: token, ...changes }), because)
  }
}
