import { inviteUser, listInvitations, withdrawInvitation } from '../../accounts/links.ts'
import { addUser, listAdmins } from '../../accounts/users.ts'
import type { Link, User } from '../../store/registry/registry.ts'
import {
  CopyField,
  copyScript,
  NewSecret,
  Notice,
  PageHeader,
  Pager,
  PostForm,
  RelativeTime,
  sortByName,
  TextField,
  takePage,
} from '../components.tsx'
import type { PageRequest, PageRoute, PageTools, ShownPage, SignedInRequest } from '../page.ts'
import { type FieldErrors, tryForm } from '../page-error.tsx'
import { forAdmin } from '../signed-in.ts'
import { formatLinkUrl } from '../site.ts'

const usersPathShown = '/admin/users'

/** Shows the page of all users; `wrongs` are the errors of its form. */
const showUsers = async (
  request: SignedInRequest,
  { store, environment, oneTimeSecrets }: PageTools,
  wrongs: FieldErrors = {},
): Promise<ShownPage> => {
  const { site, query, form } = request
  const everybody = sortByName(await store.registry.listUsers())
  const admins = new Set((await listAdmins(store.registry)).map(({ id }) => id))
  const { rows, page, last } = takePage(everybody, query)
  const secret = oneTimeSecrets.find(request, query.get('link'))
  const invitations = await listInvitations(store, environment)
  const now = environment.now()
  return {
    title: 'Users',
    ...(secret === undefined ? {} : { script: copyScript }),
    ...(Object.keys(wrongs).length === 0 ? {} : { status: 422 }),
    content: (
      <>
        <PageHeader title="Users" back={{ href: site.href('/admin'), name: 'Admin' }}>
          All users who have an account on this server. <a href="#invite">Invite a user</a>
        </PageHeader>
        {query.get('done') === 'removed' && <Notice kind="good">The account and all its data are removed.</Notice>}
        {query.get('done') === 'withdrawn' && <Notice kind="good">The invitation is withdrawn.</Notice>}
        {secret !== undefined && (
          <NewSecret title="Link for the user">
            <p>
              Anyone who has this link can create the account, once and within seven days. Send it as safely as a
              password.
            </p>
            <CopyField label="The link" text={formatLinkUrl(site.baseUrl, secret)} />
          </NewSecret>
        )}
        <section class="sheet" aria-label="Users">
          <ul class="rows">
            {rows.map((user) => (
              <UserRow key={user.id} user={user} isAdmin={admins.has(user.id)} request={request} now={now} />
            ))}
          </ul>
          <Pager site={site} path={usersPathShown} page={page} last={last} />
        </section>
        <section class="sheet" aria-labelledby="invite">
          <h2 id="invite">Invite a user</h2>
          <p class="soft">Creates a link with which a new user creates an account. You never see the password.</p>
          <PostForm request={request} to={`${usersPathShown}/invite`}>
            <TextField
              name="invited"
              label="User name"
              isOptional={true}
              value={form.get('invited')}
              error={wrongs.invited}
              hint="Leave this empty to let the user choose it."
            />
            <div class="buttons">
              <button type="submit" class="main">
                Create an invitation
              </button>
            </div>
          </PostForm>
        </section>
        {invitations.length > 0 && (
          <section class="sheet" aria-labelledby="open">
            <h2 id="open">Open invitations</h2>
            <ul class="rows">
              {invitations.map((link) => (
                <InvitationRow key={link.hash} link={link} request={request} now={now} />
              ))}
            </ul>
          </section>
        )}
        <section class="sheet" aria-labelledby="add">
          <h2 id="add">Add a user</h2>
          <p class="soft">
            Creates an account now. On the next page, you create a link with which the user sets a password.
          </p>
          <PostForm request={request} to={usersPathShown}>
            <TextField name="name" label="Name of the new user" value={form.get('name')} error={wrongs.name} />
            <div class="buttons">
              <button type="submit">Add the user</button>
            </div>
          </PostForm>
        </section>
      </>
    ),
  }
}

/** The row of a user in the list. */
const UserRow = ({
  user,
  isAdmin,
  request,
  now,
}: {
  user: User
  isAdmin: boolean
  request: PageRequest
  now: number
}) => (
  <li>
    <div class="what">
      <strong>
        <a href={request.site.href(`/admin/users/${user.id}`)}>
          <bdi>{user.name}</bdi>
        </a>{' '}
        {isAdmin && <i class="tag">admin</i>} {user.disabledAt !== undefined && <i class="tag">disabled</i>}
      </strong>
      <span>
        Account created <RelativeTime seconds={user.createdAt} now={now} />
      </span>
    </div>
  </li>
)

/** The row of an open invitation, with the button that withdraws it. */
const InvitationRow = ({ link, request, now }: { link: Link; request: PageRequest; now: number }) => (
  <li>
    <div class="what">
      <strong>{link.name ?? 'Any user name'}</strong>
      <span>
        Expires <RelativeTime seconds={link.expiresAt} now={now} />
      </span>
    </div>
    <div class="acts">
      <PostForm request={request} to="/admin/users/withdraw" class="">
        <input type="hidden" name="invitation" value={link.hash} />
        <button type="submit">
          Withdraw<span class="aside"> the invitation for {link.name ?? 'any user name'}</span>
        </button>
      </PostForm>
    </div>
  </li>
)

const usersPath = '/admin/users'

/** `/admin/users`: lists all users, and has a form that adds one. */
export const usersPage: PageRoute = {
  path: usersPath,
  isDeduplicated: true,
  get: forAdmin((request, tools) => showUsers(request, tools)),
  post: forAdmin(async (request, tools) => {
    const name = request.form.get('name') ?? ''
    // A random password that nobody knows; the link sets the real one.
    const added = await tryForm(() =>
      addUser(tools.store, { name, password: tools.environment.newSecret() }, tools.environment),
    )
    if ('wrongs' in added) return showUsers(request, tools, added.wrongs)
    return { see: `${usersPath}/${added.done.id}?done=added` }
  }),
}

/** Creates an invitation. */
export const invitePage: PageRoute = {
  path: `${usersPath}/invite`,
  isDeduplicated: true,
  post: forAdmin(async (request, tools) => {
    const name = (request.form.get('invited') ?? '').trim()
    const created = await tryForm(() => inviteUser(tools.store, name === '' ? {} : { name }, tools.environment))
    if ('wrongs' in created) return showUsers(request, tools, { invited: Object.values(created.wrongs).join(' ') })
    return { see: `${usersPath}?link=${tools.oneTimeSecrets.seal(request, created.done.secret)}` }
  }),
}

/** Withdraws an invitation. If it does not exist any more, that is a success. */
export const withdrawPage: PageRoute = {
  path: `${usersPath}/withdraw`,
  post: forAdmin(async (request, tools) => {
    await tryForm(() => withdrawInvitation(tools.store, request.form.get('invitation') ?? ''))
    return { see: `${usersPath}?done=withdrawn` }
  }),
}
