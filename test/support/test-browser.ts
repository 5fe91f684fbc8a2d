import type { TestServer } from './open-test-server.ts'

/** A page, or a redirect, as a browser gets it. */
export interface BrowserResponse {
  readonly status: number
  readonly headers: Headers
  readonly html: string
  /** Where a redirect leads; '' when the response is none. */
  readonly location: string
}

/** What a test may say of a request. */
export interface BrowserRequest {
  readonly headers?: Readonly<Record<string, string>>
}

/** A browser without JavaScript: it keeps cookies and sends forms with their hidden fields; it follows no redirect. */
export interface TestBrowser {
  /** By name; a test may plant some. */
  readonly cookies: Map<string, string>
  /** `path` is below the server's path prefix. */
  readonly open: (path: string, request?: BrowserRequest) => Promise<BrowserResponse>
  /** Sends the form of a page that goes to `action` (below the prefix), with these fields beside its hidden ones. */
  readonly send: (
    page: BrowserResponse,
    action: string,
    fields?: Readonly<Record<string, string>>,
    request?: BrowserRequest,
  ) => Promise<BrowserResponse>
  /** Sends fields alone; a text as it is. */
  readonly post: (
    path: string,
    fields: Readonly<Record<string, string>> | string,
    request?: BrowserRequest,
  ) => Promise<BrowserResponse>
}

const formType = { 'content-type': 'application/x-www-form-urlencoded' }

const readText = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** The form token of a page, as its forms send it. */
export const findFormToken = ({ html }: Pick<BrowserResponse, 'html'>): string =>
  /name="form_token" value="([^"]*)"/.exec(html)?.[1] ?? ''

/** The hidden field of a form that each POST from a page carries. */
export const readFormToken = (page: Pick<BrowserResponse, 'html'>) => ({ form_token: findFormToken(page) })

/** The hidden fields of the form of a page that goes to an address. */
export const hiddenFields = (html: string, action: string): Record<string, string> => {
  const forms = [...html.matchAll(/<form method="post" action="([^"]*)".*?<\/form>/gs)]
  const form = forms.find(([, to]) => readText(to ?? '') === action)?.[0]
  if (form === undefined) throw new Error(`no form goes to ${action}: ${html.replace(/<style>.*<\/style>/s, '')}`)
  const inputs = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [readText(name), readText(value)]))
}

/** Opens a browser at a server; `headers` go with each request. */
export const createTestBrowser = (
  { baseUrl }: Pick<TestServer, 'baseUrl'>,
  headers: Readonly<Record<string, string>> = {},
): TestBrowser => {
  const site = baseUrl.replace(/\/v1\/$/, '')
  const { pathname } = new URL(`${site}/`)
  const prefix = pathname.slice(0, -1)
  const cookies = new Map<string, string>()

  const send = async (path: string, init: RequestInit, request: BrowserRequest = {}): Promise<BrowserResponse> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(`${site}${path}`, {
      ...init,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        ...(cookie === '' ? {} : { cookie }),
        ...headers,
        ...request.headers,
        ...init.headers,
      },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/; Max-Age=0(;|$)/.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const html = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      html,
      location: response.headers.get('location') ?? '',
    }
  }
  const post: TestBrowser['post'] = (path, fields, request = {}) => {
    const body = typeof fields === 'string' ? fields : `${new URLSearchParams(fields)}`
    return send(path, { method: 'POST', body }, { headers: { ...formType, ...request.headers } })
  }
  return {
    cookies,
    open: (path, request) => send(path, {}, request),
    post,
    send: (page, action, fields = {}, request = {}) =>
      post(action, { ...hiddenFields(page.html, `${prefix}${action}`), ...fields }, request),
  }
}

/** A browser in which a user with the password `correct horse` has signed in. */
export const signInBrowser = async (
  server: Pick<TestServer, 'baseUrl'>,
  username: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestBrowser> => {
  const browser = createTestBrowser(server, headers)
  const page = await browser.open('/sign-in')
  const { status } = await browser.send(page, '/sign-in', { username, password: 'correct horse' })
  if (status !== 303) throw new Error(`${username} could not sign in: ${status}`)
  return browser
}
