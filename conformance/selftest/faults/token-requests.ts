import { type Behavior, type Exchange, type Found, type Parameter, rightServer } from '../../src/model/behavior.ts'
import type { ServerState } from '../../src/model/state.ts'
import { addThing, hasUpload } from '../../src/model/sync.ts'
import { breakIn, createFaults, errors, type Fault, fault, without } from './fault.ts'

/** Returns the value of a missing or empty parameter of the token endpoint; undefined leaves it missing. */
type Filling = (state: ServerState) => string | undefined

/** Returns the submitted value of a parameter; undefined when it is absent. */
export function givenValue(body: readonly Parameter[], name: string): unknown {
  return body.find(([given]) => given === name)?.[1]
}

/** Fills in a missing or empty parameter of the token endpoint, for the named grants (all by default). */
function filling(name: string, when: 'left out' | 'empty', fill: Filling, grant?: string): Partial<Behavior> {
  return {
    form: (body, { path, state }) => {
      const value = givenValue(body, name)
      const applies = path === 'token' && (grant === undefined || givenValue(body, 'grant_type') === grant)
      const filled = fill(state)
      if (!applies || filled === undefined || value !== (when === 'empty' ? '' : undefined)) return body
      return [...body.filter(([given]) => given !== name), [name, filled]]
    },
  }
}

/** Fills in several parameters at once. */
function together(...parts: readonly Partial<Behavior>[]): Partial<Behavior> {
  const forms = parts.flatMap(({ form }) => (form === undefined ? [] : [form]))
  return { form: (body, exchange) => forms.reduce((all, form) => form(all, exchange), body) }
}

const secret: Filling = ({ clientSecret }) => clientSecret
const client: Filling = ({ clientId }) => clientId
const alice: Filling = () => 'alice'
const alicePassword: Filling = ({ accounts }) => accounts.get('alice')?.password

function clients(
  accepts: (state: ServerState, id: string, secret: string, grant: string) => boolean,
): Partial<Behavior> {
  return {
    clientAccepted: (state, id, given, grant) =>
      rightServer.clientAccepted(state, id, given, grant) || accepts(state, id, given, grant),
  }
}

function requestTokens(matches: (known: string, given: string) => boolean): Partial<Behavior> {
  return {
    findRequestToken: (state, token) =>
      rightServer.findRequestToken(state, token) ?? findBy(state, ({ request }) => matches(request, token)),
  }
}

function findBy(
  state: ServerState,
  matches: (pair: { request: string; access: string }) => boolean,
): Found | undefined {
  for (const session of state.sessions) {
    const pair = session.pairs.find(matches)
    if (pair !== undefined && !session.revoked) return { session, pair }
  }
  return undefined
}

function users(find: (name: string, known: string) => boolean): Partial<Behavior> {
  return {
    findAccount: (state, name) =>
      rightServer.findAccount(state, name) ?? [...state.accounts.values()].find(({ username }) => find(name, username)),
  }
}

/** Whether a grant continues a session. */
export function isRefresh({ body }: Exchange): boolean {
  return givenValue(body, 'grant_type') === 'refresh_token'
}

/** Faults of client authentication and of omitted parameters (interface 5.1). */
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
    clients((state, id, given) => id === state.clientId && given.length > 3 && state.clientSecret.startsWith(given)),
  ),
  fault(
    'client-secret-longer-accepted',
    'compares as much of client_secret as it has',
    clients((state, id, given) => id === state.clientId && given.startsWith(state.clientSecret)),
  ),
  fault(
    'client-secret-trimmed',
    'trims client_secret',
    clients((state, id, given) => id === state.clientId && given.trim() === state.clientSecret),
  ),
  fault(
    'client-secret-case-ignored',
    'ignores the case of client_secret',
    clients((state, id, given) => id === state.clientId && given.toLowerCase() === state.clientSecret.toLowerCase()),
  ),
  fault(
    'client-of-session-remembered',
    'asks for a client_secret once for each user',
    together(
      filling(
        'client_secret',
        'left out',
        (state) => (state.sessions.length > 0 ? state.clientSecret : undefined),
        'password',
      ),
    ),
  ),
  fault('client-id-left-out-accepted', 'needs no client_id', filling('client_id', 'left out', client, 'password')),
  fault('client-id-empty-accepted', 'takes an empty client_id', filling('client_id', 'empty', client, 'password')),
  fault(
    'client-id-beginning-accepted',
    'compares as much of client_id as came',
    clients((state, id, given) => given === state.clientSecret && id.length > 3 && state.clientId.startsWith(id)),
  ),
  fault(
    'client-id-longer-accepted',
    'compares as much of client_id as it has',
    clients((state, id, given) => given === state.clientSecret && id.startsWith(state.clientId)),
  ),
  fault('client-id-any-with-secret-left-out', 'needs no client at all when neither id nor secret came', {
    form: (body, { path, state }) =>
      path === 'token' && givenValue(body, 'client_id') === undefined && givenValue(body, 'client_secret') === undefined
        ? [...body, ['client_id', state.clientId], ['client_secret', state.clientSecret]]
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
  fault('refresh-client-id-unchecked', 'takes any client_id for a refresh', {
    ...clients((state, _id, given, grant) => grant === 'refresh_token' && given === state.clientSecret),
    ownsSession: () => true,
  }),
  fault(
    'refresh-secret-beginning-accepted',
    'compares as much of client_secret as came for a refresh',
    clients(
      (state, id, given, grant) =>
        grant === 'refresh_token' && id === state.clientId && given.length > 3 && state.clientSecret.startsWith(given),
    ),
  ),
  fault('password-left-out-accepted', 'needs no password', filling('password', 'left out', alicePassword, 'password')),
  fault('password-empty-accepted', 'takes an empty password', filling('password', 'empty', alicePassword, 'password')),
  fault('password-trimmed', 'trims passwords', {
    passwordAccepted: (account, given) =>
      rightServer.passwordAccepted(account, given) || account?.password === given.trim(),
  }),
  fault('password-longer-accepted', 'compares as much of a password as it has', {
    passwordAccepted: (account, given) => account !== undefined && given.startsWith(account.password),
  }),
  fault('password-beginning-accepted', 'compares as much of a password as came', {
    passwordAccepted: (account, given) => account !== undefined && given !== '' && account.password.startsWith(given),
  }),
  fault('password-any-of-known-user', 'takes any long password', {
    passwordAccepted: (account, given) =>
      rightServer.passwordAccepted(account, given) || (account !== undefined && given.length > 20),
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
    grantType: (given) => (given.startsWith('password') ? 'password' : rightServer.grantType(given)),
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
    form: (body, { path, state }) =>
      path === 'token' && givenValue(body, 'grant_type') === 'client_credentials'
        ? [
            ...body.filter(([name]) => name !== 'grant_type'),
            ['grant_type', 'password'],
            ['username', 'alice'],
            ['password', alicePassword(state)],
          ]
        : body,
  }),
  fault(
    'refresh-token-left-out-accepted',
    'refreshes the last session when no token came',
    filling('refresh_token', 'left out', (state) => state.sessions.at(-1)?.pairs.at(-1)?.request, 'refresh_token'),
  ),
  fault(
    'refresh-token-empty-accepted',
    'refreshes the last session for an empty token',
    filling('refresh_token', 'empty', (state) => state.sessions.at(-1)?.pairs.at(-1)?.request, 'refresh_token'),
  ),
  fault(
    'refresh-token-longer-accepted',
    'compares as much of a refresh token as it has',
    requestTokens((known, given) => given.startsWith(known)),
  ),
  fault(
    'refresh-token-beginning-accepted',
    'compares as much of a refresh token as came',
    requestTokens((known, given) => given.length > 8 && known.startsWith(given)),
  ),
  fault(
    'refresh-token-case-ignored',
    'ignores the case of refresh tokens',
    requestTokens((known, given) => known.toLowerCase() === given.toLowerCase()),
  ),
  fault('refresh-by-username', 'refreshes by the name of the user', {
    findRequestToken: (state, token) =>
      rightServer.findRequestToken(state, token) ?? (state.accounts.has(token) ? breakIn(state) : undefined),
  }),
  fault(
    'client-error-plain-text',
    'rejects an unknown client with plain text',
    errors('grant-client', (body) => `${body.error}`),
  ),
  fault(
    'client-error-without-description',
    'does not say why it rejects a client',
    errors('grant-client', (body) => without(body, 'error_description')),
  ),
  fault(
    'grant-type-error-without-description',
    'does not say why it rejects a grant_type',
    errors('grant-unknown', (body) => without(body, 'error_description')),
  ),
  fault('refresh-error-without-description', 'does not say why it rejects a refresh', {
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
    errors('grant-rejected', (body) => ({ errors: [body] })),
  ),
]

/** Compares as SQL LIKE does: `%` matches any text, `_` any character. */
function isLike(text: string, pattern: string): boolean {
  const parts = [...pattern].map((each) =>
    each === '%' ? '.*' : each === '_' ? '.' : each.replace(/[^\w]/, (sign) => `\\${sign}`),
  )
  return new RegExp(`^${parts.join('')}$`, 's').test(text)
}

function secrets(accepts: (given: string, state: ServerState) => boolean): Partial<Behavior> {
  return {
    clientAccepted: (state, id, secret, grant) =>
      rightServer.clientAccepted(state, id, secret, grant) || (id === state.clientId && accepts(secret, state)),
  }
}

function clientIds(accepts: (given: string, state: ServerState) => boolean): Partial<Behavior> {
  return {
    clientAccepted: (state, id, secret, grant) =>
      rightServer.clientAccepted(state, id, secret, grant) || (secret === state.clientSecret && accepts(id, state)),
  }
}

function passwords(accepts: (given: string, username: string) => boolean): Partial<Behavior> {
  return {
    passwordAccepted: (account, given) =>
      rightServer.passwordAccepted(account, given) || (account !== undefined && accepts(given, account.username)),
  }
}

function patternRequestTokens(accepts: (given: string) => boolean): Partial<Behavior> {
  return {
    findRequestToken: (state, token) => {
      const session = state.sessions.find(({ pairs }) => pairs.length > 0)
      const pair = session?.pairs.at(-1)
      const opened = session === undefined || pair === undefined || !accepts(token) ? undefined : { session, pair }
      return rightServer.findRequestToken(state, token) ?? opened
    },
  }
}

/** Faults of credentials that are a pattern, a keyword or other credentials (interface 5.1). */
export const patternFaults: readonly Fault[] = [
  ...createFaults(
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
  ...createFaults(
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
    ['password-of-another-user', 'accepts the password of any user', (given) => given === 'another pass'],
  ),
  fault(
    'refresh-token-percent-accepted',
    'takes a percent sign for any refresh token',
    patternRequestTokens((given) => given === '%'),
  ),
  fault(
    'refresh-token-null-accepted',
    'takes the word null for a refresh token',
    patternRequestTokens((given) => given === 'null'),
  ),
]

/** Does something for alice although the request has no valid token. */
function rejectedAnd(
  work: (exchange: Exchange, state: ServerState) => void,
  applies: (exchange: Exchange) => boolean,
): Partial<Behavior> {
  return {
    tokenBeforeBody: false,
    reply: (reply, exchange) => {
      if (reply.status === 401 && exchange.path === 'sync' && applies(exchange)) work(exchange, exchange.state)
      return reply
    },
  }
}

function given({ body }: Exchange, name: string): string | undefined {
  return body.find(([other]) => other === name)?.[1] as string | undefined
}

function aliceOf(state: ServerState) {
  const account = state.accounts.get('alice')
  if (account === undefined) throw new Error('there is always an alice')
  return account
}

function createIt(exchange: Exchange, state: ServerState): void {
  const text = given(exchange, 'new_thing')
  if (text === undefined) return
  const { title = '' } = JSON.parse(String(text)) as { title?: string }
  const account = aliceOf(state)
  addThing(
    account,
    breakIn(state).session,
    rightServer.newId(account, state),
    { title },
    rightServer.nextPosition(account),
  )
}

function changeIt(exchange: Exchange, state: ServerState): void {
  const { _id: id, title } = JSON.parse(String(given(exchange, 'changed_thing') ?? '{}')) as {
    _id?: string
    title?: string
  }
  const thing = aliceOf(state).things.get(id)
  if (thing !== undefined && title !== undefined) thing.fields.title = title
}

function deleteIt(exchange: Exchange, state: ServerState): void {
  const thing = aliceOf(state).things.get(given(exchange, 'deleted_thing'))
  if (thing !== undefined) thing.deleted = true
}

function tagIt(exchange: Exchange, state: ServerState): void {
  const name = exchange.body.map(([other]) => /^tag\[(.*)\]$/.exec(other)?.[1]).find((found) => found !== undefined)
  const settings = { favorite: true, color: false, todo: false } as const
  if (name !== undefined)
    aliceOf(state).tags.set(name, { settings, position: rightServer.nextPosition(aliceOf(state)) })
}

function hasToken({ authorization, query, body }: Exchange): boolean {
  return authorization !== undefined || [...query, ...body].some(([name]) => name === 'access_token')
}

/**
 * Faults of rejected tokens whose request the server executes, and of tokens that it checks for only one kind of
 * request (interface 5.3, 7).
 */
export const rejectedAndDoneFaults: readonly Fault[] = [
  fault('invalid-token-changes', 'changes things before it looks at the token', rejectedAnd(changeIt, hasToken)),
  fault('invalid-token-deletes', 'deletes things before it looks at the token', rejectedAnd(deleteIt, hasToken)),
  fault('invalid-token-sets-tags', 'sets tags before it looks at the token', rejectedAnd(tagIt, hasToken)),
  fault(
    'invalid-token-in-form-creates',
    'creates things before it looks at the token in the form',
    rejectedAnd(createIt, (exchange) => given(exchange, 'access_token') !== undefined),
  ),
  fault(
    'no-token-deletes',
    'deletes things for unauthenticated clients',
    rejectedAnd(deleteIt, (exchange) => !hasToken(exchange)),
  ),
  fault(
    'no-token-creates',
    'creates things for unauthenticated clients',
    rejectedAnd(createIt, (exchange) => !hasToken(exchange)),
  ),
  fault('header-token-rejected-with-upload', 'reads no header beside an upload', {
    findAccessToken: (state, token, way, exchange) =>
      way === 'header' && hasUpload(exchange) ? undefined : rightServer.findAccessToken(state, token, way, exchange),
    tokenBeforeBody: false,
  }),
  fault('form-token-rejected-with-upload', 'takes a token in the form for reading only', {
    findAccessToken: (state, token, way, exchange) =>
      way === 'form' && hasUpload(exchange) ? undefined : rightServer.findAccessToken(state, token, way, exchange),
  }),
  fault('form-token-other-account', 'writes for another user when the token is in the form', {
    accountOf: (state, session, exchange) => state.accounts.get(exchange.way === 'form' ? 'bob' : session.username),
  }),
  fault('header-token-read-only', 'ignores uploads when the token is in the header', {
    delay: async (exchange) => {
      if (exchange.way === 'header' && exchange.path === 'sync')
        exchange.parameters = exchange.parameters.filter(([name]) => !/_thing|^tag/.test(name))
    },
  }),
]
