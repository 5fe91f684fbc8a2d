import { findHeaderForms, isMissing, presentToken, writePasswordGrant } from '../access-tokens.ts'
import { type Client, openClient, type Reply, type Target } from '../client.ts'
import { findCauses } from '../report/causes.ts'
import { type Paint, visible } from '../report/paint.ts'
import { Blocked, NoResponse } from '../result.ts'
import type { Rule } from '../rule.ts'
import { runRules } from '../runner.ts'
import { isSyncResponse, readSyncResponse, type SyncResponse } from '../sync-messages.ts'

/** One finding of the doctor, in one sentence; a problem and a hint say what to do. */
export interface Note {
  readonly kind: 'good' | 'problem' | 'hint'
  readonly text: string
}

/** Renders the note as a line; its kind is readable without color. */
export function renderNote(note: Note, paint: Paint): string {
  const sign = { good: paint.good('ok     '), problem: paint.bad('PROBLEM'), hint: paint.doubt('hint   ') }[note.kind]
  return `${sign}  ${visible(note.text)}\n`
}

/** Checks whether anything responds at the base URL, and describes what looks wrong with it. */
async function inspectBaseUrl(client: Client, target: Target): Promise<Note[]> {
  const url = new URL(target.baseUrl)
  try {
    const reply = await client.send({ path: 'sync' }, () => {})
    const redirect = describeRedirect(reply, url, 'sync')
    if (redirect) return [{ kind: 'problem', text: redirect }]
    const notes: Note[] = [{ kind: 'good', text: `${target.baseUrl} responds` }]
    if (!/\/v\d+\/?$/.test(url.pathname)) {
      notes.push({
        kind: 'hint',
        text: `the base URL should end in its version segment, ${new URL('v1/', target.baseUrl).href} perhaps (protocol 9)`,
      })
    }
    if (url.protocol === 'http:' && !/^(localhost|127\.|\[::1\]|.*\.localhost$)/.test(url.hostname)) {
      notes.push({
        kind: 'hint',
        text: 'plain http sends passwords and tokens without encryption; use https if the server supports it',
      })
    }
    return notes
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    return [
      {
        kind: 'problem',
        text: `${target.baseUrl} does not respond (${error.message.replace(/^no response: /, '')}): ${adviseOnSilence(error, url)}`,
      },
    ]
  }
}

/** Checks whether the account gets tokens; `token` is absent when it does not. */
async function inspectGrant(client: Client, target: Target, user: number): Promise<{ notes: Note[]; token?: string }> {
  const name = target.users[user]?.username ?? ''
  try {
    const reply = await client.send({ path: 'token', form: writePasswordGrant(target, user) }, () => {})
    const token = reply.json?.access_token
    if (classifyGrant(reply) !== 'granted' || typeof token !== 'string') {
      return { notes: [{ kind: 'problem', text: adviseOnGrant(client, reply, target, name) }] }
    }
    const missing = ['expires_in', 'request_token', 'token_type', 'scope'].filter(
      (field) => !Object.hasOwn(reply.json ?? {}, field),
    )
    const gaps: Note[] =
      missing.length === 0
        ? []
        : [
            {
              kind: 'hint',
              text: `the token response lacks ${missing.join(', ')}; the run will check that (protocol 5.2)`,
            },
          ]
    return { notes: [{ kind: 'good', text: `the token endpoint gives ${name} an access token` }, ...gaps], token }
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    return {
      notes: [
        {
          kind: 'problem',
          text: `the token endpoint did not respond for ${name} (${error.message}); check the log of the server`,
        },
      ],
    }
  }
}

function describeRedirect(reply: Reply, url: URL, path: string): string | undefined {
  const to = reply.headers.location
  if (reply.status < 300 || reply.status > 399 || to === undefined || !URL.canParse(to, url.href)) return undefined
  const goal = new URL(to, new URL(path, url))
  goal.search = ''
  const base = goal.href.replace(/\/(sync|token)\/?$/, '/')
  return `the server redirects to ${goal.href}; the suite does not follow redirects with a body or a token, so give --base-url ${base}`
}

function adviseOnSilence(error: NoResponse, url: URL): string {
  const text = `${error.message} ${String(error.cause)}`
  if (/ECONNREFUSED/.test(text))
    return `start the server, or correct the port (${url.port || (url.protocol === 'https:' ? '443' : '80')})`
  if (/ENOTFOUND|EAI_AGAIN/.test(text)) return `the host ${url.hostname} does not exist; correct its name`
  if (/altnames|ALTNAME/.test(text))
    return `its certificate is not for ${url.hostname}; give --base-url with a name from the certificate`
  if (/certificate|CERT|self[- ]signed/i.test(text))
    return 'its certificate is not trusted; name the authority with NODE_EXTRA_CA_CERTS=FILE, or use http for a local server'
  if (/EPROTO|wrong version number|SSL/.test(text))
    return 'it does not use TLS on this port; write http:// instead of https://'
  if (/socket hang up|ECONNRESET|Parse Error/.test(text))
    return 'something listens there but does not speak this protocol; check http or https, and the port'
  return 'check URL, port and firewall'
}

/** The outcome of a correct grant at the token endpoint. */
type GrantOutcome = 'granted' | 'redirected' | 'rejected' | 'broken'

function classifyGrant(reply: Reply): GrantOutcome {
  const token = reply.json?.access_token
  if (reply.status < 300 && reply.error === undefined && typeof token === 'string' && token !== '') return 'granted'
  if (reply.status >= 300 && reply.status < 400 && reply.headers.location !== undefined) return 'redirected'
  const credentialErrors =
    /^(invalid_grant|invalid_client|unauthorized_client|access_denied)$|credential|password|login/i
  const isRejected = reply.status === 401 || reply.status === 403 || credentialErrors.test(reply.error ?? '')
  return isRejected ? 'rejected' : 'broken'
}

function adviseOnGrant(client: Client, reply: Reply, target: Target, name: string): string {
  const came = `${reply.status} ${client.redact(reply.text).replaceAll(/\s+/g, ' ').slice(0, 200)}`.trim()
  const endpoint = new URL('token', target.baseUrl).href
  const redirect = describeRedirect(reply, new URL(target.baseUrl), 'token')
  if (redirect) return redirect
  if (reply.error === 'invalid_client' || reply.error === 'unauthorized_client') {
    return `client ID and secret were rejected (${came}): give the client ID and secret of a registered app with --client-id and --client-secret`
  }
  if (classifyGrant(reply) === 'rejected')
    return `name and password of ${name} were rejected (${came}): check --user, then client ID and secret`
  if (reply.status === 404)
    return `there is no token endpoint at ${endpoint} (${came}): correct --base-url, including its version segment`
  if (reply.status >= 500) return `the token endpoint failed for ${name} (${came}): check the log of the server`
  if (reply.json === undefined)
    return `${endpoint} responded with something other than JSON (${came}): correct --base-url, or respond to the grant with JSON (protocol 5.2)`
  return `the token endpoint gave ${name} no access_token (${came}): respond to the password grant as section 5.2 of the protocol requires`
}

/**
 * Finds what makes a run pointless, in one sentence: the server does not respond, redirects the suite, or rejects the
 * credentials. A wrong response is not among it: the run checks those.
 */
export async function findConnectionProblem(target: Target): Promise<string | undefined> {
  const client = openClient(target)
  try {
    for (const [user, { username }] of target.users.entries()) {
      const reply = await client.send({ path: 'token', form: writePasswordGrant(target, user) }, () => {})
      const outcome = classifyGrant(reply)
      // A body that holds a token and is not JSON comes from the service itself, in a wrong form.
      const isElsewhere = reply.status === 404 || (reply.json === undefined && !reply.text.includes('access_token'))
      if (outcome === 'redirected' || outcome === 'rejected' || (outcome === 'broken' && isElsewhere)) {
        return adviseOnGrant(client, reply, target, username)
      }
    }
    return describeRedirect(await client.send({ path: 'sync' }, () => {}), new URL(target.baseUrl), 'sync')
  } catch (error) {
    // The run waits for a server that throttles at first, rule by rule.
    if (error instanceof Blocked) return undefined
    if (!(error instanceof NoResponse)) throw error
    const notes = await inspectBaseUrl(client, target)
    const problem = notes.find((note) => note.kind === 'problem')?.text
    return (
      problem ?? `the server responds, but not to a request for a token (${error.message}): check the log of the server`
    )
  } finally {
    client.close()
  }
}

/** Exit code of a connection check: 0 nothing to fix, 1 a problem, 2 unreachable or credentials rejected. */
type DoctorExitCode = 0 | 1 | 2

/** Checks the connection step by step and reports each step when it is done. */
export async function checkConnection(target: Target, report: (note: Note) => void): Promise<DoctorExitCode> {
  const client = openClient(target)
  const reported = new Set<string>()
  // A problem of the application is the same for every user: it is reported once.
  const reportOnce = (note: Note): void => {
    if (reported.has(note.text)) return
    reported.add(note.text)
    report(note)
  }
  try {
    return await examine(client, target, reportOnce)
  } finally {
    client.close()
  }
}

async function examine(client: Client, target: Target, report: (note: Note) => void): Promise<DoctorExitCode> {
  const baseUrlNotes = await inspectBaseUrl(client, target)
  for (const note of baseUrlNotes) report(note)
  if (baseUrlNotes.some((note) => note.kind === 'problem')) return 2
  const listings: SyncResponse[] = []
  let rejected = false
  let problem = false
  for (const [index, { username }] of target.users.entries()) {
    const { notes, token } = await inspectGrant(client, target, index)
    for (const note of notes) report(note)
    problem ||= notes.some((note) => note.kind === 'problem')
    if (token === undefined) {
      rejected = true
      continue
    }
    const listing = await examineSync(client, target, username, token, report)
    if (listing) listings.push(listing)
    else problem = true
    if (index === 0) await examinePresentation(client, target, token, report)
  }
  reportIsolation(target, listings, report)
  return rejected ? 2 : problem ? 1 : 0
}

async function examineSync(
  client: Client,
  target: Target,
  username: string,
  token: string,
  report: (note: Note) => void,
): Promise<SyncResponse | undefined> {
  const started = performance.now()
  for (const kind of ['query', 'header', 'form'] as const) {
    const template = kind === 'header' ? (await findHeaderForms(client, target, token, false))[0] : undefined
    if (kind === 'header' && template === undefined) continue
    const way = kind === 'header' ? { kind, template: template ?? '' } : { kind }
    const reply = await client.send(presentToken({ path: 'sync' }, token, way), () => {})
    if (!isSyncResponse(reply)) continue
    const listing = readSyncResponse(reply, 'sync')
    const held =
      listing.things.size === 0
        ? 'the account is empty'
        : `the account holds ${listing.things.size} things (the run keeps them without --wipe)`
    report({
      kind: 'good',
      text: `sync responds to ${username} in ${Math.round(performance.now() - started)} ms, pos ${listing.pos}; ${held}`,
    })
    return listing
  }
  const reply = await client.send(presentToken({ path: 'sync' }, token, { kind: 'query' }), () => {})
  report({
    kind: 'problem',
    text: `GET sync with ${username}'s new token got ${reply.status} ${client.redact(reply.text).slice(0, 200)}: respond with a JSON object that has a numeric pos (protocol 4.3)`,
  })
  return undefined
}

async function examinePresentation(
  client: Client,
  target: Target,
  token: string,
  report: (note: Note) => void,
): Promise<void> {
  // Without sync no presentation of the token is accepted. The missing sync is already reported.
  const { status } = await client.send(presentToken({ path: 'sync' }, token, { kind: 'query' }), () => {})
  if (isMissing(status)) return
  const forms = await findHeaderForms(client, target, token, true)
  const rest = forms.length > 4 ? `, and in ${forms.length - 4} more forms` : ''
  if (forms.length > 0)
    report({ kind: 'good', text: `the Authorization header is accepted as ${forms.slice(0, 4).join(' · ')}${rest}` })
  else {
    const hint = target.authHeaders?.length
      ? 'none of the forms given with --auth-header works'
      : 'none of the usual forms works'
    report({
      kind: 'hint',
      text: `the token in the Authorization header is not accepted: ${hint}; give the form that the server accepts with --auth-header`,
    })
  }
  for (const kind of ['query', 'form'] as const) {
    const reply = await client.send(presentToken({ path: 'sync' }, token, { kind }), () => {})
    const location = kind === 'query' ? 'GET parameter' : 'form parameter'
    report(
      isSyncResponse(reply)
        ? { kind: 'good', text: `the token is accepted as the ${location} access_token` }
        : {
            kind: 'hint',
            text: `the token as the ${location} access_token gets ${reply.status}; the run will check that (protocol 5.3)`,
          },
    )
  }
}

function reportIsolation(target: Target, listings: readonly SyncResponse[], report: (note: Note) => void): void {
  if (target.users.length < 2) {
    report({
      kind: 'hint',
      text: 'only one account was given; with a second --user the suite also checks that accounts are kept apart',
    })
    return
  }
  const [first, second] = listings
  const shared = first && second ? [...first.things.keys()].filter((id) => second.things.has(id)) : []
  if (shared.length > 0)
    report({
      kind: 'hint',
      text: `the two accounts list ${shared.length} same IDs (${shared[0]}, for example): they must be kept apart`,
    })
}

/** One rule for each thing that a client does first; a server that passes them is ready for a run of all rules. */
const firstRuleIds: readonly string[] = [
  ...[
    'TOKEN-GRANT-01',
    'TOKEN-REFRESH-01',
    'SYNC-FULL-01',
    'SYNC-NEW-01',
    'SYNC-INCREMENTAL-01',
    'SYNC-INCREMENTAL-02',
    'SYNC-INCREMENTAL-04',
  ],
  ...[
    'SYNC-DELETE-01',
    'THING-CHANGE-TITLE-01',
    'TAG-FAVORITE-01',
    'SYNC-PAGE-01',
    'SYNC-COUNT-01',
    'TOKEN-AUTH-QUERY-02',
  ],
]

/** Runs the first rules, and cleans up after them; resolves to 0 when all passed or were skipped, else 1. */
export async function tryFirstRules(
  target: Target,
  rules: readonly Rule[],
  report: (note: Note) => void,
  signal: AbortSignal,
): Promise<0 | 1> {
  const first = rules.filter(({ id }) => firstRuleIds.includes(id))
  if (first.length === 0) return 0
  const { results } = await runRules({ target, rules: first, profile: 'core', seed: 1, signal })
  const wrong = results.filter(({ status }) => status !== 'passed' && status !== 'skipped')
  const { causes, rest } = findCauses(wrong)
  for (const { sentence, extent } of causes) report({ kind: 'problem', text: `${sentence}; ${extent}: fix this first` })
  for (const { id, title, expected, actual, message = '' } of rest) {
    const why = expected === undefined ? message : `expected ${expected}, but ${actual}`
    report({ kind: 'problem', text: `${id} ${title}: ${why.slice(0, 200)}` })
  }
  const passedCount = results.length - wrong.length
  if (wrong.length === 0)
    report({
      kind: 'good',
      text: `the first things that clients do work: ${passedCount} of ${passedCount} rules passed`,
    })
  return wrong.length === 0 ? 0 : 1
}
