import { type Behaviour, right } from '../server/behaviour.ts'
import type { World } from '../server/world.ts'
import type { Fault } from './fault.ts'

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
  {
    id: 'client-secret-percent-accepted',
    title: 'takes a percent sign in client_secret for any text',
    behaviour: secrets((given, { clientSecret }) => given.includes('%') && isLike(clientSecret, given)),
  },
  {
    id: 'client-secret-underscores-accepted',
    title: 'takes an underscore in client_secret for any character',
    behaviour: secrets((given, { clientSecret }) => !given.includes('%') && isLike(clientSecret, given)),
  },
  {
    id: 'client-secret-star-accepted',
    title: 'takes a star for any client_secret',
    behaviour: secrets((given) => given === '*'),
  },
  {
    id: 'client-secret-is-client-id',
    title: 'takes the client_id for a client_secret, as a default',
    behaviour: secrets((given, { clientId }) => given === clientId),
  },
  {
    id: 'client-secret-default-word',
    title: 'has the default client_secret that its examples show',
    behaviour: secrets((given) => given === 'secret'),
  },
  {
    id: 'client-id-percent-accepted',
    title: 'takes a percent sign in client_id for any text',
    behaviour: clientIds((given, { clientId }) => given.includes('%') && isLike(clientId, given)),
  },
  {
    id: 'client-id-case-ignored',
    title: 'ignores the case of client_id',
    behaviour: clientIds((given, { clientId }) => given.toLowerCase() === clientId.toLowerCase()),
  },
  {
    id: 'password-percent-accepted',
    title: 'takes a percent sign for any password',
    behaviour: passwords((given) => given === '%'),
  },
  {
    id: 'password-star-accepted',
    title: 'takes a star for any password',
    behaviour: passwords((given) => given === '*'),
  },
  {
    id: 'password-is-username',
    title: 'takes the username for the password, as a default',
    behaviour: passwords((given, username) => given === username),
  },
  {
    id: 'password-is-client-secret',
    title: 'has the client_secret for a master password',
    behaviour: passwords((given) => given === 'a secret/with+signs'),
  },
  {
    id: 'password-of-another-user',
    title: 'looks a password up among those of all users',
    behaviour: passwords((given) => given === 'another pass'),
  },
  {
    id: 'refresh-token-percent-accepted',
    title: 'takes a percent sign for any request token',
    behaviour: requestTokens((given) => given === '%'),
  },
  {
    id: 'refresh-token-null-accepted',
    title: 'takes the word null for a request token',
    behaviour: requestTokens((given) => given === 'null'),
  },
]
