import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { maxLinearGrowth, measureGrowth } from '../test/measure-growth.ts'
import { validateRedirectUris } from './accounts/apps.ts'
import { createLoginAttempts, describeFailedAttempt } from './accounts/login-attempts.ts'
import { AccountError, formatVisibleJson, maskInvisible, validateName } from './accounts/names.ts'
import { parseQuotaValue } from './accounts/quotas.ts'
import { describeOrigin } from './accounts/sessions.ts'
import { findUserByTypedName } from './accounts/users.ts'
import { sanitizeName } from './api-error.ts'
import { findNearestName } from './config/read-settings.ts'
import {
  baseUrl,
  deliveryTargets,
  hidePassword,
  origins,
  parseDatabaseUrl,
  proxies,
  settingNames,
} from './config/settings-table.ts'
import { systemEnvironment } from './environment.ts'
import { createFindClientAddress, createFindProxyUser } from './http/client-address.ts'
import { parseTarget } from './http/request-head.ts'
import { redactText } from './log/log.ts'
import { isChallenge, isVerifierOf } from './oauth/authorize-request.ts'
import { appendToRedirect, findPolicySource, isRedirectOfCode, isRegisteredRedirect } from './oauth/redirect-uris.ts'
import { checkUrl, createDeliveryRules } from './outbound/address-guard.ts'
import { readRetryAfter } from './outbound/client.ts'
import { readP256dh, readPushAuth } from './outbound/web-push.ts'
import { toAppDetails } from './pages/account/apps-page.tsx'
import { describeAgent } from './pages/account/sessions-page.tsx'
import { sortByName } from './pages/components.tsx'
import { createCookieJar, isFormToken } from './pages/cookies.ts'
import { createFindRoute } from './pages/handle-page.ts'
import { describeAccountError } from './pages/page-error.tsx'
import { createFindSite, parseLocalPath } from './pages/site.ts'
import { runToEnd } from './scheduling.ts'
import { openMemoryStore } from './store/memory-store.ts'
import { foldName } from './store/registry/registry.ts'
import type { ReadFolder } from './store/tools/inspect.ts'
import { describeFiles } from './store/tools/inspect.ts'
import { addThing, splitTags, thingForm } from './things/thing.ts'
import { fingerprintUpload, mergeTagSettings } from './things/upload.ts'
import { createTokenSearch, findAccessToken, findClientCredentials } from './wire/credentials.ts'
import { decodeFormLeniently, decodeTextFields } from './wire/form.ts'
import { coerce, isText } from './wire/json-schema.ts'
import { gatherParameters } from './wire/parameters.ts'

// All functions that parse text of a client, a form, a header, a URL or a setting, each with its worst known text. New
// functions that parse such text get a row here. Imports have their own table.

/** 64 KB: the maximum of a form without a token, and more than the headers of a request. */
const largest = 65_536

interface TextWork {
  readonly name: string
  /** Creates the worst text of a length. */
  readonly create: (size: number) => string
  readonly work: (text: string) => unknown
}

const repeat = (text: string) => (size: number) => text.repeat(Math.ceil(size / text.length)).slice(0, size)
const around = (before: string, text: string, after: string) => (size: number) =>
  `${before}${repeat(text)(Math.max(0, size - before.length - after.length))}${after}`

/** Unicode normalization sorts combining marks by class. Here each mark must be moved. */
const marks = (size: number) => `a${'\u0345'.repeat(size / 2)}${'\u0301'.repeat(size / 2)}`
/** A host whose encoding (Punycode) is quadratic, because all its characters are different. */
const host = (size: number) =>
  Array.from({ length: size }, (_, at) =>
    at % 2 === 0 ? 'a' : String.fromCodePoint(0x20000 + ((at * 7919) % 42_000)),
  ).join('')
const emoji = repeat('\u{1f469}\u200d')
const joiners = repeat('\u200d')

/** Returns the result or the error: both are outcomes here. */
const orError = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

const store = await openMemoryStore({ form: thingForm })
const rules = createDeliveryRules()
const site = createFindSite('/v1/', undefined)
const jar = createCookieJar(site({ host: 'localhost', isEncrypted: false }))
const findRoute = createFindRoute([{ path: '/a/:b/c' }, { path: '/a/:b' }])
const findAddress = createFindClientAddress(['loopback'])
const findProxyUser = createFindProxyUser('x-user', () => true)
const requestOf = (headers: Record<string, string>) =>
  ({
    headers,
    headersDistinct: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    socket: { remoteAddress: '127.0.0.1' },
  }) as unknown as IncomingMessage
const readToken = (authorization: string) => findAccessToken({ authorization, query: [], body: [] })
const readBasic = (text: string) =>
  orError(() => findClientCredentials(`Basic ${Buffer.from(text).toString('base64')}`, {}))
const gather = (text: string) =>
  orError(() =>
    runToEnd(
      gatherParameters(
        decodeTextFields(Buffer.from(text), 100_000),
        {
          properties: {
            list: { type: 'array', items: { type: 'string' } },
            map: {
              type: 'object',
              additionalProperties: { type: 'object', properties: { color: { type: 'string' } } },
            },
          },
        },
        'text',
      ),
    ),
  )
const addTitle = (title: string) =>
  store.write('user', 'session', (draft) => addThing(draft, { title, tags: '' }, systemEnvironment))
const registered = ['http://127.0.0.1:1/back', 'https://app.example/back']
const attempts = createLoginAttempts(() => undefined)
const attempt = (username: string) =>
  attempts
    .check({ address: '192.0.2.1', username }, (checkPassword) => checkPassword('user', async () => true))
    .catch((error: unknown) => error)
const sent = { isCode: () => true, isState: () => true }

const names: readonly TextWork[] = [
  { name: 'folding a name of marks', create: marks, work: foldName },
  { name: 'finding a user by marks', create: marks, work: (text) => findUserByTypedName(store.registry, text) },
  { name: 'listing users named like marks', create: marks, work: (text) => store.registry.listUsersNamedLike(text) },
  { name: 'counting attempts of a name of marks', create: marks, work: attempt },
  {
    name: 'logging an attempt',
    create: marks,
    work: (username) => describeFailedAttempt({ address: '::1', reason: 'password', username }),
  },
  { name: 'choosing a name of marks', create: marks, work: (text) => orError(() => validateName('user', text)) },
  { name: 'choosing a name of emoji', create: emoji, work: (text) => orError(() => validateName('user', text)) },
  { name: 'showing emoji', create: emoji, work: maskInvisible },
  { name: 'showing joiners', create: joiners, work: maskInvisible },
  { name: 'showing emoji as JSON', create: emoji, work: formatVisibleJson },
  { name: 'showing joiners as JSON', create: joiners, work: formatVisibleJson },
  { name: 'showing a name in an error', create: joiners, work: sanitizeName },
  {
    name: 'describing an error',
    create: repeat(' or use "user '),
    work: (text) => describeAccountError(new AccountError(text)),
  },
  {
    name: 'describing an error of blanks',
    create: repeat('; "user list'),
    work: (text) => describeAccountError(new AccountError(text)),
  },
]

const heads: readonly TextWork[] = [
  { name: 'an origin-form target', create: repeat('/?'), work: parseTarget },
  { name: 'an absolute-form target', create: around('http://', 'a', ''), work: parseTarget },
  { name: 'a token of blanks', create: around('Bearer ', ' ', 'x'), work: readToken },
  { name: 'a token of equals signs', create: around('Bearer ', '=', ' '), work: readToken },
  { name: 'a named token', create: around('a', 'a ', '='), work: readToken },
  { name: 'a named token of blanks', create: around('a', ' ', 'x'), work: readToken },
  { name: 'a named token of blanks behind the sign', create: around('a=', ' ', '"'), work: readToken },
  { name: 'a quoted token', create: around('"', 'a', ''), work: readToken },
  { name: 'a token of quotes', create: repeat('"'), work: readToken },
  {
    name: 'blanks before a scheme',
    create: around('', ' ', 'basic'),
    work: (text) => orError(() => findClientCredentials(text, {})),
  },
  { name: 'credentials of colons', create: repeat(':'), work: readBasic },
  { name: 'credentials of percent signs', create: repeat(':%2'), work: readBasic },
  { name: 'cookies', create: repeat(';thingsync'), work: (text) => jar.read(text, 'session') },
  { name: 'cookies of blanks', create: repeat('; '), work: (text) => jar.read(text, 'session') },
  { name: 'a Host of dots', create: repeat('a.'), work: (text) => site({ host: text, isEncrypted: false }) },
  {
    name: 'a Host of brackets',
    create: around('[', ':', ''),
    work: (text) => site({ host: text, isEncrypted: false }),
  },
  {
    name: 'X-Forwarded-For',
    create: repeat('::1,'),
    work: (text) => findAddress(requestOf({ 'x-forwarded-for': text })),
  },
  {
    name: 'X-Forwarded-For of blanks',
    create: repeat(', '),
    work: (text) => findAddress(requestOf({ 'x-forwarded-for': text })),
  },
  { name: 'the user that a proxy names', create: marks, work: (text) => findProxyUser(requestOf({ 'x-user': text })) },
  { name: 'a User-Agent that is kept', create: joiners, work: (text) => describeOrigin('::1', text) },
  { name: 'a User-Agent that is shown', create: around('Mozilla/', ' Mac OS', ''), work: describeAgent },
  { name: 'Retry-After of digits', create: around('', '1', 'x'), work: (text) => readRetryAfter(text, 0) },
  { name: 'Retry-After of dates', create: around('', '(1 Jan ', ' GMT'), work: (text) => readRetryAfter(text, 0) },
]

const forms: readonly TextWork[] = [
  { name: 'fields', create: repeat('a&'), work: (text) => decodeTextFields(Buffer.from(text), 100_000) },
  { name: 'fields of a page', create: repeat('%=&'), work: (text) => decodeFormLeniently(Buffer.from(text), 100_000) },
  {
    name: 'escapes',
    create: repeat('%41'),
    work: (text) => orError(() => decodeTextFields(Buffer.from(text), 100_000)),
  },
  { name: 'brackets of a list', create: around('list', '[', ']=1'), work: gather },
  { name: 'items of a list', create: repeat('list=1&'), work: gather },
  { name: 'blanks before an item', create: around('list=', ' ', 'x'), work: gather },
  { name: 'brackets of a map', create: around('map[', '][', ']={}'), work: gather },
  {
    name: 'names of a map',
    create: (size) => Array.from({ length: size / 16 }, (_, at) => `map[${at}]={}`).join('&'),
    work: gather,
  },
  {
    name: 'a token in a form',
    create: repeat('%61ccess_token=&'),
    work: (text) => createTokenSearch().add(Buffer.from(text)),
  },
  { name: 'a proof of a form', create: repeat('.'), work: (text) => isFormToken(text, 'secret') },
  { name: 'a path to go on to', create: repeat('/..'), work: parseLocalPath },
  { name: 'a path of a page', create: repeat('/a'), work: findRoute },
  { name: 'a path of a page with a long part', create: around('/a/', 'a', '!'), work: findRoute },
  { name: 'a quota', create: around('', '1', 'x'), work: (text) => parseQuotaValue(text) },
  {
    name: 'blanks between redirect URIs',
    create: around('a', ' ', 'b'),
    work: (text) => toAppDetails({ name: '', redirectUris: text, isStandard: false }),
  },
  {
    name: 'a redirect URI to register',
    create: (size) => `https://${host(size)}`,
    work: (text) => orError(() => validateRedirectUris([text])),
  },
  {
    name: 'many redirect URIs to register',
    create: (size) => `https://${host(1_990)}\n`.repeat(size / 2_000),
    work: (text) => orError(() => validateRedirectUris(text.split('\n'))),
  },
  {
    name: 'a redirect URI of an app',
    create: around('http://localhost:', '1', ''),
    work: (text) => isRegisteredRedirect(registered, text),
  },
  {
    name: 'a redirect URI with a query',
    create: around('http://localhost/?', '&', 'x'),
    work: (text) => isRegisteredRedirect(registered, text),
  },
  {
    name: 'a redirect URI behind a code',
    create: around('https://app.example/back?', 'state=1&', ''),
    work: (text) => isRedirectOfCode('https://app.example/back', text, sent),
  },
  {
    name: 'a state to send back',
    create: repeat('%'),
    work: (state) => appendToRedirect('https://app.example/', { state }),
  },
  {
    name: 'a redirect URI in a policy',
    create: around('https://', 'a.', ''),
    work: (text) => orError(() => findPolicySource(text)),
  },
  { name: 'a challenge', create: repeat('a'), work: isChallenge },
  { name: 'a verifier', create: repeat('a'), work: (text) => isVerifierOf('a'.repeat(43), text) },
]

const things: readonly TextWork[] = [
  {
    name: 'a title that is a URL with a host of many characters',
    create: (size) => `http://${host(size)}`,
    work: addTitle,
  },
  { name: 'the same behind a user name', create: (size) => `http://a@${host(size)}`, work: addTitle },
  {
    name: 'the same with percent signs',
    create: (size) => `http://${encodeURIComponent(host(size / 5))}`,
    work: addTitle,
  },
  { name: 'the same before a path', create: (size) => `http:///\\/${host(size)}/a?b#c`, work: addTitle },
  { name: 'a title that is a URL with many at signs', create: around('http://', 'a@', ''), work: addTitle },
  { name: 'a title that is a URL with many dots', create: around('http://a', '.', ''), work: addTitle },
  { name: 'a title that is a URL with a long path', create: around('http://a/', '../a/', ''), work: addTitle },
  { name: 'a title that is nearly a URL', create: around('http://', 'a', ' '), work: addTitle },
  { name: 'tags', create: (size) => Array.from({ length: size / 6 }, (_, at) => at).join(' '), work: splitTags },
  { name: 'blanks between tags', create: repeat(' '), work: splitTags },
  { name: 'a color', create: repeat('Σ\u0301'), work: (color) => mergeTagSettings({ color }) },
  { name: 'an upload fingerprint', create: repeat('a'), work: (text) => fingerprintUpload({ title: text, url: text }) },
  { name: 'text without NUL', create: repeat('\u{1f469}'), work: isText },
  { name: 'a number of digits', create: around('', '1', 'x'), work: (text) => coerce(text, { type: 'number' }) },
  { name: 'a number with a point', create: around('1.', '1', 'e'), work: (text) => coerce(text, { type: 'number' }) },
  { name: 'a boolean in quotes', create: around('"', 'a', '"'), work: (text) => coerce(text, { type: 'boolean' }) },
  {
    name: 'a word of a pattern',
    create: around('"', 'a', '"'),
    work: (text) => coerce(text, { type: 'string', pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$' }),
  },
]

const outside: readonly TextWork[] = [
  {
    name: 'a URL to call with a host of many characters',
    create: (size) => `https://${host(size)}`,
    work: (text) => checkUrl(text, rules),
  },
  {
    name: 'a URL to call with many at signs',
    create: around('https://', '@', ''),
    work: (text) => checkUrl(text, rules),
  },
  {
    name: 'a URL to call with many slashes',
    create: around('https:', '/', ''),
    work: (text) => checkUrl(text, rules),
  },
  {
    name: 'a URL to call with many labels',
    create: around('https://', 'localhost.', ''),
    work: (text) => checkUrl(text, rules),
  },
  { name: 'a push key', create: around('', 'a', '!'), work: readP256dh },
  { name: 'a push secret', create: around('', '=', 'a'), work: readPushAuth },
  { name: 'a line of the log', create: around('cookie', ' ', 'x'), work: redactText },
  { name: 'a line of the log with many secrets', create: repeat('token= '), work: redactText },
  { name: 'a line of the log with a secret of blanks', create: around('token=', ' ', ''), work: redactText },
  { name: 'a line of the log with many words', create: repeat('authorization'), work: redactText },
]

const settings: readonly TextWork[] = [
  { name: 'a base URL of slashes', create: around('http://a', '/', 'x'), work: (text) => baseUrl.fromText(text) },
  { name: 'origins', create: repeat('http://a,'), work: (text) => origins.fromText(text) },
  { name: 'proxies', create: repeat('::1/128,'), work: (text) => proxies.fromText(text) },
  { name: 'a proxy of slashes', create: around('::1', '/', ''), work: (text) => proxies.fromText(text) },
  { name: 'delivery targets', create: repeat('a.b,'), work: (text) => deliveryTargets.fromText(text) },
  {
    name: 'a delivery target with many dots',
    create: around('a', '.a', '!'),
    work: (text) => deliveryTargets.fromText(text),
  },
  { name: 'a delivery target with many characters', create: host, work: (text) => deliveryTargets.fromText(text) },
  { name: 'an unknown name', create: repeat('data'), work: (text) => findNearestName(text, settingNames) },
  { name: 'the URL of a database', create: around('postgres://', '@/', ''), work: parseDatabaseUrl },
  { name: 'the URL of a database that is shown', create: around('postgres://a:', '@', '?'), work: hidePassword },
  { name: 'the password of a database that is shown', create: repeat('?password=&'), work: hidePassword },
]

describe.each(Object.entries({ names, heads, forms, things, outside, settings }))('64 KB of %s', (_group, rows) => {
  test.each(rows)('$name: linear time', async ({ create, work }) => {
    const { growth, milliseconds, size } = await measureGrowth(create, work, largest)

    expect(growth, `${milliseconds} ms for ${size} characters`).toBeLessThan(maxLinearGrowth)
  })
})

/** Creates a data folder of so many undamaged accounts. */
const createFolder = (accounts: number): ReadFolder => {
  const ids = Array.from({ length: accounts }, (_, at) => `id${at}`)
  const locate = (id: string) => `accounts/${id.slice(-2)}/${id}.ndjson`
  return {
    listed: [...ids.map((id) => ({ file: locate(id), bytes: 1 })), { file: 'directory.json', bytes: 1 }],
    format: {},
    journal: { segments: [] },
    registry: { write: 1, found: { document: { users: ids.map((id) => ({ id, name: id })) } } },
    accounts: ids.map((userId) => ({ userId, file: locate(userId), found: {}, write: 1 })),
    missingAccounts: [],
  } as unknown as ReadFolder
}

test('verify describes the files of a data folder in time linear in its accounts', async () => {
  const { growth, milliseconds, size } = await measureGrowth(createFolder, describeFiles, 16_000)

  expect(growth, `${milliseconds} ms for ${size} accounts`).toBeLessThan(maxLinearGrowth)
})

test('users and apps are sorted in time linear in the length of their names', async () => {
  const createList = (size: number) => Array.from({ length: 1_000 }, (_, at) => ({ name: `${marks(size)}${at % 37}` }))

  const { growth, milliseconds } = await measureGrowth(createList, sortByName, 400)

  expect(growth, `${milliseconds} ms`).toBeLessThan(maxLinearGrowth)
})
