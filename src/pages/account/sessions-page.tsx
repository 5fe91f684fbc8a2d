import { webAppId } from '../../accounts/apps.ts'
import { endOtherSessions, endSession, type ListedSession, listSessions } from '../../accounts/session-management.ts'
import { describeOrigin as readOrigin } from '../../accounts/sessions.ts'
import { backToAccount, Confirm, Notice, PageHeader, PostForm, RelativeTime } from '../components.tsx'
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

/**
 * Finds the sessions of the web app that may be in this browser: with the browser and the address of the request. The
 * pages cannot know more, because the tokens of the app are not in a cookie.
 */
export const findAppsHere = (
  sessions: readonly ListedSession[],
  { address, userAgent }: PageRequest,
): readonly ListedSession[] => {
  const here = readOrigin(address, userAgent)
  return sessions.filter(
    ({ clientId, origin }) =>
      clientId === webAppId && origin?.userAgent === here.userAgent && origin?.address === here.address,
  )
}

/** Where a session was last used: the program, if the name of the session does not say it, and the address. */
const describeOrigin = ({ kind, clientId, origin }: ListedSession): string => {
  if (origin === undefined) return ''
  const isNamed = kind === 'browser' || clientId === webAppId
  return `${isNamed ? '' : `, with ${describeAgent(origin.userAgent)}`}, from ${origin.address}`
}

/** `alike`: an app of the same browser and address, so perhaps the web app of this browser. */
type Place = 'this browser' | 'alike' | undefined

/** A use so soon after the sign-in says nothing new. */
const sameUseSeconds = 60

const LastUse = ({ session, now }: { readonly session: ListedSession; readonly now: number }) =>
  session.kind === 'token' && session.lastUsedAt === undefined ? (
    ', never used'
  ) : session.lastUsedAt === undefined || session.lastUsedAt - session.createdAt < sameUseSeconds ? null : (
    <>
      , last used <RelativeTime seconds={session.lastUsedAt} now={now} />
    </>
  )

const Row = ({
  session,
  place,
  request,
  now,
}: {
  readonly session: ListedSession
  readonly place: Place
  readonly request: PageRequest
  readonly now: number
}) => {
  const kind = kinds[session.kind]
  return (
    <li>
      <div class="what">
        <strong>
          {nameSession(session)} {place === 'this browser' && <i class="tag here">{place}</i>}
          {place !== 'this browser' && kind !== undefined && <i class="tag">{kind}</i>}
          {session.isReadOnly === true && <i class="tag">read-only</i>}
        </strong>
        <span>
          {session.kind === 'token' ? 'Created' : 'Signed in'} <RelativeTime seconds={session.createdAt} now={now} />
          {place === 'this browser' ? ', in use now' : <LastUse session={session} now={now} />}
          {describeOrigin(session)}
        </span>
      </div>
      <div class="acts">
        <PostForm request={request} to={`${path}/${session.id}/end`} class="">
          <button type="submit">
            Sign out<span class="aside"> of {nameSession(session)}</span>
          </button>
        </PostForm>
      </div>
    </li>
  )
}

const done: Readonly<Record<string, string>> = {
  one: 'The app or browser is signed out.',
  others: 'All others are signed out.',
}

/** `/account/sessions`: lists all valid sessions of the user. */
export const sessionsPage: PageRoute = {
  path,
  get: forSignedIn(async (request, { store, environment }) => {
    const all = await listSessions(store, request.signedIn.userId, environment)
    const [appHere, ...others] = findAppsHere(all, request)
    const findPlace = ({ id }: ListedSession): Place =>
      id === request.signedIn.sessionId
        ? 'this browser'
        : id === appHere?.id && others.length === 0
          ? 'alike'
          : undefined
    const order: readonly Place[] = ['this browser', 'alike', undefined]
    const sessions = order.flatMap((place) => all.filter((session) => findPlace(session) === place))
    const sentence = done[request.query.get('done') ?? '']
    const now = environment.now()
    return {
      title: 'Sessions',
      content: (
        <>
          <PageHeader title="Sessions" back={backToAccount(request.site)}>
            Sign out of any that you don’t recognize, and then change your{' '}
            <a href={request.site.href('/account/password')}>password</a>.
          </PageHeader>
          {sentence !== undefined && <Notice kind="good">{sentence}</Notice>}
          {sessions.length > 1 && (
            <Confirm summary="Sign out all others…" isGrave={false}>
              <PostForm request={request} to={`${path}/end-others`} class="buttons">
                <button type="submit">
                  Sign out {sessions.length - 1} {sessions.length === 2 ? 'other' : 'others'}
                </button>
              </PostForm>
            </Confirm>
          )}
          <section class="sheet" aria-label="Sessions">
            <ul class="rows">
              {sessions.map((session) => (
                <Row key={session.id} session={session} place={findPlace(session)} request={request} now={now} />
              ))}
            </ul>
          </section>
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
  [/\b(Headless)?Chrome\//, 'Chrome'],
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
