import {
  addApp,
  addPublicClient,
  changeApp,
  findAppAccess,
  isPublicClient,
  listApps,
  removeApp,
  rotateAppSecret,
} from '../accounts/apps.ts'
import { type CreatedLink, createLink, inviteUser, listInvitations, withdrawInvitation } from '../accounts/links.ts'
import { AccountError } from '../accounts/names.ts'
import { changeQuota, findQuota, type QuotaChange } from '../accounts/quotas.ts'
import { endSession, type ListedSession, listSessions } from '../accounts/session-management.ts'
import { addPersonalToken } from '../accounts/token-grants.ts'
import {
  addUser,
  demoteUser,
  disableUser,
  enableUser,
  findNamedUser,
  listAdmins,
  listUsers,
  promoteUser,
  removeUser,
  renameUser,
  resetPassword,
} from '../accounts/users.ts'
import { isOfSession, isPushed, listDevices, outboxKeyOfDevice, type RegisteredDevice } from '../delivery/devices.ts'
import { describeWebhookState, suspendedReasons, type WebhookAccess } from '../delivery/webhook-message.ts'
import {
  findMaxWebhooks,
  listAllWebhooks,
  listWebhooks,
  pauseByAdministrator,
  resumeWebhook,
  retryWebhook,
  type Webhook,
} from '../delivery/webhooks.ts'
import type { Environment } from '../environment.ts'
import { formatLinkUrl } from '../pages/site.ts'
import { parseUrl } from '../parse-url.ts'
import { unbindUser } from '../provider/openid-provider.ts'
import type { User } from '../store/registry/registry.ts'
import { type Store, StoreError, type View } from '../store/store.ts'
import { hasSettings } from '../things/thing.ts'
import { type AccountRow, type CommandContext, catchRejection, type Rejection } from './command-errors.ts'

/** Text in parts; each part ends where a reader may stop. */
export type TextParts = AsyncGenerator<string, void, undefined>

/**
 * Lists the account of one user, as it is at one moment, as thingsync JSON in parts (`docs/transfer.schema.json`).
 * @throws AccountError when there is no such user
 */
export async function listAccountText(store: Store, name: string): Promise<TextParts> {
  const user = await findNamedUser(store.registry, name)
  return listText(store, user.id)
}

async function* listText(store: Store, userId: string): TextParts {
  const view = await store.read(userId)
  // Tags and things come from the same view, so they fit together.
  const tags = view.listTags(0)
  const { changed } = await view.list({ after: 0 })
  yield '{"format":"thingsync","version":1,"tags":{'
  let separator = ''
  for await (const piece of tags) {
    const members = piece.filter(([, settings]) => hasSettings(settings))
    if (members.length === 0) continue
    const shown = members.map(([name, settings]) => `${JSON.stringify(name)}:${JSON.stringify(settings)}`)
    yield `${separator}${shown.join(',')}`
    separator = ','
  }
  yield '},"things":[\n'
  for await (const { json } of changed()) yield json.toString()
  yield '\n]}\n'
}

/** A command about users, as JSON. */
export type UserCommand =
  | { readonly name: 'user add' | 'user reset-password'; readonly user: string; readonly password: string }
  | { readonly name: 'user remove' | 'user disable' | 'user enable' | 'user link'; readonly user: string }
  | { readonly name: 'user promote' | 'user demote' | 'user unbind'; readonly user: string }
  | { readonly name: 'user rename'; readonly user: string; readonly to: string }
  | { readonly name: 'user quota'; readonly user: string; readonly change: QuotaChange }
  | { readonly name: 'user invite'; readonly user?: string }
  | { readonly name: 'user list' | 'user invitations' }
  | { readonly name: 'user withdraw'; readonly id: string }

/** Runs a command about users. @throws AccountError, StoreError */
export async function runUserCommand(context: CommandContext, command: UserCommand): Promise<readonly AccountRow[]> {
  const { store, environment } = context
  switch (command.name) {
    case 'user add':
      await addUser(store, { name: command.user, password: command.password }, environment)
      return [{ name: command.user }]
    case 'user reset-password':
      await resetPassword(store, { name: command.user, password: command.password })
      return [{ name: command.user }]
    case 'user remove':
      await removeUser(store, command.user)
      await emptyJournal(store)
      return [{ name: command.user }]
    case 'user disable':
      await disableUser(store, command.user, environment)
      return [{ name: command.user }]
    case 'user enable':
      await enableUser(store, command.user)
      return [{ name: command.user }]
    case 'user promote':
      await promoteUser(store, command.user)
      return [{ name: command.user }]
    case 'user demote':
      await demoteUser(store, command.user)
      return [{ name: command.user }]
    case 'user unbind':
      await unbindUser(store, command.user)
      return [{ name: command.user }]
    case 'user rename':
      return [{ name: await renameUser(store, command.user, command.to) }]
    case 'user quota':
      return [await showQuota(context, await changeQuota(store, command.user, command.change))]
    case 'user link': {
      const { id, name, disabledAt } = await findNamedUser(store.registry, command.user)
      if (disabledAt !== undefined) throw new AccountError(`user "${name}" is disabled; enable the user first`)
      return [
        {
          name,
          ...showLink(context, await createLink(store, { kind: 'set-password', userId: id }, environment)),
        },
      ]
    }
    case 'user invite': {
      const named = command.user === undefined ? {} : { name: command.user }
      return [{ ...named, ...showLink(context, await inviteUser(store, named, environment)) }]
    }
    case 'user invitations':
      return (await listInvitations(store, environment)).map(({ hash, name = null, createdAt, expiresAt }) => ({
        id: hash,
        name,
        date: createdAt,
        expires: expiresAt,
      }))
    case 'user withdraw':
      await withdrawInvitation(store, command.id)
      return [{ id: command.id }]
    case 'user list':
      return listAllUsers(context)
  }
}

const showLink = ({ baseUrl }: CommandContext, { secret, expiresAt }: CreatedLink) => ({
  link: formatLinkUrl(baseUrl, secret),
  expires: expiresAt,
})

const showQuota = async ({ store, quotas }: CommandContext, user: User): Promise<AccountRow> => {
  const { id, name, quota = {} } = user
  const view = await store.read(id)
  const { things = 'default', bytes = 'default', tags = 'default', hooks = 'default' } = quota
  const { clearedTags, ...usage } = await view.countUsage()
  const max = findQuota(user, quotas)
  return {
    name,
    ...usage,
    cleared_tags: clearedTags,
    hooks: (await listWebhooks(view)).length,
    quota_things: things,
    quota_bytes: bytes,
    quota_tags: tags,
    quota_hooks: hooks,
    max_things: max.things,
    max_bytes: max.bytes,
    max_tags: max.tags,
    max_hooks: findMaxWebhooks(max.hooks),
  }
}

const listAllUsers = async ({ store }: CommandContext): Promise<readonly AccountRow[]> => {
  const admins = new Set((await listAdmins(store.registry)).map(({ id }) => id))
  return (await listUsers(store)).map(({ id, name, createdAt, disabledAt = null }) => ({
    name,
    date: createdAt,
    admin: admins.has(id),
    disabled: disabledAt,
  }))
}

/** Removes the data of a removed user from the journal. When the disk rejects that, the next checkpoint does it. */
async function emptyJournal(store: Store): Promise<void> {
  try {
    await store.checkpoint()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}

/** A command about apps, as JSON. */
export type AppCommand =
  | {
      readonly name: 'app add'
      readonly app: string
      readonly redirectUris: readonly string[]
      readonly isPublic: boolean
      readonly isStandard: boolean
    }
  | {
      readonly name: 'app change'
      readonly clientId: string
      readonly changes: Readonly<{ name?: string; redirectUris?: readonly string[]; isStandard?: boolean }>
    }
  | { readonly name: 'app remove' | 'app rotate-secret'; readonly clientId: string }
  | { readonly name: 'app list' }

/** Runs a command about apps. @throws AccountError, StoreError */
export async function runAppCommand(context: CommandContext, command: AppCommand): Promise<readonly AccountRow[]> {
  const { store, environment } = context
  switch (command.name) {
    case 'app add': {
      const { app, redirectUris, isPublic, isStandard } = command
      const details = { ...(redirectUris.length > 0 && { redirectUris }), ...(isStandard && { isStandard }) }
      if (!isPublic) return [showSecret(await addApp(store, app, environment, details))]
      const { clientId, name } = await addPublicClient(store, app, environment, details)
      return [{ client_id: clientId, name }]
    }
    case 'app change':
      await changeApp(store, command.clientId, command.changes)
      return (await listAllApps(context)).filter(({ client_id }) => client_id === command.clientId)
    case 'app rotate-secret':
      return [showSecret(await rotateAppSecret(store, command.clientId, environment))]
    case 'app remove':
      await removeApp(store, command.clientId)
      return [{ client_id: command.clientId }]
    case 'app list':
      return listAllApps(context)
  }
}

const showSecret = ({ clientId, clientSecret, name }: Awaited<ReturnType<typeof addApp>>): AccountRow => ({
  client_id: clientId,
  client_secret: clientSecret,
  name,
})

const listAllApps = async ({ store }: CommandContext): Promise<readonly AccountRow[]> => {
  const names = new Map((await store.registry.listUsers()).map(({ id, name }) => [id, name]))
  return (await listApps(store)).map((app) => ({
    client_id: app.clientId,
    name: app.name,
    date: app.createdAt,
    type: isPublicClient(app) ? 'public' : 'confidential',
    standard: app.isStandard === true,
    owner: names.get(app.ownerId ?? '') ?? null,
    redirect_uris: app.redirectUris ?? [],
  }))
}

/** A command about sessions and personal access tokens, as JSON; without `user` it covers all users. */
export type SessionCommand =
  | {
      readonly name: 'token add'
      readonly token: string
      readonly user: string
      readonly isReadOnly: boolean
      readonly expiresInSeconds?: number
    }
  | { readonly name: 'session list'; readonly only?: 'token'; readonly user?: string }
  | { readonly name: 'session revoke'; readonly only?: 'token'; readonly id: string }

/** Runs a command about sessions. @throws AccountError, StoreError */
export async function runSessionCommand(
  context: CommandContext,
  command: SessionCommand,
): Promise<readonly AccountRow[]> {
  const { store, environment } = context
  switch (command.name) {
    case 'token add': {
      const { token: name, isReadOnly, expiresInSeconds } = command
      const { id: userId, name: user } = await findNamedUser(store.registry, command.user)
      const wanted = { userId, name, isReadOnly, expiresInSeconds }
      const { id, token, expiresAt = null } = await addPersonalToken(store, wanted, environment)
      return [{ id, token, name, user, read_only: isReadOnly, expires: expiresAt }]
    }
    case 'session list': {
      const { user, only } = command
      const users = user === undefined ? undefined : [await findNamedUser(store.registry, user)]
      const found = await listSessionsOf(context, users ?? (await store.registry.listUsers()), only)
      return found.map(only === 'token' ? showToken : showSession)
    }
    case 'session revoke': {
      const { id, only } = command
      const found = await listSessionsOf(context, await store.registry.listUsers(), only)
      const owner = found.find(({ session }) => session.id === id)?.user
      if (owner === undefined || !(await endSession(store, owner.id, id))) {
        const what = only ?? 'session'
        throw new AccountError(`there is no ${what} with the ID "${id}"; "${what} list" shows all ${what}s`)
      }
      return [{ id, user: owner.name }]
    }
  }
}

interface OwnedSession {
  readonly user: User
  readonly session: ListedSession
}

const listSessionsOf = async (
  { store, environment }: CommandContext,
  users: readonly User[],
  only: 'token' | undefined,
) => {
  const found: OwnedSession[] = []
  for (const user of users) {
    for (const session of await listSessions(store, user.id, environment)) {
      if (only === undefined || session.kind === only) found.push({ user, session })
    }
  }
  return found
}

const showToken = ({ user, session }: OwnedSession): AccountRow => ({
  id: session.id,
  user: user.name,
  name: session.name ?? null,
  date: session.createdAt,
  read_only: session.isReadOnly === true,
  last_used: session.lastUsedAt ?? null,
  expires: session.expiresAt ?? null,
})

const showSession = ({ user, session }: OwnedSession): AccountRow => ({
  id: session.id,
  user: user.name,
  kind: session.kind,
  name: session.name ?? null,
  date: session.createdAt,
  last_used: session.lastUsedAt ?? null,
  expires: session.expiresAt ?? null,
  address: session.origin?.address ?? null,
  user_agent: session.origin?.userAgent ?? null,
})

/** A command about webhooks and devices, as JSON; without `user` it covers all users. */
export type DeliveryCommand =
  | { readonly name: 'delivery list'; readonly user?: string }
  | {
      readonly name: 'delivery retry' | 'delivery pause' | 'delivery resume'
      readonly user?: string
      /** The id of one webhook; without it the command covers all webhooks of the user. */
      readonly hook?: string
    }

const acts = {
  'delivery retry': retryWebhook,
  'delivery pause': pauseByAdministrator,
  'delivery resume': resumeWebhook,
} as const

/** Runs a command about delivery. @throws AccountError, StoreError */
export async function runDeliveryCommand(
  context: CommandContext,
  command: DeliveryCommand,
): Promise<readonly AccountRow[]> {
  const { store } = context
  const users =
    command.user === undefined ? await store.registry.listUsers() : [await findNamedUser(store.registry, command.user)]
  const rows: AccountRow[] = []
  for (const user of users) {
    rows.push(
      ...(command.name === 'delivery list'
        ? await listDeliveriesOf(context, user)
        : await changeOf(context, user, command)),
    )
  }
  if (command.name !== 'delivery list' && command.hook !== undefined && rows.length === 0) {
    const sentence = `there is no webhook with the ID "${command.hook}"; "delivery list" shows all webhooks`
    throw new AccountError(sentence)
  }
  return rows
}

const listDeliveriesOf = async ({ store, environment }: CommandContext, user: User): Promise<AccountRow[]> => {
  const view = await store.read(user.id)
  const names = new Map((await store.registry.listApps()).map(({ clientId, name }) => [clientId, name]))
  const webhooks = await listActiveWebhooks(store, user, view, environment)
  const outboxEntries = await view.listOutboxEntries()
  const sessions = new Set((await listSessions(store, user.id, environment)).map(({ id }) => id))
  const devices = (await listDevices(view)).filter(isOfSession(sessions))
  const hookRows = webhooks.map((known) => showWebhook(user, view, known, names.get(known.webhook.clientId ?? '')))
  return [...(await Promise.all(hookRows)), ...devices.map((device) => showDevice(user, outboxEntries, device))]
}

interface KnownWebhook {
  readonly webhook: Webhook
  readonly access: WebhookAccess
}

/** Lists webhooks without those of removed apps: the next change removes them. */
const listActiveWebhooks = async (
  store: Store,
  { id }: User,
  reader: Pick<View, 'listRecords'>,
  environment: Environment,
): Promise<KnownWebhook[]> => {
  const known = (await listAllWebhooks(reader)).map(async (webhook) => {
    return { webhook, access: await findAppAccess(store, id, webhook.clientId, environment) }
  })
  return (await Promise.all(known)).filter(({ access }) => access !== 'revoked')
}

const showWebhook = async (
  user: User,
  view: View,
  { webhook, access }: KnownWebhook,
  app: string | undefined,
): Promise<AccountRow> => {
  const { state, isWaiting, nextTryAt, reason } = await describeWebhookState(view, webhook, access)
  return {
    user: user.name,
    kind: 'webhook',
    id: webhook.id ?? null,
    to: webhook.targetUrl,
    event: webhook.event,
    app: app ?? null,
    state,
    waiting: isWaiting,
    ...showOutcomes(webhook),
    ...(reason !== undefined && { reason }),
    next_try: nextTryAt ?? null,
  }
}

const showDevice = (user: User, outboxEntries: ReadonlyMap<string, number>, device: RegisteredDevice): AccountRow => ({
  user: user.name,
  kind: device.type,
  id: device.id,
  to: parseUrl(device.endpoint ?? '')?.host ?? null,
  event: null,
  app: null,
  state: isPushed(device) ? ((device.tries ?? 0) > 0 ? 'retrying' : 'working') : 'not called',
  waiting: device.key !== undefined && outboxEntries.has(outboxKeyOfDevice(device.key)),
  ...showOutcomes(device),
  next_try: null,
})

const showOutcomes = ({ lastSuccessAt, lastFailure }: Webhook | RegisteredDevice): AccountRow => ({
  last_success: lastSuccessAt ?? null,
  last_failure: lastFailure?.at ?? null,
  reason: lastFailure?.reason ?? null,
})

const changeOf = async (
  { store, environment }: CommandContext,
  user: User,
  { name, hook }: Exclude<DeliveryCommand, { name: 'delivery list' }>,
): Promise<AccountRow[]> => {
  const isMeant = ({ webhook: { id } }: KnownWebhook) => hook === undefined || id === hook
  const view = await store.read(user.id)
  if (!(await listActiveWebhooks(store, user, view, environment)).some(isMeant)) return []
  return store.write(user.id, 'delivery', async (draft) => {
    const meant = (await listActiveWebhooks(store, user, draft, environment)).filter(isMeant)
    for (const { webhook } of meant) {
      // An unregistered webhook has nothing to retry or to pause.
      if (webhook.unregisteredAt === undefined || name === 'delivery resume')
        await acts[name](draft, webhook, environment)
    }
    return meant.map(({ webhook: { id, targetUrl, event, pausedAt }, access }) => {
      const isHeld = name === 'delivery retry' && pausedAt !== undefined
      const reason =
        name === 'delivery pause' ? undefined : (suspendedReasons[access] ?? (isHeld ? 'it is paused' : undefined))
      return { user: user.name, id: id ?? null, to: targetUrl, event, ...(reason !== undefined && { reason }) }
    })
  })
}

/** A command about users, apps, sessions and delivery, as JSON: it may run in the process of the server. */
export type AccountCommand = UserCommand | AppCommand | SessionCommand | DeliveryCommand | CheckpointCommand

/** The command that writes everything from the journal to plain files. */
export interface CheckpointCommand {
  readonly name: 'checkpoint'
}

/** The outcome of a command: rows to show, or a sentence that says why it was rejected. */
export type AccountOutcome = { readonly rows: readonly AccountRow[] } | Rejection

/**
 * Runs a command on an open store, in the process of the server or in the process of the command. Conditions that the
 * user can change are a `rejection` outcome.
 * @throws bugs only
 */
export const runAccountCommand = (context: CommandContext, command: AccountCommand): Promise<AccountOutcome> =>
  catchRejection(async () => ({ rows: await run(context, command) }))

function run(context: CommandContext, command: AccountCommand): Promise<readonly AccountRow[]> {
  switch (command.name) {
    case 'app add':
    case 'app list':
    case 'app change':
    case 'app rotate-secret':
    case 'app remove':
      return runAppCommand(context, command)
    case 'token add':
    case 'session list':
    case 'session revoke':
      return runSessionCommand(context, command)
    case 'delivery list':
    case 'delivery retry':
    case 'delivery pause':
    case 'delivery resume':
      return runDeliveryCommand(context, command)
    case 'checkpoint':
      return context.store.checkpoint().then(() => [])
    default:
      return runUserCommand(context, command)
  }
}
