import { webAppId } from '../../accounts/apps.ts'
import { endOtherSessions, endSession, type ListedSession, listSessions } from '../../accounts/session-management.ts'
import { Confirm, Notice, PageHeader, PostForm, RelativeTime } from '../components.tsx'
import type { PageRequest, PageRoute } from '../page.ts'
import { PageError } from '../page-error.tsx'
import { forSignedIn } from '../signed-in.ts'

const path = '/account/sessions'

/** The name of a session. The web app is named with its browser, because its own name does not say which. */
const nameSession = ({ kind, name = '', clientId, origin }: ListedSession): string => {
  if (kind === 'browser') return describeAgent(origin?.userAgent)
  return clientId === webAppId && origin !== undefined ? `thingsync in ${describeAgent(origin.userAgent)}` : name
}

/** The kinds of sessions that the name does not say. */
const kinds = { app: 'app', token: 'access token', browser: undefined } as const

/** Where a session was last used: the program, if the name of the session does not say it, and the address. */
const describeOrigin = ({ kind, clientId, origin }: ListedSession): string => {
  if (origin === undefined) return ''
  const isNamed = kind === 'browser' || clientId === webAppId
  return `${isNamed ? '' : `, with ${describeAgent(origin.userAgent)}`}, from ${origin.address}`
}

const Row = ({
  session,
  isThis,
  request,
  now,
}: {
  readonly session: ListedSession
  readonly isThis: boolean
  readonly request: PageRequest
  readonly now: number
}) => {
  const kind = kinds[session.kind]
  return (
    <li>
      <div class="what">
        <strong>
          {nameSession(session)}{' '}
          {isThis ? <i class="tag here">this browser</i> : kind !== undefined && <i class="tag">{kind}</i>}
          {session.isReadOnly === true && <i class="tag">read-only</i>}
        </strong>
        <span>
          {session.kind === 'token' ? 'Created' : 'Signed in'} <RelativeTime seconds={session.createdAt} now={now} />
          {isThis && describeOrigin(session)}
        </span>
        {!isThis && (
          <span>
            {session.kind === 'token' && session.lastUsedAt === undefined ? (
              'Never used'
            ) : (
              <>
                Last used <RelativeTime seconds={session.lastUsedAt ?? session.createdAt} now={now} />
                {describeOrigin(session)}
              </>
            )}
          </span>
        )}
      </div>
      <div class="acts">
        <PostForm request={request} to={`${path}/${session.id}/end`} class="">
          <button type="submit" class="grave">
            {session.kind === 'token' ? 'Revoke' : 'Sign out'}
            <span class="aside">
              {session.kind !== 'token' && ' of'} {nameSession(session)}
            </span>
          </button>
        </PostForm>
      </div>
    </li>
  )
}

const done: Readonly<Record<string, string>> = {
  one: 'The session has ended. The app or browser must sign in again.',
  others: 'All other sessions have ended. They must sign in again.',
}

/** `/account/sessions`: lists all valid sessions of the user. */
export const sessionsPage: PageRoute = {
  path,
  get: forSignedIn(async (request, { store, environment }) => {
    const isThis = ({ id }: ListedSession) => id === request.signedIn.sessionId
    const all = await listSessions(store, request.signedIn.userId, environment)
    const sessions = [...all.filter(isThis), ...all.filter((session) => !isThis(session))]
    const sentence = done[request.query.get('done') ?? '']
    const now = environment.now()
    return {
      title: 'Sessions',
      content: (
        <>
          <PageHeader title="Sessions">
            Sign out of any that you don’t recognize, and then change your{' '}
            <a href={request.site.href('/account/password')}>password</a>.
          </PageHeader>
          {sentence !== undefined && <Notice kind="good">{sentence}</Notice>}
          <section class="sheet" aria-label="Sessions">
            <ul class="rows">
              {sessions.map((session) => (
                <Row key={session.id} session={session} isThis={isThis(session)} request={request} now={now} />
              ))}
            </ul>
          </section>
          {sessions.length > 1 && (
            <Confirm summary="End all other sessions…">
              <PostForm request={request} to={`${path}/end-others`} class="buttons">
                <button type="submit" class="grave">
                  End {sessions.length - 1} {sessions.length === 2 ? 'session' : 'sessions'}
                </button>
              </PostForm>
            </Confirm>
          )}
        </>
      ),
    }
  }),
}

/** Ends one session. For the session of this browser, that is a sign-out. */
export const endSessionPage: PageRoute = {
  path: `${path}/:id/end`,
  post: forSignedIn(async ({ params, signedIn }, { store }) => {
    const { id = '' } = params
    if (!(await endSession(store, signedIn.userId, id))) throw new PageError('unknown')
    if (id === signedIn.sessionId) return { see: '/sign-in', session: null }
    return { see: `${path}?done=one` }
  }),
}

/** Ends all sessions except the session of this browser. */
export const endOtherSessionsPage: PageRoute = {
  path: `${path}/end-others`,
  post: forSignedIn(async ({ signedIn }, { store }) => {
    if (!(await endOtherSessions(store, signedIn.userId, signedIn.sessionId))) throw new PageError('stale')
    return { see: `${path}?done=others` }
  }),
}

const programs = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

const systems = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const

const find = (table: readonly (readonly [RegExp, string])[], agent: string): string | undefined =>
  table.find(([form]) => form.test(agent))?.[1]

/** Describes a User-Agent in common words: `Firefox on Linux`. Returns an unknown User-Agent unchanged. */
export const describeAgent = (agent: string | undefined): string => {
  if (agent === undefined || agent === '') return 'an unnamed program'
  const program = agent.startsWith('Mozilla/') ? find(programs, agent) : undefined
  if (program === undefined) return agent.slice(0, 80)
  const system = find(systems, agent)
  return system === undefined ? program : `${program} on ${system}`
}
