import { createLink } from '../../accounts/links.ts'
import { changeQuota, findQuota, parseQuotaValue, type QuotaChange, quotaNames } from '../../accounts/quotas.ts'
import { listSessions } from '../../accounts/session-management.ts'
import {
  demoteUser,
  disableUser,
  enableUser,
  isAdmin,
  promoteUser,
  removeUser,
  renameUser,
} from '../../accounts/users.ts'
import { listWebhooks, maxWebhooks } from '../../delivery/webhooks.ts'
import type { User } from '../../store/registry/registry.ts'
import { exportAccount, UsageFacts } from '../account/account-page.tsx'
import {
  CopyField,
  copyScript,
  NewSecret,
  Notice,
  PageHeader,
  PostForm,
  RelativeTime,
  TextField,
} from '../components.tsx'
import type { PageRoute, PageTools, ShownPage, SignedInRequest } from '../page.ts'
import { type FieldErrors, PageError, tryForm } from '../page-error.tsx'
import { forAdmin } from '../signed-in.ts'
import { formatLinkUrl } from '../site.ts'

/** Finds the user in the path. @throws PageError when there is none */
const findUserOfPath = async ({ params }: SignedInRequest, { store }: PageTools): Promise<User> => {
  const user = await store.registry.findUser(params.id ?? '')
  if (user === undefined) throw new PageError('unknown')
  return user
}

const userDone: Readonly<Record<string, string>> = {
  changed: 'Name and limits are changed.',
  added: 'The account is created. Create a link with which the user sets a password.',
  disabled: 'The account is disabled. The user cannot sign in, and no token works, until you enable it.',
  enabled: 'The account is enabled, with its existing apps and tokens. Browsers must sign in again.',
  promoted: 'The user is now an administrator.',
  demoted: 'The user is no longer an administrator.',
}

/** Shows the page of one account; `wrong` describes a request of the administrator that failed. */
const showUser = async (request: SignedInRequest, tools: PageTools, user: User, wrong?: string): Promise<ShownPage> => {
  const { site, query } = request
  const { store, environment, oneTimeSecrets, quotas } = tools
  const [sessions, view, isUserAdmin] = await Promise.all([
    listSessions(store, user.id, environment),
    store.read(user.id),
    isAdmin(store.registry, user),
  ])
  const has = { ...(await view.countUsage()), hooks: (await listWebhooks(view)).length }
  const secret = oneTimeSecrets.find(request, query.get('link'))
  const sentence = userDone[query.get('done') ?? '']
  const isDisabled = user.disabledAt !== undefined
  const now = environment.now()
  return {
    title: user.name,
    ...(secret === undefined ? {} : { script: copyScript }),
    ...(wrong === undefined ? {} : { status: 422 }),
    content: (
      <>
        <PageHeader title={user.name} back={{ href: request.site.href('/admin/users'), name: 'Users' }}>
          {isUserAdmin ? 'An administrator' : 'An account'}
          {isDisabled ? ', disabled.' : '.'}
        </PageHeader>
        {sentence !== undefined && <Notice kind="good">{sentence}</Notice>}
        {wrong !== undefined && <Notice kind="bad">{wrong}</Notice>}
        {secret !== undefined && (
          <NewSecret title="Link for the user">
            <p>
              Anyone who has this link can set the password, once and within one day. Send it as safely as a password.
            </p>
            <CopyField label="The link" text={formatLinkUrl(site.baseUrl, secret)} />
          </NewSecret>
        )}
        <section class="sheet" aria-labelledby="facts">
          <h2 id="facts">Account</h2>
          <dl class="facts short">
            <UsageFacts has={has} quota={findQuota(user, quotas)} />
            <div>
              <dt>Apps, tokens and browsers</dt>
              <dd>{sessions.length.toLocaleString('en')} signed in</dd>
            </div>
            <div>
              <dt>Account created</dt>
              <dd>
                <RelativeTime seconds={user.createdAt} now={now} />
              </dd>
            </div>
            {user.disabledAt !== undefined && (
              <div>
                <dt>Disabled</dt>
                <dd>
                  <RelativeTime seconds={user.disabledAt} now={now} />
                </dd>
              </div>
            )}
          </dl>
        </section>
        <UserActions request={request} user={{ id: user.id, isAdmin: isUserAdmin, isDisabled }} />
      </>
    ),
  }
}

interface UserAction {
  readonly name: string
  readonly about: string
  readonly button: string
  /** The path below the page of the user. */
  readonly to: string
}

interface UserState {
  readonly id: string
  readonly isAdmin: boolean
  readonly isDisabled: boolean
}

const listActions = ({ isAdmin, isDisabled }: UserState): readonly UserAction[] => {
  if (isDisabled) {
    const about = 'Apps and tokens work again; browsers must sign in again.'
    return [{ name: 'Enable', about, button: 'Enable', to: 'enable' }]
  }
  return [
    {
      name: 'Link to set a password',
      about: 'For a user who forgot the password. Sessions stay valid until the link is used.',
      button: 'Create a link',
      to: 'link',
    },
    {
      name: 'Disable',
      about: 'The user cannot sign in, and no token works. All data stays.',
      button: 'Disable',
      to: 'disable',
    },
    isAdmin
      ? {
          name: 'Remove administrator rights',
          about: 'The account stays, without the admin pages. You cannot demote the only administrator.',
          button: 'Demote',
          to: 'demote',
        }
      : {
          name: 'Make administrator',
          about: 'An administrator can use all admin pages, and can change your account.',
          button: 'Promote',
          to: 'promote',
        },
  ]
}

/** The actions of an administrator on an account, one button each. Administrators cannot remove their own account. */
const UserActions = ({ request, user }: { readonly request: SignedInRequest; readonly user: UserState }) => {
  const here = `/admin/users/${user.id}`
  return (
    <section class="sheet" aria-labelledby="acts">
      <h2 id="acts">Actions</h2>
      <ul class="rows">
        {listActions(user).map(({ name, about, button, to }) => (
          <li key={to}>
            <div class="what">
              <strong>{name}</strong>
              <span>{about}</span>
            </div>
            <div class="acts">
              <PostForm request={request} to={`${here}/${to}`} class="">
                <button type="submit">{button}</button>
              </PostForm>
            </div>
          </li>
        ))}
        <li>
          <div class="what">
            <strong>Name and limits</strong>
            <span>The name and the quotas of the user.</span>
          </div>
          <div class="acts">
            <a class="button" href={request.site.href(`${here}/change`)}>
              Change…
            </a>
          </div>
        </li>
        {user.id !== request.signedIn.userId && (
          <li>
            <div class="what">
              <strong>Remove</strong>
              <span>Deletes the account and all its data permanently. You can export the data first.</span>
            </div>
            <div class="acts">
              <a class="button grave" href={request.site.href(`${here}/remove`)}>
                Remove…
              </a>
            </div>
          </li>
        )}
      </ul>
    </section>
  )
}

const userPath = '/admin/users/:id'

/** `/admin/users/ID`: shows one account to an administrator, without its things. */
export const userPage: PageRoute = {
  path: userPath,
  get: forAdmin(async (request, tools) => showUser(request, tools, await findUserOfPath(request, tools))),
}

/** Creates a link with which the user sets a password. */
export const passwordLinkPage: PageRoute = {
  path: `${userPath}/link`,
  isDeduplicated: true,
  post: forAdmin(async (request, tools) => {
    const { id: userId, disabledAt } = await findUserOfPath(request, tools)
    if (disabledAt !== undefined) throw new PageError('unknown')
    const { secret } = await createLink(tools.store, { kind: 'set-password', userId }, tools.environment)
    return { see: `/admin/users/${userId}?link=${tools.oneTimeSecrets.seal(request, secret)}` }
  }),
}

/**
 * Creates the route of a button that changes an account. It redirects to the page of the user, which reports the
 * change.
 */
const createSwitch = (
  name: string,
  done: string,
  change: (tools: PageTools, user: User) => Promise<unknown>,
): PageRoute => ({
  path: `${userPath}/${name}`,
  post: forAdmin(async (request, tools) => {
    const user = await findUserOfPath(request, tools)
    const outcome = await tryForm(() => change(tools, user))
    if ('wrongs' in outcome) return showUser(request, tools, user, Object.values(outcome.wrongs).join(' '))
    // Administrators who demoted themselves may not see the page of the user any more.
    const isLeft = name === 'demote' && user.id === request.signedIn.userId
    return { see: isLeft ? '/account' : `/admin/users/${user.id}?done=${done}` }
  }),
})

/** The routes of the buttons that disable, enable, promote and demote a user. */
export const userSwitches: readonly PageRoute[] = [
  createSwitch('disable', 'disabled', ({ store, environment }, { name }) => disableUser(store, name, environment)),
  createSwitch('enable', 'enabled', ({ store }, { name }) => enableUser(store, name)),
  createSwitch('promote', 'promoted', ({ store }, { name }) => promoteUser(store, name)),
  createSwitch('demote', 'demoted', ({ store }, { name }) => demoteUser(store, name)),
]

const quotaLabels = {
  things: 'Maximum items',
  bytes: 'Maximum bytes of items and tags',
  tags: 'Maximum tags with settings',
  hooks: 'Maximum webhooks',
} as const

/** The maximum values of quotas, which an administrator cannot exceed. */
const maxAmounts: { readonly [Name in keyof typeof quotaLabels]?: number } = { hooks: maxWebhooks }

const showAmount = (amount: number | null): string => (amount === null ? 'none' : String(amount))

const describeNone = (max: number | undefined): string =>
  max === undefined ? 'A number, or “none” for no limit.' : `A number up to ${max}, or “none” for these ${max}.`

const describeInvalid = (max: number | undefined): string =>
  max === undefined ? 'Enter a whole number, or “none”.' : `Enter a whole number from 0 to ${max}, or “none”.`

const showUserChange = (
  request: SignedInRequest,
  { quotas }: PageTools,
  user: User,
  wrongs: FieldErrors = {},
): ShownPage => {
  const { form, site } = request
  return {
    title: `Change ${user.name}`,
    isNarrow: true,
    ...(Object.keys(wrongs).length === 0 ? {} : { status: 422 }),
    content: (
      <>
        <PageHeader
          title={`Change ${user.name}`}
          back={{ href: site.href(`/admin/users/${user.id}`), name: user.name }}
        >
          Sessions and tokens stay valid after a change of name. To sign in, the user needs the new name.
        </PageHeader>
        <section class="sheet" aria-label="Name and limits">
          <PostForm request={request}>
            <TextField name="name" label="User name" value={form.get('name') ?? user.name} error={wrongs.name} />
            {quotaNames.map((what) => {
              const own = user.quota?.[what]
              return (
                <TextField
                  key={what}
                  name={what}
                  label={quotaLabels[what]}
                  isOptional
                  value={form.get(what) ?? (own === undefined ? '' : showAmount(own))}
                  hint={`${describeNone(maxAmounts[what])} Empty: the default (${showAmount(quotas[what])}).`}
                  error={wrongs[what]}
                />
              )
            })}
            <div class="buttons">
              <button type="submit" class="main">
                Save
              </button>
            </div>
          </PostForm>
        </section>
      </>
    ),
  }
}

/** `/admin/users/ID/change`: changes the name and the quotas of a user. */
export const changeUserPage: PageRoute = {
  path: '/admin/users/:id/change',
  get: forAdmin(async (request, tools) => showUserChange(request, tools, await findUserOfPath(request, tools))),
  post: forAdmin(async (request, tools) => {
    const { store, log } = tools
    const user = await findUserOfPath(request, tools)
    const wishes = quotaNames.map(
      (what) => [what, parseQuotaValue(request.form.get(what)?.trim() || 'default', maxAmounts[what])] as const,
    )
    const unread = wishes.filter(([, wish]) => wish === undefined)
    if (unread.length > 0) {
      const wrongs = unread.map(([what]) => [what, describeInvalid(maxAmounts[what])])
      return showUserChange(request, tools, user, Object.fromEntries(wrongs))
    }
    const outcome = await tryForm(async () => {
      const name = request.form.get('name') ?? ''
      // An unchanged name is not validated: it may be older than a rule of names.
      const to = name === user.name ? name : await renameUser(store, user.name, name)
      await changeQuota(store, to, Object.fromEntries(wishes) as QuotaChange)
      return to
    })
    if ('wrongs' in outcome) return showUserChange(request, tools, user, outcome.wrongs)
    log.info(
      { user: user.name, to: outcome.done, by: request.signedIn.userName },
      'an administrator changed an account',
    )
    return { see: `/admin/users/${user.id}?done=changed` }
  }),
}

/** Finds the user in the path, except the own account: its owner could not see the result. @throws PageError */
const findOtherUser = async (request: SignedInRequest, tools: PageTools): Promise<User> => {
  const user = await findUserOfPath(request, tools)
  if (user.id === request.signedIn.userId) throw new PageError('unknown')
  return user
}

const showUserRemoval = ({ form, ...request }: SignedInRequest, user: User, wrong?: string): ShownPage => ({
  title: `Remove ${user.name}`,
  isNarrow: true,
  ...(wrong === undefined ? {} : { status: 422 }),
  content: (
    <>
      <PageHeader
        title={`Remove ${user.name}`}
        back={{ href: request.site.href(`/admin/users/${user.id}`), name: user.name }}
      >
        This permanently removes the account, its data, and the apps of the user that no other user uses. You cannot
        undo it.
      </PageHeader>
      <section class="sheet" aria-labelledby="first">
        <h2 id="first">1. Export the data</h2>
        <p>All items and tag settings, as JSON. A backup of the server also contains them.</p>
        <div class="buttons">
          <a class="button" href={request.site.href(`/admin/users/${user.id}/export`)}>
            Download the export
          </a>
        </div>
      </section>
      <section class="sheet" aria-labelledby="then">
        <h2 id="then">2. Remove the account</h2>
        <PostForm request={request}>
          <TextField
            name="name"
            label="Type the user name"
            value={form.get('name')}
            hint={`Exactly: ${user.name}`}
            error={wrong}
          />
          <div class="buttons">
            <button type="submit" class="grave">
              Remove permanently
            </button>
          </div>
        </PostForm>
      </section>
    </>
  ),
})

/** `/admin/users/ID/remove`: offers an export, and removes an account after its name was typed. */
export const removeUserPage: PageRoute = {
  path: '/admin/users/:id/remove',
  get: forAdmin(async (request, tools) => showUserRemoval(request, await findOtherUser(request, tools))),
  post: forAdmin(async (request, tools) => {
    const user = await findOtherUser(request, tools)
    if (request.form.get('name')?.trim() !== user.name)
      return showUserRemoval(request, user, 'The name does not match.')
    const outcome = await tryForm(() => removeUser(tools.store, user.name))
    if ('wrongs' in outcome) return showUserRemoval(request, user, Object.values(outcome.wrongs).join(' '))
    return { see: '/admin/users?done=removed' }
  }),
}

/** Downloads the data of a user, for the administrator who removes the account. */
export const exportUserPage: PageRoute = {
  path: '/admin/users/:id/export',
  get: forAdmin(async (request, tools) => exportAccount(tools, await findUserOfPath(request, tools))),
}
