import { type Behaviour, right } from '../server/behaviour.ts'
import type { Exchange, Parameter } from '../server/right-requests.ts'
import type { Found } from '../server/right-tokens.ts'
import type { World } from '../server/world.ts'
import { breakIn, errors, type Fault, without } from './fault.ts'

const { clientAccepted, findAccount, findRequestToken, passwordAccepted, grantType } = right

/** What a parameter of the token endpoint is when it is missing or empty; undefined leaves it so. */
type Filling = (world: World) => string | undefined

/** What a parameter was given as; undefined when it was not. */
export function givenValue(body: readonly Parameter[], name: string): unknown {
  return body.find(([given]) => given === name)?.[1]
}

/** A token endpoint that fills a parameter in, when it is left out or empty, for the grants named (all by default). */
function filling(name: string, when: 'left out' | 'empty', fill: Filling, grant?: string): Partial<Behaviour> {
  return {
    form: (body, { path, world }) => {
      const value = givenValue(body, name)
      const applies = path === 'token' && (grant === undefined || givenValue(body, 'grant_type') === grant)
      const filled = fill(world)
      if (!applies || filled === undefined || value !== (when === 'empty' ? '' : undefined)) return body
      return [...body.filter(([given]) => given !== name), [name, filled]]
    },
  }
}

/** The same for several parameters at once. */
function together(...parts: readonly Partial<Behaviour>[]): Partial<Behaviour> {
  const forms = parts.flatMap(({ form }) => (form === undefined ? [] : [form]))
  return { form: (body, exchange) => forms.reduce((all, form) => form(all, exchange), body) }
}

const secret: Filling = ({ clientSecret }) => clientSecret
const client: Filling = ({ clientId }) => clientId
const alice: Filling = () => 'alice'
const alicePassword: Filling = ({ accounts }) => accounts.get('alice')?.password

function clients(accepts: (world: World, id: string, secret: string, grant: string) => boolean): Partial<Behaviour> {
  return {
    clientAccepted: (world, id, given, grant) =>
      clientAccepted(world, id, given, grant) || accepts(world, id, given, grant),
  }
}

function requestTokens(matches: (known: string, given: string) => boolean): Partial<Behaviour> {
  return {
    findRequestToken: (world, token) =>
      findRequestToken(world, token) ?? findBy(world, ({ request }) => matches(request, token)),
  }
}

function findBy(world: World, matches: (pair: { request: string; access: string }) => boolean): Found | undefined {
  for (const session of world.sessions) {
    const pair = session.pairs.find(matches)
    if (pair !== undefined && !session.revoked) return { session, pair }
  }
  return undefined
}

function users(find: (name: string, known: string) => boolean): Partial<Behaviour> {
  return {
    findAccount: (world, name) =>
      findAccount(world, name) ?? [...world.accounts.values()].find(({ username }) => find(name, username)),
  }
}

/** True for a grant that goes on with a session. */
export function isRefresh({ body }: Exchange): boolean {
  return givenValue(body, 'grant_type') === 'refresh_token'
}

/** Faults of client authentication and of parameters that are left out (interface 5.1). */
export const clientFaults: readonly Fault[] = [
  {
    id: 'client-secret-left-out-accepted',
    title: 'needs no client_secret',
    behaviour: filling('client_secret', 'left out', secret, 'password'),
  },
  {
    id: 'client-secret-empty-accepted',
    title: 'takes an empty client_secret',
    behaviour: filling('client_secret', 'empty', secret, 'password'),
  },
  {
    id: 'client-secret-beginning-accepted',
    title: 'compares as much of client_secret as came',
    behaviour: clients(
      (world, id, given) => id === world.clientId && given.length > 3 && world.clientSecret.startsWith(given),
    ),
  },
  {
    id: 'client-secret-longer-accepted',
    title: 'compares as much of client_secret as it has',
    behaviour: clients((world, id, given) => id === world.clientId && given.startsWith(world.clientSecret)),
  },
  {
    id: 'client-secret-trimmed',
    title: 'trims client_secret',
    behaviour: clients((world, id, given) => id === world.clientId && given.trim() === world.clientSecret),
  },
  {
    id: 'client-secret-case-ignored',
    title: 'ignores the case of client_secret',
    behaviour: clients(
      (world, id, given) => id === world.clientId && given.toLowerCase() === world.clientSecret.toLowerCase(),
    ),
  },
  {
    id: 'client-of-session-remembered',
    title: 'asks for a client_secret once for each user',
    behaviour: together(
      filling(
        'client_secret',
        'left out',
        (world) => (world.sessions.length > 0 ? world.clientSecret : undefined),
        'password',
      ),
    ),
  },
  {
    id: 'client-id-left-out-accepted',
    title: 'needs no client_id',
    behaviour: filling('client_id', 'left out', client, 'password'),
  },
  {
    id: 'client-id-empty-accepted',
    title: 'takes an empty client_id',
    behaviour: filling('client_id', 'empty', client, 'password'),
  },
  {
    id: 'client-id-beginning-accepted',
    title: 'compares as much of client_id as came',
    behaviour: clients(
      (world, id, given) => given === world.clientSecret && id.length > 3 && world.clientId.startsWith(id),
    ),
  },
  {
    id: 'client-id-longer-accepted',
    title: 'compares as much of client_id as it has',
    behaviour: clients((world, id, given) => given === world.clientSecret && id.startsWith(world.clientId)),
  },
  {
    id: 'client-id-any-with-secret-left-out',
    title: 'needs no client at all when neither id nor secret came',
    behaviour: {
      form: (body, { path, world }) =>
        path === 'token' &&
        givenValue(body, 'client_id') === undefined &&
        givenValue(body, 'client_secret') === undefined
          ? [...body, ['client_id', world.clientId], ['client_secret', world.clientSecret]]
          : body,
    },
  },
  {
    id: 'refresh-secret-left-out-accepted',
    title: 'needs no client_secret for a refresh',
    behaviour: filling('client_secret', 'left out', secret, 'refresh_token'),
  },
  {
    id: 'refresh-secret-empty-accepted',
    title: 'takes an empty client_secret for a refresh',
    behaviour: filling('client_secret', 'empty', secret, 'refresh_token'),
  },
  {
    id: 'refresh-client-left-out-accepted',
    title: 'needs no client for a refresh',
    behaviour: together(
      filling('client_id', 'left out', client, 'refresh_token'),
      filling('client_secret', 'left out', secret, 'refresh_token'),
    ),
  },
  {
    id: 'refresh-client-id-unchecked',
    title: 'takes any client_id for a refresh',
    behaviour: clients((world, _id, given, grant) => grant === 'refresh_token' && given === world.clientSecret),
  },
  {
    id: 'refresh-secret-beginning-accepted',
    title: 'compares as much of client_secret as came for a refresh',
    behaviour: clients(
      (world, id, given, grant) =>
        grant === 'refresh_token' && id === world.clientId && given.length > 3 && world.clientSecret.startsWith(given),
    ),
  },
  {
    id: 'password-left-out-accepted',
    title: 'needs no password',
    behaviour: filling('password', 'left out', alicePassword, 'password'),
  },
  {
    id: 'password-empty-accepted',
    title: 'takes an empty password',
    behaviour: filling('password', 'empty', alicePassword, 'password'),
  },
  {
    id: 'password-trimmed',
    title: 'trims passwords',
    behaviour: {
      passwordAccepted: (account, given) => passwordAccepted(account, given) || account?.password === given.trim(),
    },
  },
  {
    id: 'password-longer-accepted',
    title: 'compares as much of a password as it has',
    behaviour: { passwordAccepted: (account, given) => account !== undefined && given.startsWith(account.password) },
  },
  {
    id: 'password-beginning-accepted',
    title: 'compares as much of a password as came',
    behaviour: {
      passwordAccepted: (account, given) => account !== undefined && given !== '' && account.password.startsWith(given),
    },
  },
  {
    id: 'password-any-of-known-user',
    title: 'takes any long password',
    behaviour: {
      passwordAccepted: (account, given) =>
        passwordAccepted(account, given) || (account !== undefined && given.length > 20),
    },
  },
  {
    id: 'password-of-anybody',
    title: 'takes the password of any user for each of them',
    behaviour: {
      passwordAccepted: (account, given) => account !== undefined && ['p+ss w&rd=é%41', 'another pass'].includes(given),
    },
  },
  {
    id: 'username-left-out-accepted',
    title: 'needs no username',
    behaviour: filling('username', 'left out', alice, 'password'),
  },
  {
    id: 'username-empty-accepted',
    title: 'takes an empty username for the first user',
    behaviour: filling('username', 'empty', alice, 'password'),
  },
  {
    id: 'username-longer-accepted',
    title: 'finds a user whose name begins the username',
    behaviour: users((given, known) => given.startsWith(known)),
  },
  {
    id: 'username-beginning-accepted',
    title: 'finds a user whose name begins with the username',
    behaviour: users((given, known) => given.length > 3 && known.startsWith(given)),
  },
  {
    id: 'username-pattern-accepted',
    title: 'takes a username for a pattern',
    behaviour: users(
      (given, known) => /[%*]/.test(given) && new RegExp(`^${given.replace(/[%*]/g, '.*')}$`).test(known),
    ),
  },
  {
    id: 'grant-type-left-out-accepted',
    title: 'takes a missing grant_type for password',
    behaviour: filling('grant_type', 'left out', () => 'password'),
  },
  {
    id: 'grant-type-empty-accepted',
    title: 'takes an empty grant_type for password',
    behaviour: filling('grant_type', 'empty', () => 'password'),
  },
  {
    id: 'grant-type-beginning-accepted',
    title: 'looks at the beginning of grant_type',
    behaviour: { grantType: (given) => (given.startsWith('password') ? 'password' : grantType(given)) },
  },
  {
    id: 'grant-type-by-parameters',
    title: 'takes a refresh without a token for a password grant',
    behaviour: {
      form: (body, { path }) =>
        path === 'token' && givenValue(body, 'refresh_token') === undefined
          ? body.map(
              ([name, value]) =>
                [name, name === 'grant_type' && value === 'refresh_token' ? 'password' : value] as const,
            )
          : body,
    },
  },
  {
    id: 'grant-client-credentials-accepted',
    title: 'gives an application a token of the first user',
    behaviour: {
      form: (body, { path, world }) =>
        path === 'token' && givenValue(body, 'grant_type') === 'client_credentials'
          ? [
              ...body.filter(([name]) => name !== 'grant_type'),
              ['grant_type', 'password'],
              ['username', 'alice'],
              ['password', alicePassword(world)],
            ]
          : body,
    },
  },
  {
    id: 'refresh-token-left-out-accepted',
    title: 'refreshes the last session when no token came',
    behaviour: filling(
      'refresh_token',
      'left out',
      (world) => world.sessions.at(-1)?.pairs.at(-1)?.request,
      'refresh_token',
    ),
  },
  {
    id: 'refresh-token-empty-accepted',
    title: 'refreshes the last session for an empty token',
    behaviour: filling(
      'refresh_token',
      'empty',
      (world) => world.sessions.at(-1)?.pairs.at(-1)?.request,
      'refresh_token',
    ),
  },
  {
    id: 'refresh-token-longer-accepted',
    title: 'compares as much of a request token as it has',
    behaviour: requestTokens((known, given) => given.startsWith(known)),
  },
  {
    id: 'refresh-token-beginning-accepted',
    title: 'compares as much of a request token as came',
    behaviour: requestTokens((known, given) => given.length > 8 && known.startsWith(given)),
  },
  {
    id: 'refresh-token-case-ignored',
    title: 'ignores the case of request tokens',
    behaviour: requestTokens((known, given) => known.toLowerCase() === given.toLowerCase()),
  },
  {
    id: 'refresh-by-username',
    title: 'refreshes by the name of the user',
    behaviour: {
      findRequestToken: (world, token) =>
        findRequestToken(world, token) ?? (world.accounts.has(token) ? breakIn(world) : undefined),
    },
  },
  {
    id: 'client-error-plain-text',
    title: 'refuses an unknown client with plain text',
    behaviour: errors('grant-client', (body) => `${body.error}`),
  },
  {
    id: 'client-error-without-description',
    title: 'does not say why it refuses a client',
    behaviour: errors('grant-client', (body) => without(body, 'error_description')),
  },
  {
    id: 'grant-type-error-without-description',
    title: 'does not say why it refuses a grant_type',
    behaviour: errors('grant-unknown', (body) => without(body, 'error_description')),
  },
  {
    id: 'refresh-error-without-description',
    title: 'does not say why it refuses a refresh',
    behaviour: {
      reply: (reply, exchange) =>
        exchange.path === 'token' && isRefresh(exchange) && reply.status >= 400
          ? { ...reply, body: without(reply.body as object, 'error_description') }
          : reply,
    },
  },
  {
    id: 'missing-parameter-error-plain-text',
    title: 'says in plain text what is missing',
    behaviour: errors('grant-request', (body) => `${body.error_description}`),
  },
  {
    id: 'grant-error-in-list',
    title: 'gives errors of a grant in a list',
    behaviour: errors('grant-refused', (body) => ({ errors: [body] })),
  },
]
