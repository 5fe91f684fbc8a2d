import { isAdmin } from '../../accounts/admins.ts'
import { disableUser, enableUser } from '../../accounts/disable-user.ts'
import { makeLink } from '../../accounts/links.ts'
import { demoteUser, promoteUser } from '../../accounts/promote-user.ts'
import { listSessions } from '../../accounts/sessions.ts'
import type { User } from '../../store/directory.ts'
import { Copyable, ShownSecret } from '../copy-parts.tsx'
import { Head, Note, PostForm } from '../form-parts.tsx'
import { forAdmin } from '../guards.ts'
import { showLinkAddress } from '../link-address.ts'
import type { PageRoute, PageTools, ShownPage, SignedInRequest } from '../page.ts'
import { PageRefused } from '../page-refused.ts'
import { tryForm } from '../say-refused.ts'
import { When } from '../show-time.tsx'

const path = '/admin/people/:id'

/** The user of the address. @throws PageRefused when there is none */
export const findPerson = async ({ params }: SignedInRequest, { store }: PageTools): Promise<User> => {
  const user = await store.directory.findUser(params.id ?? '')
  if (user === undefined) throw new PageRefused('unknown')
  return user
}

const done: Readonly<Record<string, string>> = {
  added: 'The account is made. Make a link with which they set a password.',
  disabled: 'The account is disabled: nobody gets in, and no token works, until you enable it.',
  enabled: 'The account is enabled, with the apps and tokens of before. Browsers sign in again.',
  promoted: 'The person is an admin now.',
  demoted: 'The person is not an admin any more.',
}

const show = async (request: SignedInRequest, tools: PageTools, user: User, wrong?: string): Promise<ShownPage> => {
  const { site, query, signedIn } = request
  const { store, world, shownOnce } = tools
  const [sessions, view, isPersonAdmin] = await Promise.all([
    listSessions(store, user.id, world),
    store.read(user.id),
    isAdmin(store.directory, user),
  ])
  const things = await view.countThings()
  const secret = shownOnce.find(signedIn.sessionId, query.get('link'))
  const sentence = done[query.get('done') ?? '']
  const here = `/admin/people/${user.id}`
  const isDisabled = user.disabledAt !== undefined
  const now = world.now()
  return {
    title: user.name,
    ...(wrong === undefined ? {} : { status: 422 }),
    content: (
      <>
        <Head title={user.name}>
          {isPersonAdmin ? 'An admin' : 'An account'}
          {isDisabled ? ', disabled.' : '.'}
        </Head>
        {sentence !== undefined && <Note kind="good">{sentence}</Note>}
        {wrong !== undefined && <Note kind="bad">{wrong}</Note>}
        {secret !== undefined && (
          <ShownSecret title="A link to pass on">
            <p>Whoever opens it first sets the password, once and within a day. Send it the way you send a password.</p>
            <Copyable label="The link" text={showLinkAddress(site.baseUrl, secret)} />
          </ShownSecret>
        )}
        <section class="sheet" aria-labelledby="facts">
          <h2 id="facts">What is known</h2>
          <dl class="facts">
            <div>
              <dt>Things</dt>
              <dd>{things.toLocaleString('en')}</dd>
            </div>
            <div>
              <dt>Apps, tokens and browsers</dt>
              <dd>{sessions.length.toLocaleString('en')} signed in</dd>
            </div>
            <div>
              <dt>Account made</dt>
              <dd>
                <When seconds={user.createdAt} now={now} />
              </dd>
            </div>
            {user.disabledAt !== undefined && (
              <div>
                <dt>Disabled</dt>
                <dd>
                  <When seconds={user.disabledAt} now={now} />
                </dd>
              </div>
            )}
          </dl>
        </section>
        <section class="sheet" aria-labelledby="acts">
          <h2 id="acts">What you can do</h2>
          <ul class="rows">
            {!isDisabled && (
              <li>
                <div class="what">
                  <strong>Link to set a password</strong>
                  <span>For somebody who forgot it. What is signed in stays so until the link is used.</span>
                </div>
                <div class="acts">
                  <PostForm request={request} to={`${here}/link`} class="">
                    <button type="submit">Make a link</button>
                  </PostForm>
                </div>
              </li>
            )}
            <li>
              <div class="what">
                <strong>{isDisabled ? 'Enable' : 'Disable'}</strong>
                <span>
                  {isDisabled
                    ? 'Apps and tokens of before work again; browsers have to sign in anew.'
                    : 'Nobody gets in and no token works; everything is kept.'}
                </span>
              </div>
              <div class="acts">
                <PostForm request={request} to={`${here}/${isDisabled ? 'enable' : 'disable'}`} class="">
                  <button type="submit">{isDisabled ? 'Enable' : 'Disable'}</button>
                </PostForm>
              </div>
            </li>
            {!isDisabled && (
              <li>
                <div class="what">
                  <strong>{isPersonAdmin ? 'Admin no more' : 'Make admin'}</strong>
                  <span>
                    {isPersonAdmin
                      ? 'The account stays, without the admin pages. The only admin stays one.'
                      : 'An admin may do everything that these pages offer, to you as well.'}
                  </span>
                </div>
                <div class="acts">
                  <PostForm request={request} to={`${here}/${isPersonAdmin ? 'demote' : 'promote'}`} class="">
                    <button type="submit">{isPersonAdmin ? 'Demote' : 'Promote'}</button>
                  </PostForm>
                </div>
              </li>
            )}
            {user.id !== signedIn.userId && (
              <li>
                <div class="what">
                  <strong>Remove</strong>
                  <span>With everything in it, for good. You are offered an export first.</span>
                </div>
                <div class="acts">
                  <a class="button" href={site.href(`${here}/remove`)}>
                    Remove…
                  </a>
                </div>
              </li>
            )}
          </ul>
        </section>
      </>
    ),
  }
}

/** `/admin/people/ID`: one account, as far as it is an admin's business; no thing of it is shown. */
export const personPage: PageRoute = {
  path,
  get: forAdmin(async (request, tools) => show(request, tools, await findPerson(request, tools))),
}

/** Makes a link with which the person sets a password. */
export const passwordLinkPage: PageRoute = {
  path: `${path}/link`,
  isSentOnce: true,
  post: forAdmin(async (request, tools) => {
    const { id: userId, disabledAt } = await findPerson(request, tools)
    if (disabledAt !== undefined) throw new PageRefused('unknown')
    const secret = await makeLink(tools.store, { kind: 'set-password', userId }, tools.world)
    return { see: `/admin/people/${userId}?link=${tools.shownOnce.keep(request.signedIn.sessionId, secret)}` }
  }),
}

/** Keeps a person out. */
export const disablePage: PageRoute = {
  path: `${path}/disable`,
  post: forAdmin(async (request, tools) => {
    const user = await findPerson(request, tools)
    const outcome = await tryForm(() => disableUser(tools.store, user.name, tools.world))
    if ('wrongs' in outcome) return show(request, tools, user, Object.values(outcome.wrongs).join(' '))
    return { see: `/admin/people/${user.id}?done=disabled` }
  }),
}

/** Lets a person in again. */
export const enablePage: PageRoute = {
  path: `${path}/enable`,
  post: forAdmin(async (request, tools) => {
    const user = await findPerson(request, tools)
    await enableUser(tools.store, user.name)
    return { see: `/admin/people/${user.id}?done=enabled` }
  }),
}

/** Makes a person admin. */
export const promotePage: PageRoute = {
  path: `${path}/promote`,
  post: forAdmin(async (request, tools) => {
    const user = await findPerson(request, tools)
    const outcome = await tryForm(() => promoteUser(tools.store, user.name))
    if ('wrongs' in outcome) return show(request, tools, user, Object.values(outcome.wrongs).join(' '))
    return { see: `/admin/people/${user.id}?done=promoted` }
  }),
}

/** Takes the admin pages from a person; who does so to the own account lands on what is left. */
export const demotePage: PageRoute = {
  path: `${path}/demote`,
  post: forAdmin(async (request, tools) => {
    const user = await findPerson(request, tools)
    const outcome = await tryForm(() => demoteUser(tools.store, user.name))
    if ('wrongs' in outcome) return show(request, tools, user, Object.values(outcome.wrongs).join(' '))
    return { see: user.id === request.signedIn.userId ? '/account' : `/admin/people/${user.id}?done=demoted` }
  }),
}
