import { type Behaviour, right } from '../server/behaviour.ts'
import type { World } from '../server/world.ts'
import { type Fault, fault } from './fault.ts'

const { clientAccepted, findRequestToken, passwordAccepted } = right

/** How a query compares: `%` is any text, `_` any character. */
function isLike(text: string, pattern: string): boolean {
  const parts = [...pattern].map((each) =>
    each === '%' ? '.*' : each === '_' ? '.' : each.replace(/[^\w]/, (sign) => `\\${sign}`),
  )
  return new RegExp(`^${parts.join('')}$`, 's').test(text)
}

function secrets(accepts: (given: string, world: World) => boolean): Partial<Behaviour> {
  return {
    clientAccepted: (world, id, secret, grant) =>
      clientAccepted(world, id, secret, grant) || (id === world.clientId && accepts(secret, world)),
  }
}

function clientIds(accepts: (given: string, world: World) => boolean): Partial<Behaviour> {
  return {
    clientAccepted: (world, id, secret, grant) =>
      clientAccepted(world, id, secret, grant) || (secret === world.clientSecret && accepts(id, world)),
  }
}

function passwords(accepts: (given: string, username: string) => boolean): Partial<Behaviour> {
  return {
    passwordAccepted: (account, given) =>
      passwordAccepted(account, given) || (account !== undefined && accepts(given, account.username)),
  }
}

function requestTokens(accepts: (given: string) => boolean): Partial<Behaviour> {
  return {
    findRequestToken: (world, token) => {
      const session = world.sessions.find(({ pairs }) => pairs.length > 0)
      const pair = session?.pairs.at(-1)
      const opened = session === undefined || pair === undefined || !accepts(token) ? undefined : { session, pair }
      return findRequestToken(world, token) ?? opened
    },
  }
}

/** Credentials that are a pattern, a word or another credential, and are taken (interface 5.1). */
export const patternFaults: readonly Fault[] = [
  fault(
    'client-secret-percent-accepted',
    'takes a percent sign in client_secret for any text',
    secrets((given, { clientSecret }) => given.includes('%') && isLike(clientSecret, given)),
  ),
  fault(
    'client-secret-underscores-accepted',
    'takes an underscore in client_secret for any character',
    secrets((given, { clientSecret }) => !given.includes('%') && isLike(clientSecret, given)),
  ),
  fault(
    'client-secret-star-accepted',
    'takes a star for any client_secret',
    secrets((given) => given === '*'),
  ),
  fault(
    'client-secret-is-client-id',
    'takes the client_id for a client_secret, as a default',
    secrets((given, { clientId }) => given === clientId),
  ),
  fault(
    'client-secret-default-word',
    'has the default client_secret that its examples show',
    secrets((given) => given === 'secret'),
  ),
  fault(
    'client-id-percent-accepted',
    'takes a percent sign in client_id for any text',
    clientIds((given, { clientId }) => given.includes('%') && isLike(clientId, given)),
  ),
  fault(
    'client-id-case-ignored',
    'ignores the case of client_id',
    clientIds((given, { clientId }) => given.toLowerCase() === clientId.toLowerCase()),
  ),
  fault(
    'password-percent-accepted',
    'takes a percent sign for any password',
    passwords((given) => given === '%'),
  ),
  fault(
    'password-star-accepted',
    'takes a star for any password',
    passwords((given) => given === '*'),
  ),
  fault(
    'password-is-username',
    'takes the username for the password, as a default',
    passwords((given, username) => given === username),
  ),
  fault(
    'password-is-client-secret',
    'has the client_secret for a master password',
    passwords((given) => given === 'a secret/with+signs'),
  ),
  fault(
    'password-of-another-user',
    'looks a password up among those of all users',
    passwords((given) => given === 'another pass'),
  ),
  fault(
    'refresh-token-percent-accepted',
    'takes a percent sign for any request token',
    requestTokens((given) => given === '%'),
  ),
  fault(
    'refresh-token-null-accepted',
    'takes the word null for a request token',
    requestTokens((given) => given === 'null'),
  ),
]
