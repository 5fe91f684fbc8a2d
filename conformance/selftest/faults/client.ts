import { type Behaviour, right } from '../server/behaviour.ts'
import type { Exchange, Parameter } from '../server/right-requests.ts'
import type { Found } from '../server/right-tokens.ts'
import type { World } from '../server/world.ts'
import { breakIn, errors, type Fault, fault, without } from './fault.ts'

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
  fault(
    'client-secret-left-out-accepted',
    'needs no client_secret',
    filling('client_secret', 'left out', secret, 'password'),
  ),
  fault(
    'client-secret-empty-accepted',
    'takes an empty client_secret',
    filling('client_secret', 'empty', secret, 'password'),
  ),
  fault(
    'client-secret-beginning-accepted',
    'compares as much of client_secret as came',
    clients((world, id, given) => id === world.clientId && given.length > 3 && world.clientSecret.startsWith(given)),
  ),
  fault(
    'client-secret-longer-accepted',
    'compares as much of client_secret as it has',
    clients((world, id, given) => id === world.clientId && given.startsWith(world.clientSecret)),
  ),
  fault(
    'client-secret-trimmed',
    'trims client_secret',
    clients((world, id, given) => id === world.clientId && given.trim() === world.clientSecret),
  ),
  fault(
    'client-secret-case-ignored',
    'ignores the case of client_secret',
    clients((world, id, given) => id === world.clientId && given.toLowerCase() === world.clientSecret.toLowerCase()),
  ),
  fault(
    'client-of-session-remembered',
    'asks for a client_secret once for each user',
    together(
      filling(
        'client_secret',
        'left out',
        (world) => (world.sessions.length > 0 ? world.clientSecret : undefined),
        'password',
      ),
    ),
  ),
  fault('client-id-left-out-accepted', 'needs no client_id', filling('client_id', 'left out', client, 'password')),
  fault('client-id-empty-accepted', 'takes an empty client_id', filling('client_id', 'empty', client, 'password')),
  fault(
    'client-id-beginning-accepted',
    'compares as much of client_id as came',
    clients((world, id, given) => given === world.clientSecret && id.length > 3 && world.clientId.startsWith(id)),
  ),
  fault(
    'client-id-longer-accepted',
    'compares as much of client_id as it has',
    clients((world, id, given) => given === world.clientSecret && id.startsWith(world.clientId)),
  ),
  fault('client-id-any-with-secret-left-out', 'needs no client at all when neither id nor secret came', {
    form: (body, { path, world }) =>
      path === 'token' && givenValue(body, 'client_id') === undefined && givenValue(body, 'client_secret') === undefined
        ? [...body, ['client_id', world.clientId], ['client_secret', world.clientSecret]]
        : body,
  }),
  fault(
    'refresh-secret-left-out-accepted',
    'needs no client_secret for a refresh',
    filling('client_secret', 'left out', secret, 'refresh_token'),
  ),
  fault(
    'refresh-secret-empty-accepted',
    'takes an empty client_secret for a refresh',
    filling('client_secret', 'empty', secret, 'refresh_token'),
  ),
  fault(
    'refresh-client-left-out-accepted',
    'needs no client for a refresh',
    together(
      filling('client_id', 'left out', client, 'refresh_token'),
      filling('client_secret', 'left out', secret, 'refresh_token'),
    ),
  ),
  fault(
    'refresh-client-id-unchecked',
    'takes any client_id for a refresh',
    clients((world, _id, given, grant) => grant === 'refresh_token' && given === world.clientSecret),
  ),
  fault(
    'refresh-secret-beginning-accepted',
    'compares as much of client_secret as came for a refresh',
    clients(
      (world, id, given, grant) =>
        grant === 'refresh_token' && id === world.clientId && given.length > 3 && world.clientSecret.startsWith(given),
    ),
  ),
  fault('password-left-out-accepted', 'needs no password', filling('password', 'left out', alicePassword, 'password')),
  fault('password-empty-accepted', 'takes an empty password', filling('password', 'empty', alicePassword, 'password')),
  fault('password-trimmed', 'trims passwords', {
    passwordAccepted: (account, given) => passwordAccepted(account, given) || account?.password === given.trim(),
  }),
  fault('password-longer-accepted', 'compares as much of a password as it has', {
    passwordAccepted: (account, given) => account !== undefined && given.startsWith(account.password),
  }),
  fault('password-beginning-accepted', 'compares as much of a password as came', {
    passwordAccepted: (account, given) => account !== undefined && given !== '' && account.password.startsWith(given),
  }),
  fault('password-any-of-known-user', 'takes any long password', {
    passwordAccepted: (account, given) =>
      passwordAccepted(account, given) || (account !== undefined && given.length > 20),
  }),
  fault('password-of-anybody', 'takes the password of any user for each of them', {
    passwordAccepted: (account, given) => account !== undefined && ['p+ss w&rd=é%41', 'another pass'].includes(given),
  }),
  fault('username-left-out-accepted', 'needs no username', filling('username', 'left out', alice, 'password')),
  fault(
    'username-empty-accepted',
    'takes an empty username for the first user',
    filling('username', 'empty', alice, 'password'),
  ),
  fault(
    'username-longer-accepted',
    'finds a user whose name begins the username',
    users((given, known) => given.startsWith(known)),
  ),
  fault(
    'username-beginning-accepted',
    'finds a user whose name begins with the username',
    users((given, known) => given.length > 3 && known.startsWith(given)),
  ),
  fault(
    'username-pattern-accepted',
    'takes a username for a pattern',
    users((given, known) => /[%*]/.test(given) && new RegExp(`^${given.replace(/[%*]/g, '.*')}$`).test(known)),
  ),
  fault(
    'grant-type-left-out-accepted',
    'takes a missing grant_type for password',
    filling('grant_type', 'left out', () => 'password'),
  ),
  fault(
    'grant-type-empty-accepted',
    'takes an empty grant_type for password',
    filling('grant_type', 'empty', () => 'password'),
  ),
  fault('grant-type-beginning-accepted', 'looks at the beginning of grant_type', {
    grantType: (given) => (given.startsWith('password') ? 'password' : grantType(given)),
  }),
  fault('grant-type-by-parameters', 'takes a refresh without a token for a password grant', {
    form: (body, { path }) =>
      path === 'token' && givenValue(body, 'refresh_token') === undefined
        ? body.map(
            ([name, value]) => [name, name === 'grant_type' && value === 'refresh_token' ? 'password' : value] as const,
          )
        : body,
  }),
  fault('grant-client-credentials-accepted', 'gives an application a token of the first user', {
    form: (body, { path, world }) =>
      path === 'token' && givenValue(body, 'grant_type') === 'client_credentials'
        ? [
            ...body.filter(([name]) => name !== 'grant_type'),
            ['grant_type', 'password'],
            ['username', 'alice'],
            ['password', alicePassword(world)],
          ]
        : body,
  }),
  fault(
    'refresh-token-left-out-accepted',
    'refreshes the last session when no token came',
    filling('refresh_token', 'left out', (world) => world.sessions.at(-1)?.pairs.at(-1)?.request, 'refresh_token'),
  ),
  fault(
    'refresh-token-empty-accepted',
    'refreshes the last session for an empty token',
    filling('refresh_token', 'empty', (world) => world.sessions.at(-1)?.pairs.at(-1)?.request, 'refresh_token'),
  ),
  fault(
    'refresh-token-longer-accepted',
    'compares as much of a request token as it has',
    requestTokens((known, given) => given.startsWith(known)),
  ),
  fault(
    'refresh-token-beginning-accepted',
    'compares as much of a request token as came',
    requestTokens((known, given) => given.length > 8 && known.startsWith(given)),
  ),
  fault(
    'refresh-token-case-ignored',
    'ignores the case of request tokens',
    requestTokens((known, given) => known.toLowerCase() === given.toLowerCase()),
  ),
  fault('refresh-by-username', 'refreshes by the name of the user', {
    findRequestToken: (world, token) =>
      findRequestToken(world, token) ?? (world.accounts.has(token) ? breakIn(world) : undefined),
  }),
  fault(
    'client-error-plain-text',
    'refuses an unknown client with plain text',
    errors('grant-client', (body) => `${body.error}`),
  ),
  fault(
    'client-error-without-description',
    'does not say why it refuses a client',
    errors('grant-client', (body) => without(body, 'error_description')),
  ),
  fault(
    'grant-type-error-without-description',
    'does not say why it refuses a grant_type',
    errors('grant-unknown', (body) => without(body, 'error_description')),
  ),
  fault('refresh-error-without-description', 'does not say why it refuses a refresh', {
    reply: (reply, exchange) =>
      exchange.path === 'token' && isRefresh(exchange) && reply.status >= 400
        ? { ...reply, body: without(reply.body as object, 'error_description') }
        : reply,
  }),
  fault(
    'missing-parameter-error-plain-text',
    'says in plain text what is missing',
    errors('grant-request', (body) => `${body.error_description}`),
  ),
  fault(
    'grant-error-in-list',
    'gives errors of a grant in a list',
    errors('grant-refused', (body) => ({ errors: [body] })),
  ),
]
