import { nameTooLong } from '../../accounts/find-user.ts'
import { describeOrigin } from '../../accounts/origin.ts'
import { type KnownElsewhere, type RefusedElsewhere, signInElsewhere } from '../../accounts/sign-in-elsewhere.ts'
import type { PageRequest, PageTools, SeeOther } from '../page.ts'
import { PageRefused } from '../page-refused.ts'

const sentences: Readonly<Record<RefusedElsewhere, (name: string) => string>> = {
  nameTooLong: () => `The user name that is given there ${nameTooLong}.`,
  unknown: (name) => `You are signed in as “${name}” there, and nobody of that name has an account here.`,
  disabled: (name) => `The account of “${name}” is disabled here.`,
  otherSubject: (name) => `The account “${name}” belongs to somebody else, who had that name before.`,
}

const maxLoggedCharacters = 200

/** Signs in whoever a proxy or a provider vouches for, and goes on. @throws PageRefused when the person has no way in here */
export const enterElsewhere = async (
  { address, userAgent, requestId, sessionSecret }: PageRequest,
  { store, world, attempts, log, mayCreateAccounts }: PageTools,
  known: KnownElsewhere,
  next: string,
): Promise<SeeOther> => {
  const by = known.subject === undefined ? {} : { by: 'provider' as const }
  const place = { origin: describeOrigin(address, userAgent), replaces: sessionSecret, ...by }
  const outcome = await signInElsewhere(store, known, place, world, { mayCreate: mayCreateAccounts })
  if ('refused' in outcome) {
    log.warn(
      { requestId, user: known.name.slice(0, maxLoggedCharacters), refused: outcome.refused },
      'somebody who is known elsewhere was not let in',
    )
    throw new PageRefused({
      status: 403,
      title: 'You have no way in here',
      happened: sentences[outcome.refused](known.name),
      advice: 'Ask the person who runs this server, or sign in as somebody else.',
    })
  }
  await attempts.welcome(address, outcome.user.id)
  return { see: next, session: outcome.cookie }
}
