import { endOtherSessions, endSession, type ListedSession, listSessions } from '../../accounts/sessions.ts'
import { describeAgent } from '../describe-agent.ts'
import { Confirm, Head, Note, PostForm } from '../form-parts.tsx'
import { forSignedIn } from '../guards.ts'
import type { PageRequest, PageRoute } from '../page.ts'
import { PageRefused } from '../page-refused.ts'
import { When } from '../show-time.tsx'

const path = '/account/sessions'

const nameOf = ({ kind, name, origin }: ListedSession): string =>
  kind === 'browser' ? describeAgent(origin?.userAgent) : (name ?? '')

const kinds = { app: 'app', token: 'access token', browser: 'browser' } as const

const describeUse = ({ kind, origin }: ListedSession): string =>
  [kind === 'browser' ? undefined : describeAgent(origin?.userAgent), origin && `from ${origin.address}`]
    .filter((part) => part !== undefined)
    .join(', ')

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
}) => (
  <li>
    <div class="what">
      <strong>
        {nameOf(session)} <i class="tag">{isThis ? 'this browser' : kinds[session.kind]}</i>
        {session.isReadOnly === true && <i class="tag">read-only</i>}
      </strong>
      {session.origin !== undefined && <span>{describeUse(session)}</span>}
      <span>
        {session.lastUsedAt === undefined ? (
          session.kind === 'token' ? (
            'Never used'
          ) : (
            'Last use not known'
          )
        ) : (
          <>
            Last used <When seconds={session.lastUsedAt} now={now} />
          </>
        )}
        , begun <When seconds={session.createdAt} now={now} />
      </span>
    </div>
    <div class="acts">
      <PostForm request={request} to={`${path}/${session.id}/end`} class="">
        <button type="submit" class="grave">
          End<span class="aside"> {nameOf(session)}</span>
        </button>
      </PostForm>
    </div>
  </li>
)

const done: Readonly<Record<string, string>> = {
  one: 'The session has ended. Whatever used it has to sign in again.',
  others: 'All others have ended. They have to sign in again.',
}

/** `/account/sessions`: everything that can act for the person at the moment. */
export const sessionsPage: PageRoute = {
  path,
  get: forSignedIn(async (request, { store, world }) => {
    const sessions = await listSessions(store, request.signedIn.userId, world)
    const sentence = done[request.query.get('done') ?? '']
    const now = world.now()
    return {
      title: 'Sessions and devices',
      content: (
        <>
          <Head title="Sessions and devices">
            Apps, access tokens and browsers that can act for you. End what you do not know, and change your password
            then.
          </Head>
          {sentence !== undefined && <Note kind="good">{sentence}</Note>}
          <section class="sheet" aria-label="Sessions">
            <ul class="rows">
              {sessions.map((session) => (
                <Row
                  key={session.id}
                  session={session}
                  isThis={session.id === request.signedIn.sessionId}
                  request={request}
                  now={now}
                />
              ))}
            </ul>
          </section>
          {sessions.length > 1 && (
            <Confirm summary="End all but this browser…">
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

/** Ends one session; of this browser it is a sign-out. */
export const endSessionPage: PageRoute = {
  path: `${path}/:id/end`,
  post: forSignedIn(async ({ params, signedIn }, { store }) => {
    const { id = '' } = params
    if (!(await endSession(store, signedIn.userId, id))) throw new PageRefused('unknown')
    if (id === signedIn.sessionId) return { see: '/sign-in', session: null }
    return { see: `${path}?done=one` }
  }),
}

/** Ends all sessions but the one of this browser. */
export const endOtherSessionsPage: PageRoute = {
  path: `${path}/end-others`,
  post: forSignedIn(async ({ signedIn }, { store }) => {
    if (!(await endOtherSessions(store, signedIn.userId, signedIn.sessionId))) throw new PageRefused('stale')
    return { see: `${path}?done=others` }
  }),
}
