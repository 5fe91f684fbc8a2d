import { type Client, openClient, type Reply } from '../client.ts'
import { Blocked, NoAnswer } from '../finding.ts'
import { writePasswordGrant } from '../sessions.ts'
import type { Target } from '../target.ts'
import type { Note } from './doctor-note.ts'

/** Whether anything answers at the address, and what looks wrong with it. */
export async function inspectAddress(client: Client, target: Target): Promise<Note[]> {
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
    if (!(error instanceof NoAnswer)) throw error
    return [
      { kind: 'problem', text: `${target.baseUrl} gives no answer (${error.message}): ${adviseOnSilence(error, url)}` },
    ]
  }
}

/** Whether the account gets tokens; `token` is absent when it does not. */
export async function inspectGrant(
  client: Client,
  target: Target,
  user: number,
): Promise<{ notes: Note[]; token?: string }> {
  const name = target.users[user]?.username ?? ''
  try {
    const reply = await client.send({ path: 'token', form: writePasswordGrant(target, user) }, () => {})
    const token = reply.json?.access_token
    if (judgeGrant(reply) !== 'given' || typeof token !== 'string') {
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
    if (!(error instanceof NoAnswer)) throw error
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

function adviseOnSilence(error: NoAnswer, url: URL): string {
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

function judgeGrant(reply: Reply): GrantOutcome {
  const token = reply.json?.access_token
  if (reply.status < 300 && reply.error === undefined && typeof token === 'string' && token !== '') return 'given'
  if (reply.status >= 300 && reply.status < 400 && reply.headers.location !== undefined) return 'redirected'
  const refusals = /^(invalid_grant|invalid_client|unauthorized_client|access_denied)$|credential|password|login/i
  return reply.status === 401 || reply.status === 403 || refusals.test(reply.error ?? '') ? 'refused' : 'broken'
}

function adviseOnGrant(client: Client, reply: Reply, target: Target, name: string): string {
  const came = `${reply.status} ${client.redact(reply.text).replaceAll(/\s+/g, ' ').slice(0, 200)}`.trim()
  const endpoint = new URL('token', target.baseUrl).href
  const redirect = describeRedirect(reply, new URL(target.baseUrl), 'token')
  if (redirect) return redirect
  if (reply.error === 'invalid_client' || reply.error === 'unauthorized_client') {
    return `client id and secret were refused (${came}): give those of a registered application with --client-id and --client-secret`
  }
  if (judgeGrant(reply) === 'refused')
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
export async function findConnectionTrouble(target: Target): Promise<string | undefined> {
  const client = openClient(target)
  try {
    for (const [user, { username }] of target.users.entries()) {
      const reply = await client.send({ path: 'token', form: writePasswordGrant(target, user) }, () => {})
      const outcome = judgeGrant(reply)
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
    if (!(error instanceof NoAnswer)) throw error
    const address = await inspectAddress(client, target)
    const problem = address.find((note) => note.kind === 'problem')?.text
    return problem ?? `the server answers, but not a request for a token (${error.message}): look at the server's log`
  } finally {
    client.close()
  }
}
