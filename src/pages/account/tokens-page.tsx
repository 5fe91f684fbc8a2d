import { endSession, type ListedSession, listSessions } from '../../accounts/session-management.ts'
import { addPersonalToken } from '../../accounts/token-grants.ts'
import {
  Checkbox,
  CopyField,
  copyScript,
  NewSecret,
  Notice,
  PageHeader,
  PostForm,
  RadioGroup,
  RelativeTime,
  TextField,
} from '../components.tsx'
import type { PageRequest, PageRoute, PageTools, ShownPage, SignedInRequest } from '../page.ts'
import { type FieldErrors, PageError, tryForm } from '../page-error.tsx'
import { forSignedIn } from '../signed-in.ts'
import { showTokenCurl } from './apps-page.tsx'
import { shortcutLinks } from './shortcut-pages.tsx'

const path = '/account/tokens'

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: 'never', label: 'Never' },
] as const

const Row = ({ token, request, now }: { token: ListedSession; request: PageRequest; now: number }) => (
  <li>
    <div class="what">
      <strong>
        {token.name} <i class="tag">{token.isReadOnly === true ? 'read-only' : 'read and write'}</i>
      </strong>
      <span>
        {token.expiresAt === undefined ? (
          'Does not expire'
        ) : (
          <>
            Expires <RelativeTime seconds={token.expiresAt} now={now} />
          </>
        )}
      </span>
      <span>
        {token.lastUsedAt === undefined ? (
          'Never used'
        ) : (
          <>
            Last used <RelativeTime seconds={token.lastUsedAt} now={now} />
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

/** The pages that say how a phone saves with a token. */
const ShortcutList = ({ request, query }: { readonly request: PageRequest; readonly query?: string }) => (
  <ul>
    {shortcutLinks(query).map(({ to, label }) => (
      <li key={to}>
        <a href={request.site.href(to)}>{label}</a>
      </li>
    ))}
  </ul>
)

const show = async (
  request: SignedInRequest,
  { store, environment, oneTimeSecrets }: PageTools,
  wrongs: FieldErrors = {},
): Promise<ShownPage> => {
  const { form, query, signedIn, site } = request
  const tokens = (await listSessions(store, signedIn.userId, environment)).filter(({ kind }) => kind === 'token')
  const token = oneTimeSecrets.find(request, query.get('token'))
  const now = environment.now()
  return {
    title: 'Access tokens',
    ...(token === undefined ? {} : { script: copyScript }),
    ...(Object.keys(wrongs).length === 0 ? {} : { status: 422 }),
    content: (
      <>
        <PageHeader title="Access tokens">
          For your own scripts and programs. A token works without an app and without a sign-in.
        </PageHeader>
        {query.get('done') === 'revoked' && <Notice kind="good">The token is revoked.</Notice>}
        {token !== undefined && (
          <NewSecret title="Your new token">
            <CopyField label="The token" text={token} />
            <CopyField label="In a shell: sync with it" text={showTokenCurl(site, token)} />
            <ShortcutList request={request} query={`?token=${query.get('token') ?? ''}`} />
          </NewSecret>
        )}
        {tokens.length > 0 && (
          <section class="sheet" aria-labelledby="tokens">
            <h2 id="tokens">Your tokens</h2>
            <ul class="rows">
              {tokens.map((one) => (
                <Row key={one.id} token={one} request={request} now={now} />
              ))}
            </ul>
          </section>
        )}
        <section class="sheet" aria-labelledby="new">
          <h2 id="new">Create a token</h2>
          {tokens.length === 0 && <p class="soft">You have no tokens.</p>}
          <PostForm request={request} to={path}>
            <TextField
              name="name"
              label="Name"
              value={form.get('name')}
              error={wrongs.name}
              hint="To recognize the token later."
            />
            <RadioGroup name="term" label="Expires" value={form.get('term') ?? '90'} choices={lifetimes} />
            <Checkbox
              name="read_only"
              label="Read-only"
              isTicked={form.get('read_only') === 'on'}
              hint="The token can read everything and change nothing."
            />
            <div class="buttons">
              <button type="submit" class="main">
                Create the token
              </button>
            </div>
          </PostForm>
        </section>
        {token === undefined && (
          <section class="sheet" aria-labelledby="phone">
            <h2 id="phone">On your phone</h2>
            <ShortcutList request={request} />
          </section>
        )}
      </>
    ),
  }
}

/** `/account/tokens`: personal access tokens. */
export const tokensPage: PageRoute = {
  path,
  isDeduplicated: true,
  get: forSignedIn((request, tools) => show(request, tools)),
  post: forSignedIn(async (request, tools) => {
    const { form, signedIn } = request
    const days = Number(form.get('term'))
    const expiresInSeconds = [30, 90, 365].includes(days) ? days * 24 * 3600 : undefined
    if (expiresInSeconds === undefined && form.get('term') !== 'never') {
      return show(request, tools, { name: 'Choose when the token expires.' })
    }
    const isReadOnly = form.get('read_only') === 'on'
    const wanted = { userId: signedIn.userId, name: form.get('name') ?? '', isReadOnly, expiresInSeconds }
    const outcome = await tryForm(() => addPersonalToken(tools.store, wanted, tools.environment))
    if ('wrongs' in outcome) return show(request, tools, outcome.wrongs)
    // The end of a session ends the tokens that exist then. A token created while the session ends must end with it.
    if ((await tools.store.registry.findBrowserSession(signedIn.sessionId)) === undefined) {
      await endSession(tools.store, signedIn.userId, outcome.done.id)
      throw new PageError('stale')
    }
    return { see: `${path}?token=${tools.oneTimeSecrets.seal(request, outcome.done.token)}` }
  }),
}

/** Revokes a token. */
export const revokeTokenPage: PageRoute = {
  path: `${path}/:id/revoke`,
  post: forSignedIn(async ({ params, signedIn }, { store, environment }) => {
    const tokens = (await listSessions(store, signedIn.userId, environment)).filter(({ kind }) => kind === 'token')
    if (!tokens.some(({ id }) => id === params.id)) throw new PageError('unknown')
    await endSession(store, signedIn.userId, params.id ?? '')
    return { see: `${path}?done=revoked` }
  }),
}
