import { type Client, openClient } from '../client.ts'
import { findHeaderForms, isMissing, presentToken } from '../present.ts'
import { isSyncAnswer, readSyncAnswer, type SyncAnswer } from '../sync-answer.ts'
import type { Target } from '../target.ts'
import { inspectAddress, inspectGrant } from './doctor-findings.ts'
import type { Note } from './doctor-note.ts'

/** What a check of the connection ended with: 0 nothing to mend, 1 a problem, 2 unreachable or credentials refused. */
export type DoctorExitCode = 0 | 1 | 2

/** Checks the connection step by step and tells each step as it is known. */
export async function checkConnection(target: Target, tell: (note: Note) => void): Promise<DoctorExitCode> {
  const client = openClient(target)
  const told = new Set<string>()
  // What is wrong with the application is wrong for every user: said once.
  const tellOnce = (note: Note): void => {
    if (told.has(note.text)) return
    told.add(note.text)
    tell(note)
  }
  try {
    return await examine(client, target, tellOnce)
  } finally {
    client.close()
  }
}

async function examine(client: Client, target: Target, tell: (note: Note) => void): Promise<DoctorExitCode> {
  const address = await inspectAddress(client, target)
  for (const note of address) tell(note)
  if (address.some((note) => note.kind === 'problem')) return 2
  const listings: SyncAnswer[] = []
  let refused = false
  let problem = false
  for (const [index, { username }] of target.users.entries()) {
    const { notes, token } = await inspectGrant(client, target, index)
    for (const note of notes) tell(note)
    problem ||= notes.some((note) => note.kind === 'problem')
    if (token === undefined) {
      refused = true
      continue
    }
    const listing = await examineSync(client, target, username, token, tell)
    if (listing) listings.push(listing)
    else problem = true
    if (index === 0) await examinePresentation(client, target, token, tell)
  }
  tellIsolation(target, listings, tell)
  return refused ? 2 : problem ? 1 : 0
}

async function examineSync(
  client: Client,
  target: Target,
  username: string,
  token: string,
  tell: (note: Note) => void,
): Promise<SyncAnswer | undefined> {
  const started = performance.now()
  for (const kind of ['query', 'header', 'form'] as const) {
    const template = kind === 'header' ? (await findHeaderForms(client, target, token, false))[0] : undefined
    if (kind === 'header' && template === undefined) continue
    const way = kind === 'header' ? { kind, template: template ?? '' } : { kind }
    const reply = await client.send(presentToken({ path: 'sync' }, token, way), () => {})
    if (!isSyncAnswer(reply)) continue
    const listing = readSyncAnswer(reply, 'sync')
    const held =
      listing.things.size === 0
        ? 'the account is empty'
        : `the account holds ${listing.things.size} things (the run leaves them alone without --wipe)`
    tell({
      kind: 'good',
      text: `sync answers ${username} in ${Math.round(performance.now() - started)} ms, pos ${listing.pos}; ${held}`,
    })
    return listing
  }
  const reply = await client.send(presentToken({ path: 'sync' }, token, { kind: 'query' }), () => {})
  tell({
    kind: 'problem',
    text: `GET sync with ${username}'s new token was answered ${reply.status} ${client.redact(reply.text).slice(0, 200)}: answer it with a JSON object that has a numeric pos (interface 4.3)`,
  })
  return undefined
}

async function examinePresentation(
  client: Client,
  target: Target,
  token: string,
  tell: (note: Note) => void,
): Promise<void> {
  // Then no way of presenting is taken, which says nothing about the token; that there is no sync was told.
  const { status } = await client.send(presentToken({ path: 'sync' }, token, { kind: 'query' }), () => {})
  if (isMissing(status)) return
  const forms = await findHeaderForms(client, target, token, true)
  const rest = forms.length > 4 ? `, and in ${forms.length - 4} more forms` : ''
  if (forms.length > 0)
    tell({ kind: 'good', text: `the Authorization header is taken as ${forms.slice(0, 4).join(' · ')}${rest}` })
  else {
    const hint = target.authHeaders?.length
      ? 'none of the forms given with --auth-header works'
      : 'none of the usual forms works'
    tell({
      kind: 'hint',
      text: `the token in the Authorization header is not taken: ${hint}; name the server's with --auth-header`,
    })
  }
  for (const kind of ['query', 'form'] as const) {
    const reply = await client.send(presentToken({ path: 'sync' }, token, { kind }), () => {})
    const place = kind === 'query' ? 'GET parameter' : 'form parameter'
    tell(
      isSyncAnswer(reply)
        ? { kind: 'good', text: `the token is taken as the ${place} access_token` }
        : {
            kind: 'hint',
            text: `the token as the ${place} access_token is answered ${reply.status}; the run will judge that (interface 5.3)`,
          },
    )
  }
}

function tellIsolation(target: Target, listings: readonly SyncAnswer[], tell: (note: Note) => void): void {
  if (target.users.length < 2) {
    tell({
      kind: 'hint',
      text: 'only one account was given; with a second --user the suite also judges that accounts are kept apart',
    })
    return
  }
  const [first, second] = listings
  const shared = first && second ? [...first.things.keys()].filter((id) => second.things.has(id)) : []
  if (shared.length > 0)
    tell({
      kind: 'hint',
      text: `the two accounts list ${shared.length} same ids (${shared[0]}, for example): they must be kept apart`,
    })
}
