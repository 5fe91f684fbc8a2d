import { hash } from 'node:crypto'
import { document } from '../../generated/document.ts'
import { allPages } from '../../src/pages/routes.ts'
import { pushKeys } from '../../test/support/push-keys.ts'
import type { Account, Accounts, PageForm } from './accounts.ts'
import { type AttackedServer, firstPassword, spareNames, userNames } from './attacked-server.ts'
import {
  createRandom,
  type Draft,
  type Field,
  hostileTexts,
  largeTexts,
  mutate,
  type Random,
} from './hostile-requests.ts'

interface JsonSchema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  /** 128 for ids of the server; more for ids of devices. */
  readonly maxLength?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: JsonSchema
}

interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
}

interface ApiTarget {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

const apiTargets: readonly ApiTarget[] = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries((item ?? {}) as Record<string, Operation>).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation,
  })),
)

const openPaths = [
  ...[
    '/healthz',
    '/readyz',
    '/openapi.yaml',
    '/openapi.json',
    '/.well-known/oauth-authorization-server',
    '/v1/',
    '/v1',
  ],
  ...[
    '/docs',
    '/nothing',
    '/v1/nothing',
    '/favicon.ico',
    '/robots.txt',
    '/index.html',
    '/manifest.webmanifest',
    '/sw.js',
  ],
]

/** The operations and pages that a run must reach. */
export const allTargets: readonly string[] = [
  ...apiTargets.map(({ method, path }) => `${method} /v1${path}`),
  ...allPages.flatMap(({ path, get, post }) => [...(get ? [`GET ${path}`] : []), ...(post ? [`POST ${path}`] : [])]),
]

/** Weights of operations (default 3): operations that end sessions or cost a password hash are rare. */
const weights: Readonly<Record<string, number>> = {
  'POST /sync': 24,
  'GET /sync': 12,
  'POST /thing/add': 8,
  'POST /thing/change': 8,
  'POST /token': 1.2,
  'POST /revoke': 0.5,
  'POST /session/revoke': 0.5,
  'GET /sync/events': 0.6,
  'GET /things/get': 5,
}

/** Creates requests, each from the seed, its number, and the known values of the accounts. */
export const createRequests = (server: AttackedServer, accounts: Accounts, seed: number) => {
  const { apps, protectedIds } = server.enrollment
  const verifier = 'v'.repeat(43)
  const challenge = hash('sha256', verifier, 'base64url')

  const pickId = (random: Random, { thingIds }: Account): string =>
    thingIds.length > 0 && random.chance(0.9)
      ? random.pick(thingIds)
      : random.pick(['nothing', ...accounts.reader.thingIds])

  /** Creates a thing of the account in the form of an upload. */
  const createThing = (random: Random, account: Account, base: Record<string, unknown>): Record<string, unknown> => ({
    ...base,
    title: `${account.marker} ${random.below(1_000)}`,
    ...(random.chance(0.5) ? { tags: `t${random.below(20)} t${random.below(20)} ${account.marker}` } : {}),
    ...(random.chance(0.4) ? { html: `<p>${account.marker}</p>`.repeat(1 + random.below(20)) } : {}),
    ...(random.chance(0.4) ? { url: `https://example.org/${account.marker}/${random.below(50)}` } : {}),
    ...(random.chance(0.3) ? { date: random.below(2_000_000_000) } : {}),
    ...(random.chance(0.2) ? { archived: random.chance(0.5) } : {}),
    ...(random.chance(0.2) ? { todoStatus: random.chance(0.5) } : {}),
    // A few hostile texts are stored, so that listings contain them.
    ...(random.chance(0.08) ? { [random.pick(['title', 'tags', 'html'])]: random.pick(hostileTexts) } : {}),
  })
  const list = <T>(random: Random, create: (index: number) => T): T[] =>
    Array.from({ length: 1 + random.below(4) }, (_, i) => create(i))

  /** Creates a valid value for each parameter of the document, by its name. */
  const createValue = (random: Random, account: Account, name: string, schema: JsonSchema): unknown => {
    const settings = () => ({
      favorite: random.chance(0.5),
      color: random.pick(['#abc', '#aabbcc', false]),
      todo: random.chance(0.5),
    })
    const values: Readonly<Record<string, () => unknown>> = {
      from: () => random.pick([0, account.position, Math.max(0, account.position - random.below(20))]),
      skip: () => random.below(6),
      limit: () => random.below(40),
      wait: () => 1,
      new_thing: () =>
        list(random, (index) => createThing(random, account, { local_id: `${random.below(1e6)}-${index}` })),
      changed_thing: () => list(random, () => createThing(random, account, { _id: pickId(random, account) })),
      deleted_thing: () => (random.chance(0.5) ? pickId(random, account) : list(random, () => pickId(random, account))),
      skip_id: () => pickId(random, account),
      tag: () => Object.fromEntries(list(random, () => [`t${random.below(20)}`, settings()])),
      _id: () => pickId(random, account),
      id: () =>
        schema.maxLength === 128 && account.sessionIds.length > 0
          ? random.pick(account.sessionIds)
          : `d${random.below(9)}`,
      title: () =>
        random.chance(0.2) ? `https://example.org/${account.marker}` : `${account.marker} ${random.below(1_000)}`,
      tags: () => `t${random.below(20)} ${account.marker}`,
      html: () => `<p>${account.marker}</p>`,
      url: () =>
        schema.format === 'web-address'
          ? `${server.receiverUrl}${account.name}/page/${random.below(50)}`
          : `https://example.org/${account.marker}/${random.below(50)}`,
      date: () => random.below(2_000_000_000),
      archived: () => (schema.enum === undefined ? random.chance(0.5) : random.pick(schema.enum)),
      todoStatus: () => random.chance(0.5),
      prevent_duplicate: () => random.chance(0.5),
      target_url: () =>
        `${server.receiverUrl}${account.name}/${random.pick(['ok', 'gone', 'busy', 'broken'])}/${random.below(3)}`,
      event: () => random.pick(['new_thing', 'changed_thing', 'deleted_thing', 'tag', 'any']),
      type: () => random.pick(['webpush', 'other']),
      endpoint: () => `${server.receiverUrl}${account.name}/ok/push`,
      p256dh: () => pushKeys.p256dh,
      auth: () => pushKeys.auth,
      token_type_hint: () => random.pick(['access_token', 'refresh_token']),
    }
    const create = values[name]
    if (create !== undefined) return create()
    return schema.type === 'integer'
      ? random.below(10)
      : schema.type === 'boolean'
        ? random.chance(0.5)
        : account.marker
  }

  const clientFields = (random: Random): Field[] => {
    const app = random.chance(0.8) ? apps[0] : apps[1]
    const secret: Field[] = app.clientSecret === undefined ? [] : [['client_secret', app.clientSecret]]
    return [['client_id', app.clientId], ...secret]
  }
  const grantFields = (random: Random, account: Account): Field[] => {
    const refreshes = account.tokens.flatMap(({ refresh }) => refresh ?? [])
    const code = account.codes.at(-1)
    if (code !== undefined && random.chance(0.5)) {
      const app = random.pick(apps)
      const secret: Field[] = app.clientSecret === undefined ? [] : [['client_secret', app.clientSecret]]
      const proof: Field[] = [
        ['redirect_uri', app.redirectUri],
        ['code_verifier', verifier],
      ]
      return [['grant_type', 'authorization_code'], ['code', code], ['client_id', app.clientId], ...secret, ...proof]
    }
    if (refreshes.length > 0 && random.chance(0.7))
      return [['grant_type', 'refresh_token'], ['refresh_token', random.pick(refreshes)], ...clientFields(random)]
    const password = random.chance(0.5) ? account.password : random.pick(hostileTexts)
    return [
      ['grant_type', 'password'],
      ['username', account.isReadOnly ? 'nobody' : account.name],
      ['password', password],
      ...clientFields(random),
    ]
  }

  const openDraft = (target: string, account: Account | undefined, method: string, path: string): Draft => ({
    target,
    account,
    method,
    path,
    query: [],
    headers: [],
    body: undefined,
    credential: undefined,
    mutations: [],
  })

  const pickAccount = (random: Random): Account =>
    random.pickWeighted(accounts.all, ({ isReadOnly, name }) => (isReadOnly ? 3 : name === 'olga' ? 2 : 6))

  const draftApi = (random: Random): Draft => {
    const { method, path, operation } = random.pickWeighted(
      apiTargets,
      (target) => weights[`${target.method} ${target.path}`] ?? 3,
    )
    const account = pickAccount(random)
    const draft = openDraft(`${method} /v1${path}`, account, method, `/v1${path}`)
    const isTokenless = path === '/token' || path === '/revoke'
    if (path === '/token') draft.body = { kind: 'form', fields: grantFields(random, account) }
    else if (path === '/revoke') {
      const own = account.isReadOnly || account.tokens.length === 0 ? 'unknown' : random.pick(account.tokens).access
      draft.body = { kind: random.pick(['form', 'json']), fields: [['token', own], ...clientFields(random)] }
    } else {
      const types = Object.entries(operation.requestBody?.content ?? {})
      for (const { name, in: location, required = false, schema } of operation.parameters ?? []) {
        if (!random.chance(required ? 0.9 : 0.35)) continue
        const value = createValue(random, account, name, schema)
        if (location === 'header') draft.headers.push([name, String(value)])
        else if (name !== 'wait' || random.chance(0.05)) draft.query.push([name, value])
      }
      if (types.length > 0) {
        const [type, { schema }] = random.pick(types)
        const fields: Field[] = []
        for (const [name, property] of Object.entries(schema.properties ?? {})) {
          if (name === 'access_token' || name === 'wait') continue
          if (schema.required?.includes(name) || random.chance(0.35))
            fields.push([name, createValue(random, account, name, property)])
        }
        draft.body = { kind: type.endsWith('json') ? 'json' : 'form', fields }
      }
    }
    if (!isTokenless && account.tokens.length > 0 && random.chance(0.97)) present(random, draft, account)
    return draft
  }

  /** Presents the token in one of the locations that the interface permits. */
  const present = (random: Random, draft: Draft, account: Account): void => {
    const { access } = random.pick(account.tokens)
    draft.credential = { kind: 'token', value: access }
    const way = random.below(20)
    if (way === 0) draft.query.push(['access_token', access])
    else if (way === 1 && draft.body !== undefined) draft.body.fields.unshift(['access_token', access])
    else if (way === 2) draft.headers.push(['authorization', `access_token="${access}"`])
    else draft.headers.push(['authorization', `Bearer ${access}`])
  }

  const carryCookie = (draft: Draft, account: Account): void => {
    if (account.cookie === undefined) return
    draft.headers.push(['cookie', account.cookie])
    if (account !== accounts.visitor) draft.credential = { kind: 'cookie', value: account.cookie }
  }

  const isProtected = (text: string): boolean => protectedIds.some((id) => text.includes(id))
  const isForAdmin = (path: string): boolean => path.startsWith('/admin')

  /** Fills the path of a page with an id from a page of the account, or with an unknown id. */
  const fillPath = (random: Random, account: Account, path: string): string => {
    if (!path.includes(':id')) return path
    const [start = '', end = ''] = path.split(':id')
    const known = [...account.links, ...account.forms.keys()].filter(
      (link) => link.startsWith(start) && !isProtected(link) && link.length > start.length,
    )
    const ids = known.flatMap((link) => link.slice(start.length).split(/[/?]/)[0] ?? [])
    const others = [
      ...accounts.reader.thingIds.slice(0, 3),
      ...account.sessionIds.slice(0, 3),
      'nothing',
      '%00',
      '__proto__',
    ]
    return `${start}${ids.length > 0 && random.chance(0.85) ? random.pick(ids) : random.pick(others)}${end}`
  }

  const fillForm = (random: Random, account: Account, form: PageForm): Field[] => {
    const isShort = random.chance(0.03)
    const isRight = random.chance(0.3)
    const signInPassword = isRight ? firstPassword(userNames.guest) : 'wrong'
    // The same password again: after several concurrent changes, no client could tell which password is valid.
    const fresh = account.password
    const pressed = random.pick([...form.fields.filter(({ kind }) => kind === 'button'), undefined])
    return form.fields.flatMap(({ name, value, kind }): Field[] => {
      if (kind === 'button') return pressed?.name === name && pressed.value === value ? [[name, value]] : []
      if (kind === 'hidden') return [[name, value]]
      if (kind === 'checkbox' || kind === 'radio') return random.chance(0.5) ? [[name, value]] : []
      if (kind === 'password')
        return [
          [
            name,
            isShort
              ? 'x'
              : name === 'old'
                ? account.password
                : form.action.startsWith('/sign-in')
                  ? signInPassword
                  : fresh,
          ],
        ]
      if (/url|uri|address/.test(name))
        return [
          [
            name,
            random.pick([
              'https://example.org/back',
              `${server.receiverUrl}${account.name}/ok`,
              'http://127.0.0.1:9/x',
            ]),
          ],
        ]
      if (name === 'username')
        return [
          [
            name,
            isRight
              ? userNames.guest
              : random.chance(0.07)
                ? random.pick(largeTexts)
                : random.pick(['nobody', 'nobody else']),
          ],
        ]
      if (name === 'name')
        return [
          [
            name,
            // Each of these forms can remove an account.
            value !== '' && random.chance(form.action.endsWith('/remove') ? 0.3 : 0.8)
              ? value
              : random.chance(0.5) && form.action.startsWith('/admin')
                ? random.pick(spareNames)
                : `name ${random.below(1e6)}`,
          ],
        ]
      return [[name, random.chance(value === '' ? 0.5 : 0.2) ? String(random.below(1_000)) : value]]
    })
  }

  const postForm = (random: Random, account: Account): Draft | undefined => {
    const usable = [...account.forms.values()].filter((form) => {
      // These forms end sessions, also sessions of the attack, and new sessions cost a password hash.
      if (/sign-out|password|sessions|leave|revoke/.test(form.action)) return random.chance(0.12)
      if (/register|sign-in|invite/.test(form.action)) return random.chance(0.15)
      return (
        account.name !== 'olga' || !isProtected(`${form.action} ${form.fields.map(({ value }) => value).join(' ')}`)
      )
    })
    if (usable.length === 0) return undefined
    const form = random.pick(usable)
    const [path = '', query = ''] = form.action.split('?')
    const draft = openDraft(`POST ${nameOf(path)}`, account, 'POST', path)
    draft.query = [...new URLSearchParams(query)]
    draft.body = { kind: 'form', fields: fillForm(random, account, form) }
    return draft
  }

  const draftPage = (random: Random): Draft => {
    const account = random.chance(0.12)
      ? accounts.visitor
      : random.pickWeighted(
          accounts.all.filter(({ isReadOnly }) => !isReadOnly),
          ({ name }) => (name === 'olga' ? 3 : 2),
        )
    const posted = random.chance(0.4) ? postForm(random, account) : undefined
    if (posted !== undefined) {
      carryCookie(posted, account)
      return posted
    }
    const links = [...account.links].filter((link) => !/export/.test(link) || account.name !== 'olga')
    const oneTime = links.findLast((link) => link.startsWith('/link?key='))
    let draft: Draft
    if (account === accounts.visitor && oneTime !== undefined && random.chance(0.3)) {
      // Only the newest link: a new link for a user invalidates the previous one.
      draft = openDraft('GET /link', account, 'GET', '/link')
      draft.query = [['key', oneTime.slice('/link?key='.length)]]
    } else if (links.length > 0 && random.chance(0.35)) {
      const [path = '', query = ''] = random.pick(links).split('?')
      draft = openDraft(`GET ${nameOf(path)}`, account, 'GET', path)
      draft.query = [...new URLSearchParams(query)]
    } else if (random.chance(0.1)) draft = draftAuthorize(random, account)
    else if (random.chance(0.12)) {
      const path = random.pick(openPaths)
      draft = openDraft(`GET ${path}`, account, 'GET', path)
    } else {
      const routes = allPages.filter(
        ({ isForAdmins }) => isForAdmins !== true || account.name === 'olga' || random.chance(0.1),
      )
      const route = random.pick(routes)
      const isRead = route.get !== undefined
      draft = openDraft(
        `${isRead ? 'GET' : 'POST'} ${route.path}`,
        account,
        isRead ? 'GET' : 'POST',
        fillPath(random, account, route.path),
      )
      if (!isRead) {
        const [token] = [...account.forms.values()].flatMap(({ fields }) =>
          fields.filter(({ name }) => name === 'form_token'),
        )
        draft.body = { kind: 'form', fields: token === undefined ? [] : [[token.name, token.value]] }
      }
      if (random.chance(0.15))
        draft.query.push([
          random.pick(['next', 'done', 'after', 'token', 'name', 'find', 'page']),
          random.pick(hostileTexts),
        ])
    }
    carryCookie(draft, account)
    draft.headers.push(['accept', 'text/html,*/*'])
    return draft
  }

  const draftAuthorize = (random: Random, account: Account): Draft => {
    const app = random.pick(apps)
    const draft = openDraft('GET /authorize', account, 'GET', '/authorize')
    const proof: Field[] = [
      ['code_challenge', challenge],
      ['code_challenge_method', 'S256'],
    ]
    draft.query = [
      ['response_type', 'code'],
      ['client_id', app.clientId],
      ['redirect_uri', app.redirectUri],
      ['state', `s${random.below(99)}`],
      ...proof,
    ]
    return draft
  }

  return {
    /** Creates the request of a number, and returns the source of the further choices. */
    draft: (number: number): { readonly draft: Draft; readonly random: Random } => {
      const random = createRandom(seed, number)
      const draft = random.chance(0.62) ? draftApi(random) : draftPage(random)
      const [address, host] = [`10.${random.below(40)}.${random.below(40)}.1`, `127.0.0.1:${server.port}`]
      draft.headers.unshift(['host', host], ['x-forwarded-for', address])
      if (random.chance(0.3))
        draft.headers.push(['accept-encoding', random.pick(['gzip', 'br', 'gzip, br', 'deflate'])])
      const isDangerous = draft.account?.name === 'olga' && isForAdmin(draft.path)
      const changes = random.chance(0.55) ? 0 : 1 + random.below(3)
      // The attack cannot know which password a mutated form sets, and would lock itself out.
      if (changes > 0 && draft.path === '/account/password' && draft.body !== undefined)
        draft.body.fields = draft.body.fields.map(([name, value]) => [name, name === 'old' ? 'wrong' : value])
      for (let count = 0; count < changes; count += 1) mutate(draft, random, isDangerous)
      return { draft, random }
    },
  }
}

/** Returns the route of a path, so that counts are per page. */
const nameOf = (path: string): string => {
  const route = allPages.find(({ path: pattern }) => {
    const [own, given] = [pattern.split('/'), path.split('/')]
    return own.length === given.length && own.every((part, index) => part === ':id' || part === given[index])
  })
  return route?.path ?? (path.startsWith('/assets') ? '/assets/…' : path.slice(0, 40))
}
