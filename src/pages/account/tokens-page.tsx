import { addPersonalToken } from '../../accounts/personal-tokens.ts'
import { endSession, type ListedSession, listSessions } from '../../accounts/sessions.ts'
import { Copyable, ShownSecret } from '../copy-parts.tsx'
import { Head, Note, OneOf, PostForm, TextField, Tick } from '../form-parts.tsx'
import { forSignedIn } from '../guards.ts'
import type { PageRequest, PageRoute, PageTools, ShownPage, SignedInRequest } from '../page.ts'
import { PageRefused } from '../page-refused.ts'
import { tryForm, type Wrongs } from '../say-refused.ts'
import { When } from '../show-time.tsx'
import { showTokenCurl } from './describe-app.ts'

const path = '/account/tokens'

const terms = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: 'never', label: 'Until I revoke it' },
] as const

const Row = ({ token, request, now }: { token: ListedSession; request: PageRequest; now: number }) => (
  <li>
    <div class="what">
      <strong>
        {token.name} <i class="tag">{token.isReadOnly === true ? 'read-only' : 'reads and changes'}</i>
      </strong>
      <span>
        {token.expiresAt === undefined ? (
          'Ends when you revoke it'
        ) : (
          <>
            Ends <When seconds={token.expiresAt} now={now} />
          </>
        )}
      </span>
      <span>
        {token.lastUsedAt === undefined ? (
          'Never used'
        ) : (
          <>
            Last used <When seconds={token.lastUsedAt} now={now} />
          </>
        )}
      </span>
    </div>
    <div class="acts">
      <PostForm request={request} to={`${path}/${token.id}/revoke`} class="">
        <button type="submit" class="grave">
          Revoke<span class="aside"> {token.name}</span>
        </button>
      </PostForm>
    </div>
  </li>
)

const show = async (
  request: SignedInRequest,
  { store, world, shownOnce }: PageTools,
  wrongs: Wrongs = {},
): Promise<ShownPage> => {
  const { form, query, signedIn, site } = request
  const tokens = (await listSessions(store, signedIn.userId, world)).filter(({ kind }) => kind === 'token')
  const token = shownOnce.find(request, query.get('token'))
  const now = world.now()
  return {
    title: 'Access tokens',
    ...(Object.keys(wrongs).length === 0 ? {} : { status: 422 }),
    content: (
      <>
        <Head title="Access tokens">
          For scripts and programs of your own: used like any access token, without an app and without a sign-in.
        </Head>
        {query.get('done') === 'revoked' && <Note kind="good">The token is revoked and works no more.</Note>}
        {token !== undefined && (
          <ShownSecret title="Your new token">
            <Copyable label="The token" text={token} />
            <Copyable label="In a shell: sync with it" text={showTokenCurl(site, token)} />
          </ShownSecret>
        )}
        <section class="sheet" aria-labelledby="tokens">
          <h2 id="tokens">Your tokens</h2>
          {tokens.length === 0 ? (
            <p class="soft">You have none.</p>
          ) : (
            <ul class="rows">
              {tokens.map((one) => (
                <Row key={one.id} token={one} request={request} now={now} />
              ))}
            </ul>
          )}
        </section>
        <section class="sheet" aria-labelledby="new">
          <h2 id="new">Make a token</h2>
          <PostForm request={request} to={path}>
            <TextField
              name="name"
              label="What is it for?"
              value={form.get('name')}
              wrong={wrongs.name}
              hint="So that you know it again."
            />
            <OneOf name="term" label="How long is it good?" value={form.get('term') ?? '90'} choices={terms} />
            <Tick
              name="read_only"
              label="Read-only"
              isTicked={form.get('read_only') === 'on'}
              hint="It reads everything and changes nothing."
            />
            <div class="buttons">
              <button type="submit" class="main">
                Make the token
              </button>
            </div>
          </PostForm>
        </section>
      </>
    ),
  }
}

/** `/account/tokens`: personal access tokens. */
export const tokensPage: PageRoute = {
  path,
  isSentOnce: true,
  get: forSignedIn((request, tools) => show(request, tools)),
  post: forSignedIn(async (request, tools) => {
    const { form, signedIn } = request
    const days = Number(form.get('term'))
    const expiresInSeconds = [30, 90, 365].includes(days) ? days * 24 * 3600 : undefined
    if (expiresInSeconds === undefined && form.get('term') !== 'never') {
      return show(request, tools, { name: 'Choose how long the token is to be good.' })
    }
    const isReadOnly = form.get('read_only') === 'on'
    const wanted = { userId: signedIn.userId, name: form.get('name') ?? '', isReadOnly, expiresInSeconds }
    const outcome = await tryForm(() => addPersonalToken(tools.store, wanted, tools.world))
    if ('wrongs' in outcome) return show(request, tools, outcome.wrongs)
    // Whoever ends a session ends the tokens that there are by then: one that is made while the session ends goes with it.
    if ((await tools.store.registry.findBrowserSession(signedIn.sessionId)) === undefined) {
      await endSession(tools.store, signedIn.userId, outcome.done.id)
      throw new PageRefused('stale')
    }
    return { see: `${path}?token=${tools.shownOnce.keep(request, outcome.done.token)}` }
  }),
}

/** Revokes a token. */
export const revokeTokenPage: PageRoute = {
  path: `${path}/:id/revoke`,
  post: forSignedIn(async ({ params, signedIn }, { store, world }) => {
    const tokens = (await listSessions(store, signedIn.userId, world)).filter(({ kind }) => kind === 'token')
    if (!tokens.some(({ id }) => id === params.id)) throw new PageRefused('unknown')
    await endSession(store, signedIn.userId, params.id ?? '')
    return { see: `${path}?done=revoked` }
  }),
}
