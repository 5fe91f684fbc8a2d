import { findHeaderForms, isMissing, presentToken, writePasswordGrant } from '../access-tokens.ts'
import { type Client, openClient, type Reply, type Target } from '../client.ts'
import { findCauses } from '../report/causes.ts'
import { type Paint, visible } from '../report/paint.ts'
import { Blocked, NoResponse } from '../result.ts'
import type { Rule } from '../rule.ts'
import { runRules } from '../runner.ts'
import { isSyncResponse, readSyncResponse, type SyncResponse } from '../sync-messages.ts'

/** One thing that the doctor found, in one sentence; a problem and a hint say what to do. */
export interface Note {
  readonly kind: 'good' | 'problem' | 'hint'
  readonly text: string
}

/** The note as a line, its kind readable without colour. */
export function renderNote(note: Note, paint: Paint): string {
  const sign = { good: paint.good('ok     '), problem: paint.bad('PROBLEM'), hint: paint.doubt('hint   ') }[note.kind]
  return `${sign}  ${visible(note.text)}\n`
}

/** Whether anything answers at the address, and what looks wrong with it. */
async function inspectBaseUrl(client: Client, target: Target): Promise<Note[]> {
  const url = new URL(target.baseUrl)
  try {
    const reply = await client.send({ path: 'sync' }, () => {})
    const redirect = describeRedirect(reply, url, 'sync')
    if (redirect) return [{ kind: 'problem', text: redirect }]
    const notes: Note[] = [{ kind: 'good', text: `${target.baseUrl} answers` }]
    if (!/\/v\d+\/?$/.test(url.pathname)) {
      notes.push({
        kind: 'hint',
        text: `the base address should end in its version segment, ${new URL('v1/', target.baseUrl).href} perhaps (interface 9)`,
      })
    }
    if (url.protocol === 'http:' && !/^(localhost|127\.|\[::1\]|.*\.localhost$)/.test(url.hostname)) {
      notes.push({
        kind: 'hint',
        text: 'over plain http passwords and tokens cross the network readably; use https where there is one',
      })
    }
    return notes
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    return [
      { kind: 'problem', text: `${target.baseUrl} gives no answer (${error.message}): ${adviseOnSilence(error, url)}` },
    ]
  }
}

/** Whether the account gets tokens; `token` is absent when it does not. */
async function inspectGrant(client: Client, target: Target, user: number): Promise<{ notes: Note[]; token?: string }> {
  const name = target.users[user]?.username ?? ''
  try {
    const reply = await client.send({ path: 'token', form: writePasswordGrant(target, user) }, () => {})
    const token = reply.json?.access_token
    if (classifyGrant(reply) !== 'given' || typeof token !== 'string') {
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
              text: `the token answer lacks ${missing.join(', ')}; the run will judge that (interface 5.2)`,
            },
          ]
    return { notes: [{ kind: 'good', text: `the token endpoint gives ${name} an access token` }, ...gaps], token }
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    return {
      notes: [
        {
          kind: 'problem',
          text: `the token endpoint gave ${name} no answer (${error.message}); look at the server's log`,
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
  return `the server redirects to ${goal.href}; requests with a body or a token are not sent on, so give --base-url ${base}`
}

function adviseOnSilence(error: NoResponse, url: URL): string {
  const text = `${error.message} ${String(error.cause)}`
  if (/ECONNREFUSED/.test(text))
    return `start the server, or correct the port (${url.port || (url.protocol === 'https:' ? '443' : '80')})`
  if (/ENOTFOUND|EAI_AGAIN/.test(text)) return `there is no host ${url.hostname}; correct its name`
  if (/altnames|ALTNAME/.test(text))
    return `its certificate is for another name than ${url.hostname}; give --base-url with one that stands in it`
  if (/certificate|CERT|self[- ]signed/i.test(text))
    return 'its certificate is not trusted; name the authority with NODE_EXTRA_CA_CERTS=FILE, or use http for a local server'
  if (/EPROTO|wrong version number|SSL/.test(text))
    return 'it speaks no TLS at this port; write http:// instead of https://'
  if (/socket hang up|ECONNRESET|Parse Error/.test(text))
    return 'something listens there but does not speak this protocol; check http or https, and the port'
  return 'check address, port and firewall'
}

/** What the token endpoint said to a correct grant. */
type GrantOutcome = 'given' | 'redirected' | 'refused' | 'broken'

function classifyGrant(reply: Reply): GrantOutcome {
  const token = reply.json?.access_token
  if (reply.status < 300 && reply.error === undefined && typeof token === 'string' && token !== '') return 'given'
  if (reply.status >= 300 && reply.status < 400 && reply.headers.location !== undefined) return 'redirected'
  const apiErrors = /^(invalid_grant|invalid_client|unauthorized_client|access_denied)$|credential|password|login/i
  return reply.status === 401 || reply.status === 403 || apiErrors.test(reply.error ?? '') ? 'refused' : 'broken'
}

function adviseOnGrant(client: Client, reply: Reply, target: Target, name: string): string {
  const came = `${reply.status} ${client.redact(reply.text).replaceAll(/\s+/g, ' ').slice(0, 200)}`.trim()
  const endpoint = new URL('token', target.baseUrl).href
  const redirect = describeRedirect(reply, new URL(target.baseUrl), 'token')
  if (redirect) return redirect
  if (reply.error === 'invalid_client' || reply.error === 'unauthorized_client') {
    return `client id and secret were refused (${came}): give those of a registered application with --client-id and --client-secret`
  }
  if (classifyGrant(reply) === 'refused')
    return `name and password of ${name} were refused (${came}): check --user, then client id and secret`
  if (reply.status === 404)
    return `there is no token endpoint at ${endpoint} (${came}): correct --base-url, version segment included`
  if (reply.status >= 500) return `the token endpoint failed for ${name} (${came}): look at the server's log`
  if (reply.json === undefined)
    return `${endpoint} answered something else than JSON (${came}): correct --base-url, or answer the grant with JSON (interface 5.2)`
  return `the token endpoint gave ${name} no access_token (${came}): answer the password grant as section 5.2 says`
}

/**
 * What makes a run pointless, in one sentence: nothing answers, or it sends the suite elsewhere, or it refuses the
 * credentials. A server that merely answers wrongly is not among it: judging that is what the run is for.
 */
export async function findConnectionProblem(target: Target): Promise<string | undefined> {
  const client = openClient(target)
  try {
    for (const [user, { username }] of target.users.entries()) {
      const reply = await client.send({ path: 'token', form: writePasswordGrant(target, user) }, () => {})
      const outcome = classifyGrant(reply)
      // What holds a token and is no JSON is the service, answering wrongly.
      const isElsewhere = reply.status === 404 || (reply.json === undefined && !reply.text.includes('access_token'))
      if (outcome === 'redirected' || outcome === 'refused' || (outcome === 'broken' && isElsewhere)) {
        return adviseOnGrant(client, reply, target, username)
      }
    }
    return describeRedirect(await client.send({ path: 'sync' }, () => {}), new URL(target.baseUrl), 'sync')
  } catch (error) {
    // A throttled start is waited for, rule by rule, in the run.
    if (error instanceof Blocked) return undefined
    if (!(error instanceof NoResponse)) throw error
    const address = await inspectBaseUrl(client, target)
    const problem = address.find((note) => note.kind === 'problem')?.text
    return problem ?? `the server answers, but not a request for a token (${error.message}): look at the server's log`
  } finally {
    client.close()
  }
}

/** What a check of the connection ended with: 0 nothing to mend, 1 a problem, 2 unreachable or credentials refused. */
type DoctorExitCode = 0 | 1 | 2

/** Checks the connection step by step and tells each step as it is known. */
export async function checkConnection(target: Target, report: (note: Note) => void): Promise<DoctorExitCode> {
  const client = openClient(target)
  const notified = new Set<string>()
  // What is wrong with the application is wrong for every user: said once.
  const reportOnce = (note: Note): void => {
    if (notified.has(note.text)) return
    notified.add(note.text)
    report(note)
  }
  try {
    return await examine(client, target, reportOnce)
  } finally {
    client.close()
  }
}

async function examine(client: Client, target: Target, report: (note: Note) => void): Promise<DoctorExitCode> {
  const address = await inspectBaseUrl(client, target)
  for (const note of address) report(note)
  if (address.some((note) => note.kind === 'problem')) return 2
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
        : `the account holds ${listing.things.size} things (the run leaves them alone without --wipe)`
    report({
      kind: 'good',
      text: `sync answers ${username} in ${Math.round(performance.now() - started)} ms, pos ${listing.pos}; ${held}`,
    })
    return listing
  }
  const reply = await client.send(presentToken({ path: 'sync' }, token, { kind: 'query' }), () => {})
  report({
    kind: 'problem',
    text: `GET sync with ${username}'s new token was answered ${reply.status} ${client.redact(reply.text).slice(0, 200)}: answer it with a JSON object that has a numeric pos (interface 4.3)`,
  })
  return undefined
}

async function examinePresentation(
  client: Client,
  target: Target,
  token: string,
  report: (note: Note) => void,
): Promise<void> {
  // Then no way of presenting is taken, which says nothing about the token; that there is no sync was told.
  const { status } = await client.send(presentToken({ path: 'sync' }, token, { kind: 'query' }), () => {})
  if (isMissing(status)) return
  const forms = await findHeaderForms(client, target, token, true)
  const rest = forms.length > 4 ? `, and in ${forms.length - 4} more forms` : ''
  if (forms.length > 0)
    report({ kind: 'good', text: `the Authorization header is taken as ${forms.slice(0, 4).join(' · ')}${rest}` })
  else {
    const hint = target.authHeaders?.length
      ? 'none of the forms given with --auth-header works'
      : 'none of the usual forms works'
    report({
      kind: 'hint',
      text: `the token in the Authorization header is not taken: ${hint}; name the server's with --auth-header`,
    })
  }
  for (const kind of ['query', 'form'] as const) {
    const reply = await client.send(presentToken({ path: 'sync' }, token, { kind }), () => {})
    const place = kind === 'query' ? 'GET parameter' : 'form parameter'
    report(
      isSyncResponse(reply)
        ? { kind: 'good', text: `the token is taken as the ${place} access_token` }
        : {
            kind: 'hint',
            text: `the token as the ${place} access_token is answered ${reply.status}; the run will judge that (interface 5.3)`,
          },
    )
  }
}

function reportIsolation(target: Target, listings: readonly SyncResponse[], report: (note: Note) => void): void {
  if (target.users.length < 2) {
    report({
      kind: 'hint',
      text: 'only one account was given; with a second --user the suite also judges that accounts are kept apart',
    })
    return
  }
  const [first, second] = listings
  const shared = first && second ? [...first.things.keys()].filter((id) => second.things.has(id)) : []
  if (shared.length > 0)
    report({
      kind: 'hint',
      text: `the two accounts list ${shared.length} same ids (${shared[0]}, for example): they must be kept apart`,
    })
}

/** One rule of each thing that a client does first; a server that keeps these is worth a run of all. */
const firstRuleIds: readonly string[] = [
  ...[
    'TOKEN-GRANT-01',
    'TOKEN-REFRESH-01',
    'SYNC-FULL-01',
    'SYNC-NEW-01',
    'SYNC-DELTA-01',
    'SYNC-DELTA-02',
    'SYNC-DELTA-04',
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

/** Plays the first things that clients do, and removes them again: 0 when all went well, 1 when not. */
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
  for (const { sentence, extent } of causes)
    report({ kind: 'problem', text: `${sentence}; ${extent}: mend this first` })
  for (const { id, title, expected, actual, message = '' } of rest) {
    const why = expected === undefined ? message : `expected ${expected}, but ${actual}`
    report({ kind: 'problem', text: `${id} ${title}: ${why.slice(0, 200)}` })
  }
  const kept = results.length - wrong.length
  if (wrong.length === 0)
    report({ kind: 'good', text: `the first things that clients do work: ${kept} of ${kept} rules kept` })
  return wrong.length === 0 ? 0 : 1
}
