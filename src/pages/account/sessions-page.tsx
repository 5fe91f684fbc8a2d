import { webAppId } from '../../accounts/apps.ts'
import { endOtherSessions, endSession, type ListedSession, listSessions } from '../../accounts/session-management.ts'
import { describeOrigin as readOrigin } from '../../accounts/sessions.ts'
import { Confirm, Notice, PageHeader, PostForm, RelativeTime } from '../components.tsx'
import type { PageRequest, PageRoute, SignedInRequest } from '../page.ts'
import { PageError } from '../page-error.tsx'
import { forSignedIn } from '../signed-in.ts'

const path = '/account/sessions'

/** Whether a session is of a browser: its account pages, or the web app in it. */
const isOfBrowser = ({ kind, clientId, origin }: ListedSession): boolean =>
  kind === 'browser' || (clientId === webAppId && origin !== undefined)

/** The name of a session: of its browser, because the name of the web app does not say which. */
const nameSession = (session: ListedSession): string =>
  isOfBrowser(session) ? describeAgent(session.origin?.userAgent) : (session.name ?? '')

/** What a session is: for a browser, what is signed in there. */
const nameKind = (session: ListedSession): string =>
  session.kind === 'browser' ? 'Account pages' : session.kind === 'token' ? 'Access token' : 'App'

/**
 * Groups the sessions of each browser at each address: the account pages and the web app have a session each, and users
 * know both as one browser. The order stays, and the group with this session is the first.
 */
const groupSessions = (sessions: readonly ListedSession[], id: string): readonly (readonly ListedSession[])[] => {
  const groups = new Map<string, ListedSession[]>()
  for (const session of sessions) {
    const { origin } = session
    const key = isOfBrowser(session) ? JSON.stringify([describeAgent(origin?.userAgent), origin?.address]) : session.id
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [session])
    else group.push(session)
  }
  const isHere = (group: readonly ListedSession[]) => group.some((session) => session.id === id)
  return [...groups.values()]
    .map((group) => group.toSorted((one, other) => Number(other.id === id) - Number(one.id === id)))
    .toSorted((one, other) => Number(isHere(other)) - Number(isHere(one)))
}

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
const describeOrigin = (session: ListedSession): string => {
  const { origin } = session
  if (origin === undefined) return ''
  return `${isOfBrowser(session) ? '' : `, with ${describeAgent(origin.userAgent)}`}, from ${origin.address}`
}

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

interface RowProps {
  readonly session: ListedSession
  readonly request: SignedInRequest
  readonly now: number
  /** Whether the group says where the session was used. */
  readonly isPart?: boolean
}

const ReadOnly = ({ session }: { readonly session: ListedSession }) =>
  session.isReadOnly === true ? <i class="tag">read-only</i> : null

const Use = ({ session, request, now, isPart = false }: RowProps) => (
  <>
    {session.kind === 'token' ? 'created' : 'signed in'} <RelativeTime seconds={session.createdAt} now={now} />
    {session.id === request.signedIn.sessionId ? ', in use now' : <LastUse session={session} now={now} />}
    {!isPart && describeOrigin(session)}
  </>
)

const SignOut = ({ session, request }: Omit<RowProps, 'now'>) => (
  <div class="acts">
    <PostForm request={request} to={`${path}/${session.id}/end`} class="">
      <button type="submit">
        Sign out
        <span class="aside">
          {' '}
          of {nameSession(session)}
          {isOfBrowser(session) && `, ${nameKind(session).toLowerCase()}`}
        </span>
      </button>
    </PostForm>
  </div>
)

/** A session, or all sessions of one browser. */
const Group = ({
  group,
  request,
  now,
}: Omit<RowProps, 'session'> & { readonly group: readonly [ListedSession, ...ListedSession[]] }) => {
  const [first, ...others] = group
  const heading = (
    <strong>
      {nameSession(first)} {first.id === request.signedIn.sessionId && <i class="tag here">this browser</i>}
      {others.length === 0 && <ReadOnly session={first} />}
    </strong>
  )
  if (others.length === 0) {
    return (
      <li>
        <div class="what">
          {heading}
          <span>
            {nameKind(first)}, <Use session={first} request={request} now={now} />
          </span>
        </div>
        <SignOut session={first} request={request} />
      </li>
    )
  }
  return (
    <li>
      <div class="what">
        {heading}
        {first.origin !== undefined && <span>From {first.origin.address}</span>}
      </div>
      <ul class="rows brief parts">
        {group.map((session) => (
          <li key={session.id}>
            <div class="what">
              <span>
                <b>{nameKind(session)}</b>, <Use session={session} request={request} now={now} isPart />
              </span>
            </div>
            <SignOut session={session} request={request} />
          </li>
        ))}
      </ul>
    </li>
  )
}

/** A button that signs out all sessions but this one, after a second press. */
export const SignOutOthers = ({ request, others }: { readonly request: PageRequest; readonly others: number }) => (
  <Confirm summary="Sign out all others…" isGrave={false}>
    <PostForm request={request} to={`${path}/end-others`} class="buttons">
      <button type="submit">
        Sign out {others} {others === 1 ? 'other' : 'others'}
      </button>
    </PostForm>
  </Confirm>
)

const done: Readonly<Record<string, string>> = {
  one: 'The app or browser is signed out.',
  others: 'All others are signed out.',
}

/** `/account/sessions`: lists all valid sessions of the user. */
export const sessionsPage: PageRoute = {
  path,
  get: forSignedIn(async (request, { store, environment }) => {
    const sessions = await listSessions(store, request.signedIn.userId, environment)
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
          {sessions.length > 1 && <SignOutOthers request={request} others={sessions.length - 1} />}
          <section class="sheet" aria-label="Sessions">
            <ul class="rows brief">
              {groupSessions(sessions, request.signedIn.sessionId).map(
                ([first, ...others]) =>
                  first && <Group key={first.id} group={[first, ...others]} request={request} now={now} />,
              )}
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
