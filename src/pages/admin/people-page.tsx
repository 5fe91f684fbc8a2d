import { listAdmins } from '../../accounts/admins.ts'
import { listInvitations, withdrawInvitation } from '../../accounts/invitations.ts'
import { inviteUser } from '../../accounts/links.ts'
import { addUser } from '../../accounts/users.ts'
import type { Link, User } from '../../store/directory.ts'
import { Copyable, ShownSecret } from '../copy-parts.tsx'
import { Head, Note, PostForm, TextField } from '../form-parts.tsx'
import { forAdmin } from '../guards.ts'
import { showLinkAddress } from '../link-address.ts'
import type { PageRequest, PageRoute, PageTools, ShownPage, SignedInRequest } from '../page.ts'
import { Pager, takePage } from '../pager.tsx'
import { tryForm, type Wrongs } from '../say-refused.ts'
import { When } from '../show-time.tsx'

const path = '/admin/people'

const Row = ({ user, isAdmin, request, now }: { user: User; isAdmin: boolean; request: PageRequest; now: number }) => (
  <li>
    <div class="what">
      <strong>
        <a href={request.site.href(`${path}/${user.id}`)}>
          <bdi>{user.name}</bdi>
        </a>{' '}
        {isAdmin && <i class="tag">admin</i>} {user.disabledAt !== undefined && <i class="tag">disabled</i>}
      </strong>
      <span>
        Account made <When seconds={user.createdAt} now={now} />
      </span>
    </div>
  </li>
)

const Invitation = ({ link, request, now }: { link: Link; request: PageRequest; now: number }) => (
  <li>
    <div class="what">
      <strong>{link.name ?? 'For anybody'}</strong>
      <span>
        Good until <When seconds={link.expiresAt} now={now} />
      </span>
    </div>
    <div class="acts">
      <PostForm request={request} to={`${path}/withdraw`} class="">
        <input type="hidden" name="invitation" value={link.hash} />
        <button type="submit">
          Withdraw<span class="aside"> the invitation for {link.name ?? 'anybody'}</span>
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
  const { site, query, form, signedIn } = request
  const everybody = [...(await store.directory.listUsers())].sort((a, b) => a.name.localeCompare(b.name))
  const admins = new Set((await listAdmins(store.directory)).map(({ id }) => id))
  const { rows, page, last } = takePage(everybody, query)
  const secret = shownOnce.find(signedIn.sessionId, query.get('link'))
  const invitations = await listInvitations(store, world)
  const now = world.now()
  return {
    title: 'People',
    ...(Object.keys(wrongs).length === 0 ? {} : { status: 422 }),
    content: (
      <>
        <Head title="People">Everybody who has an account on this server.</Head>
        {query.get('done') === 'removed' && <Note kind="good">The account is removed, with everything in it.</Note>}
        {query.get('done') === 'withdrawn' && <Note kind="good">That invitation cannot be used any more.</Note>}
        {secret !== undefined && (
          <ShownSecret title="A link to pass on">
            <p>Whoever opens it first can use it, once and within seven days. Send it the way you send a password.</p>
            <Copyable label="The link" text={showLinkAddress(site.baseUrl, secret)} />
          </ShownSecret>
        )}
        <section class="sheet" aria-label="People">
          <ul class="rows">
            {rows.map((user) => (
              <Row key={user.id} user={user} isAdmin={admins.has(user.id)} request={request} now={now} />
            ))}
          </ul>
          <Pager site={site} path={path} page={page} last={last} />
        </section>
        <section class="sheet" aria-labelledby="invite">
          <h2 id="invite">Invite</h2>
          <p class="soft">A link with which somebody makes an account, and chooses a password that you never see.</p>
          <PostForm request={request} to={`${path}/invite`}>
            <TextField
              name="invited"
              label="User name"
              isOptional={true}
              value={form.get('invited')}
              wrong={wrongs.invited}
              hint="Leave it empty to let them choose it."
            />
            <div class="buttons">
              <button type="submit" class="main">
                Make an invitation
              </button>
            </div>
          </PostForm>
        </section>
        {invitations.length > 0 && (
          <section class="sheet" aria-labelledby="open">
            <h2 id="open">Open invitations</h2>
            <ul class="rows">
              {invitations.map((link) => (
                <Invitation key={link.hash} link={link} request={request} now={now} />
              ))}
            </ul>
          </section>
        )}
        <section class="sheet" aria-labelledby="add">
          <h2 id="add">Add</h2>
          <p class="soft">An account at once. The next page makes a link with which they set a password.</p>
          <PostForm request={request} to={path}>
            <TextField name="name" label="Name of the new user" value={form.get('name')} wrong={wrongs.name} />
            <div class="buttons">
              <button type="submit">Add the user</button>
            </div>
          </PostForm>
        </section>
      </>
    ),
  }
}

/** `/admin/people`: everybody, and a form for one more. */
export const peoplePage: PageRoute = {
  path,
  isSentOnce: true,
  get: forAdmin((request, tools) => show(request, tools)),
  post: forAdmin(async (request, tools) => {
    const name = request.form.get('name') ?? ''
    // Nobody knows this password: the link sets one.
    const added = await tryForm(() => addUser(tools.store, { name, password: tools.world.newSecret() }, tools.world))
    if ('wrongs' in added) return show(request, tools, added.wrongs)
    return { see: `${path}/${added.done.id}?done=added` }
  }),
}

/** Makes an invitation. */
export const invitePage: PageRoute = {
  path: `${path}/invite`,
  isSentOnce: true,
  post: forAdmin(async (request, tools) => {
    const name = (request.form.get('invited') ?? '').trim()
    const made = await tryForm(() => inviteUser(tools.store, name === '' ? {} : { name }, tools.world))
    if ('wrongs' in made) return show(request, tools, { invited: Object.values(made.wrongs).join(' ') })
    return { see: `${path}?link=${tools.shownOnce.keep(request.signedIn.sessionId, made.done)}` }
  }),
}

/** Withdraws an invitation; one that is gone already is gone as it was to be. */
export const withdrawPage: PageRoute = {
  path: `${path}/withdraw`,
  post: forAdmin(async (request, tools) => {
    await tryForm(() => withdrawInvitation(tools.store, request.form.get('invitation') ?? ''))
    return { see: `${path}?done=withdrawn` }
  }),
}
