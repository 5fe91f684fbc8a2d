import { type Behaviour, right } from '../server/behaviour.ts'
import type { World } from '../server/world.ts'
import { type Fault, fault, makeFaults } from './fault.ts'

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
  ...makeFaults(
    secrets,
    [
      'client-secret-percent-accepted',
      'takes a percent sign in client_secret for any text',
      (given, { clientSecret }) => given.includes('%') && isLike(clientSecret, given),
    ],
    [
      'client-secret-underscores-accepted',
      'takes an underscore in client_secret for any character',
      (given, { clientSecret }) => !given.includes('%') && isLike(clientSecret, given),
    ],
    ['client-secret-star-accepted', 'takes a star for any client_secret', (given) => given === '*'],
    [
      'client-secret-is-client-id',
      'takes the client_id for a client_secret, as a default',
      (given, { clientId }) => given === clientId,
    ],
    [
      'client-secret-default-word',
      'has the default client_secret that its examples show',
      (given) => given === 'secret',
    ],
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
  ...makeFaults(
    passwords,
    ['password-percent-accepted', 'takes a percent sign for any password', (given) => given === '%'],
    ['password-star-accepted', 'takes a star for any password', (given) => given === '*'],
    [
      'password-is-username',
      'takes the username for the password, as a default',
      (given, username) => given === username,
    ],
    [
      'password-is-client-secret',
      'has the client_secret for a master password',
      (given) => given === 'a secret/with+signs',
    ],
    ['password-of-another-user', 'looks a password up among those of all users', (given) => given === 'another pass'],
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
