import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AttackedServer, firstPassword, userNames } from './attacked-server.ts'
import { type Connection, openConnection, type Response } from './connection.ts'

/** A form on a page. */
export interface PageForm {
  readonly action: string
  readonly fields: readonly { readonly name: string; readonly value: string; readonly kind: string }[]
}

/** A user who attacks, with valid credentials and the values that the responses contained. */
export interface Account {
  readonly name: string
  /** A text in all data of the user. It must not appear in responses to other users. */
  readonly marker: string
  readonly isReadOnly: boolean
  password: string
  /** Access tokens, each with the refresh token of its pair, if there is one. */
  tokens: { readonly access: string; readonly refresh?: string }[]
  /** The cookie header of a signed-in browser. */
  cookie: string | undefined
  readonly forms: Map<string, PageForm>
  readonly links: Set<string>
  /** Authorization codes that arrived at the redirect URI. */
  readonly codes: string[]
  readonly thingIds: string[]
  readonly sessionIds: string[]
  position: number
}

/** The accounts of the attack. They keep the attackers signed in. */
export interface Accounts {
  readonly all: readonly Account[]
  readonly reader: Account
  /** Cookie header and forms of a browser without a signed-in user. */
  readonly visitor: Account
  /** Returns how often a token or a session was replaced, because the attack itself had ended it. */
  readonly countRenewals: () => number
  /** Removes an invalid token, and replaces it by another one. */
  readonly replaceToken: (account: Account, access: string) => Promise<void>
  /** Signs in again, unless another request has done so. */
  readonly replaceCookie: (account: Account, dead: string) => Promise<void>
  /** Notes that the account ended its other browser sessions, and with `isOfTokens` its tokens: no reserve is valid. */
  readonly noteEnd: (account: Account, isOfTokens: boolean) => Promise<void>
  /** Waits until every account has valid credentials. */
  readonly ready: () => Promise<unknown>
  /** Notes ids, positions, links, forms and tokens from a response to the account. */
  readonly learn: (account: Account, path: string, response: Response) => void
  /** Deletes things and webhooks of large accounts, so that the attack stays fast. */
  readonly tidy: () => Promise<void>
  /**
   * Deletes all but a few things, so that the memory of the server is not the users' data, and adds one thing. The
   * caller must call it again after a minute: the server keeps deleted things for that time, and the next write drops
   * them.
   */
  readonly clear: () => Promise<void>
  /** Returns everything that the read-only user can read. */
  readonly readReader: () => Promise<string>
  readonly close: () => void
}

/** Client address of the sign-ins. No attack comes from it, so no limit on attempts affects them. */
const cleanAddress = '198.51.100.7'

const tokensOfEach = 4
const maxRemembered = 150
const maxThings = 400
const fewThings = 10

const remember = (list: string[], value: string): void => {
  if (list.includes(value)) return
  list.push(value)
  if (list.length > maxRemembered) list.shift()
}

const unescapeHtml = (text: string): string =>
  text.replace(
    /&(amp|lt|gt|quot|#39|#x27);/g,
    (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? "'",
  )

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}(?:="([^"]*)")?(?=[\\s>/])`).exec(tag)
  return found === null ? undefined : unescapeHtml(found[1] ?? '')
}

/** Reads the forms of a page that are sent by POST. */
export const readForms = (html: string, path: string): PageForm[] =>
  [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].flatMap(([, head = '', inner = '']) => {
    if (attribute(`${head} `, 'method') !== 'post') return []
    const action = attribute(`${head} `, 'action') ?? path
    const nameToType = /Exactly: ([^<]*)/.exec(inner)?.[1]
    // Otherwise no attack would remove a user: a run would reach that page by chance only.
    if (nameToType === undefined && /^\/admin\/users\/[^/]+\/remove$/.test(action))
      throw new Error(`the form of ${action} does not show the name to type`)
    const fields = [...inner.matchAll(/<(input|select|textarea|button)\b[^>]*>(?:([^<]*)<\/textarea>)?/gs)].flatMap(
      ([tag, kind = '', text]) => {
        const name = attribute(tag, 'name')
        if (name === undefined) return []
        const first = kind === 'select' ? /<option[^>]*value="([^"]*)"/.exec(inner)?.[1] : undefined
        const value = (attribute(tag, 'value') || first) ?? unescapeHtml(text ?? nameToType ?? '')
        return [{ name, value, kind: kind === 'input' ? (attribute(tag, 'type') ?? 'text') : kind }]
      },
    )
    return [{ action, fields }]
  })

const createAccount = (name: string, isReadOnly = false): Account => ({
  name,
  marker: `MARKER-${name}-${randomBytes(6).toString('hex')}-END`,
  isReadOnly,
  password: firstPassword(name),
  tokens: [],
  cookie: undefined,
  forms: new Map(),
  links: new Set(),
  codes: [],
  thingIds: [],
  sessionIds: [],
  position: 0,
})

/** Signs the users of a server in and gives each some data with its marker. `port`: the port of a proxy, in tests. */
export const openAccounts = async (server: AttackedServer, port = server.port): Promise<Accounts> => {
  const { apps, readOnlyTokens, reserves } = server.enrollment
  const connection: Connection = openConnection(port)
  const running = new Map<string, Promise<void>>()
  const visitor = createAccount('nobody')
  let renewals = 0
  let last: Promise<unknown> = Promise.resolve()

  const send = (method: string, path: string, headers: Record<string, string>, body = ''): Promise<Response> => {
    const all = {
      // The server derives the names of its cookies from the host.
      host: `127.0.0.1:${server.port}`,
      'x-forwarded-for': cleanAddress,
      'content-length': String(Buffer.byteLength(body)),
    }
    const lines = Object.entries({ ...all, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
    const bytes = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
    const turn = last.then(async () => {
      const { responses, outcome } = await connection.exchange(bytes, { methods: [method], timeoutMs: 30_000 })
      const [response] = responses
      if (response === undefined)
        throw new Error(
          `${method} ${path.split('?')[0]} got no response (${outcome}); the server: ${server.findExit() ?? 'runs'}`,
        )
      return response
    })
    last = turn.catch(() => undefined)
    return turn
  }
  const requestJson = async (method: string, path: string, token: string, body?: object): Promise<Response> =>
    send(
      method,
      path,
      { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body === undefined ? '' : JSON.stringify(body),
    )
  const sendForm = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    send(
      'POST',
      path,
      { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      String(new URLSearchParams(fields)),
    )
  /** Runs only one renewal of a kind at a time. */
  const once = (key: string, work: () => Promise<void>): Promise<void> => {
    const current = running.get(key) ?? work().finally(() => running.delete(key))
    running.set(key, current)
    return current
  }

  /** Repeats `work`: a concurrent request may have changed the password, and its response contains the new one. */
  const tryAgain = async <T>(
    account: Account,
    work: () => Promise<T | Response>,
    isDone: (got: T | Response) => got is T,
  ): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      const got = await work()
      if (isDone(got)) return got
      if (tries === 8) throw new Error(`${account.name} cannot sign in any more: ${JSON.stringify(got).slice(0, 300)}`)
      await sleep(tries === 1 ? 300 : 1_000 * tries)
    }
  }
  const grant = async (account: Account): Promise<{ access: string; refresh: string }> => {
    const client = { client_id: apps[0].clientId, client_secret: apps[0].clientSecret ?? '' }
    const response = await tryAgain<Response>(
      account,
      () =>
        sendForm('/v1/token', {
          grant_type: 'password',
          ...client,
          username: account.name,
          password: account.password,
        }),
      (got): got is Response => got.status === 200,
    )
    const pair = JSON.parse(response.text) as { access_token: string; request_token: string }
    return { access: pair.access_token, refresh: pair.request_token }
  }
  const takeCookie = (response: Response): string | undefined =>
    response.headers
      .get('set-cookie')
      ?.map((cookie) => cookie.split(';')[0] ?? '')
      .find((cookie) => /=.{20}/.test(cookie))
  const signIn = async (account: Account): Promise<void> => {
    account.cookie = await tryAgain<string>(
      account,
      async () => {
        const page = await send('GET', '/sign-in', {})
        const [form] = readForms(page.text, '/sign-in')
        const hidden = Object.fromEntries((form?.fields ?? []).map(({ name, value }) => [name, value]))
        const typed = { ...hidden, username: account.name, password: account.password }
        const response = await sendForm('/sign-in', typed, { cookie: takeCookie(page) ?? '' })
        return (response.status === 303 ? takeCookie(response) : undefined) ?? response
      },
      (got): got is string => typeof got === 'string',
    )
    account.forms.clear()
  }

  const replaceToken: Accounts['replaceToken'] = async (account, access) => {
    account.tokens = account.tokens.filter((pair) => pair.access !== access)
    if (account.isReadOnly || account.tokens.length >= tokensOfEach) return
    await once(`token ${account.name}`, async () => {
      while (account.tokens.length < tokensOfEach) {
        renewals += 1
        const spare = reserves.get(account.name)?.tokens.pop()
        account.tokens.push(spare === undefined ? await grant(account) : { access: spare })
      }
    })
  }
  const noteEnd: Accounts['noteEnd'] = async (account, isOfTokens) => {
    const reserve = reserves.get(account.name)
    reserve?.cookies.splice(0)
    if (!isOfTokens) return
    reserve?.tokens.splice(0)
    account.tokens = []
    await replaceToken(account, '')
  }
  const replaceCookie: Accounts['replaceCookie'] = async (account, dead) => {
    if (account.cookie !== dead) return
    await once(`cookie ${account.name}`, async () => {
      renewals += 1
      const spare = reserves.get(account.name)?.cookies.pop()
      if (spare === undefined) return signIn(account)
      account.cookie = `${dead.split('=')[0]}=${spare}`
      account.forms.clear()
    })
  }

  const learnPage = (account: Account, path: string, { text }: Response): void => {
    for (const form of readForms(text, path)) account.forms.set(form.action, form)
    for (const [, link = ''] of text.matchAll(/(?:href|src|value)="(?:http:\/\/127\.0\.0\.1(?::\d+)?)?(\/[^"]*)"/g))
      account.links.add(unescapeHtml(link).split('#')[0] ?? '')
    // A page shows a link for a user without a session once, to an administrator: the visitor gets it.
    for (const [link] of text.matchAll(/\/link\?key=[\w-]+/g)) visitor.links.add(link)
    for (const kept of [account.forms, account.links]) {
      for (const key of kept.keys()) if (kept.size > maxRemembered) kept.delete(key)
    }
  }
  const learn: Accounts['learn'] = (account, path, response) => {
    const { headers, text, status } = response
    const code = /[?&]code=([^&]+)/.exec(headers.get('location')?.[0] ?? '')?.[1]
    if (code !== undefined) remember(account.codes, code)
    // The target of a form shows values that appear only once.
    const next = headers.get('location')?.[0]
    if (next?.startsWith('/')) account.links.add(next)
    if (status >= 400) return
    if (headers.get('content-type')?.[0]?.startsWith('text/html')) return learnPage(account, path, response)
    const start = text.slice(0, 20_000)
    for (const [, id = ''] of start.matchAll(/"_id": ?"([^"]{1,128})"/g)) remember(account.thingIds, id)
    const position = /"pos": ?(\d+)/.exec(start)?.[1]
    if (position !== undefined) account.position = Number(position)
    if (path === '/v1/session/list') {
      const ids = [...start.matchAll(/"id": ?"([^"]{1,128})"/g)].map(([, id = '']) => id)
      account.sessionIds.splice(0, Number.POSITIVE_INFINITY, ...ids)
    }
    const [, access] = /"access_token": ?"([^"]+)"/.exec(start) ?? []
    const [, refresh] = /"request_token": ?"([^"]+)"/.exec(start) ?? []
    if (access === undefined || refresh === undefined) return
    account.tokens.push({ access, refresh })
    if (account.tokens.length > 2 * tokensOfEach) account.tokens.shift()
  }

  const olga = createAccount(userNames.admin)
  const reader = createAccount(userNames.reader, true)
  const all = [...userNames.ordinary.map((name) => createAccount(name)), olga, reader]
  const createThings = (marker: string) =>
    Array.from({ length: 30 }, (_, index) => ({
      local_id: index,
      title: `${marker} title ${index}`,
      tags: `t${index % 7} ${marker}`,
      html: `<p>${marker} text ${index}</p>`,
      url: `https://example.org/${marker}/${index}`,
      date: 1_700_000_000 + index,
    }))
  for (const account of all) {
    const token = await grant(account)
    const { marker, name } = account
    const tag = { t1: { favorite: true }, [marker]: { color: '#abc', todo: true } }
    const upload = await requestJson('POST', '/v1/sync', token.access, { new_thing: createThings(marker), tag })
    learn(account, '/v1/sync', upload)
    const hook = { target_url: `${server.receiverUrl}${name}/${marker}`, event: 'any' }
    for (const [path, body] of [
      ['/v1/webhook/register', hook],
      ['/v1/register/device', { type: 'other', id: `device ${marker}` }],
    ] as const) {
      const { status, text } = await requestJson('POST', path, token.access, body)
      if (status !== 200) throw new Error(`${name}: ${path} ${status} ${text}`)
    }
    account.tokens.push(token)
    while (!account.isReadOnly && account.tokens.length < tokensOfEach) account.tokens.push(await grant(account))
    if (!account.isReadOnly) await signIn(account)
  }
  const [witness = '', ...readTokens] = [...readOnlyTokens].reverse()
  reader.tokens = readTokens.map((access) => ({ access }))

  const tidyTo = async (maxCount: number, keptCount: number): Promise<void> => {
    for (const account of all) {
      if (account.isReadOnly) continue
      const { access } = await grant(account)
      const { text, status } = await requestJson('GET', '/v1/things/get?archived=include', access)
      if (status !== 200) continue
      const ids = [...text.matchAll(/"_id": ?"([^"]+)"/g)].map(([, id = '']) => id)
      if (ids.length > maxCount) {
        const last = { local_id: randomBytes(8).toString('hex'), title: 'last' }
        await requestJson('POST', '/v1/sync', access, {
          deleted_thing: ids.slice(0, -keptCount),
          new_thing: [last],
          limit: 0,
        })
        account.thingIds.splice(0, Number.POSITIVE_INFINITY, ...ids.slice(-keptCount))
      }
      const hooks = await requestJson('GET', '/v1/webhook/list', access)
      // The attack may have ended this session. The next run does the rest.
      if (hooks.status !== 200) continue
      for (const { target_url, event } of (JSON.parse(hooks.text) as { target_url: string; event: string }[]).slice(12))
        await requestJson('POST', '/v1/webhook/unregister', access, { target_url, event })
      account.tokens.push({ access })
    }
  }
  const readReader: Accounts['readReader'] = async () => {
    const paths = ['sync', 'tags/get', 'things/get?archived=include', 'user/get', 'webhook/list', 'device/list']
    const texts: string[] = []
    for (const path of paths) {
      const { status, text } = await requestJson('GET', `/v1/${path}`, witness)
      texts.push(`${path} ${status} ${text}`)
    }
    return texts.join('\n')
  }
  const page = await send('GET', '/sign-in', {})
  visitor.cookie = takeCookie(page)
  learnPage(visitor, '/sign-in', page)
  return {
    all,
    reader,
    visitor,
    countRenewals: () => renewals,
    replaceToken,
    replaceCookie,
    noteEnd,
    ready: () => Promise.all(running.values()),
    learn,
    tidy: () => tidyTo(maxThings, maxThings / 4),
    clear: () => tidyTo(0, fewThings),
    readReader,
    close: connection.close,
  }
}
