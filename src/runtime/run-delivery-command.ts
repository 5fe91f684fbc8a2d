import { AccountRefused } from '../accounts/account-refused.ts'
import { findAppAccess } from '../accounts/app-access.ts'
import { listSessions } from '../accounts/sessions.ts'
import { findNamedUser } from '../accounts/users.ts'
import { describeState, type HookAccess, untoldReasons } from '../delivery/describe-state.ts'
import { errandOfDevice, isOfSession, isPushed, listDevices, type RegisteredDevice } from '../delivery/devices.ts'
import { listKeptWebhooks, pauseByOperator, resumeWebhook, type Webhook, wakeWebhook } from '../delivery/webhooks.ts'
import { parseUrl } from '../parse-url.ts'
import type { User } from '../store/registry/registry.ts'
import type { Store, View } from '../store/store.ts'
import type { World } from '../world.ts'
import type { AccountRow, CommandPlace } from './command-place.ts'

/** A command about what is told to the outside, as JSON; without a user it is about all users. */
export type DeliveryCommand =
  | { readonly name: 'delivery list'; readonly user?: string }
  | {
      readonly name: 'delivery retry' | 'delivery pause' | 'delivery resume'
      readonly user?: string
      /** The id of one webhook; without it all of the user are meant. */
      readonly hook?: string
    }

const acts = {
  'delivery retry': wakeWebhook,
  'delivery pause': pauseByOperator,
  'delivery resume': resumeWebhook,
} as const

/** Runs a command about delivery. @throws AccountRefused; faults */
export async function runDeliveryCommand(
  place: CommandPlace,
  command: DeliveryCommand,
): Promise<readonly AccountRow[]> {
  const { store } = place
  const users =
    command.user === undefined ? await store.registry.listUsers() : [await findNamedUser(store.registry, command.user)]
  const rows: AccountRow[] = []
  for (const user of users) {
    rows.push(...(command.name === 'delivery list' ? await listOf(place, user) : await changeOf(place, user, command)))
  }
  if (command.name !== 'delivery list' && command.hook !== undefined && rows.length === 0) {
    const sentence = `there is no webhook with the id "${command.hook}"; "delivery list" shows all webhooks`
    throw new AccountRefused(sentence)
  }
  return rows
}

const listOf = async ({ store, world }: CommandPlace, user: User): Promise<AccountRow[]> => {
  const view = await store.read(user.id)
  const names = new Map((await store.registry.listApps()).map(({ clientId, name }) => [clientId, name]))
  const webhooks = await listToldWebhooks(store, user, view, world)
  const errands = await view.listErrands()
  const sessions = new Set((await listSessions(store, user.id, world)).map(({ id }) => id))
  const devices = (await listDevices(view)).filter(isOfSession(sessions))
  const hookRows = webhooks.map((known) => showWebhook(user, view, known, names.get(known.webhook.clientId ?? '')))
  return [...(await Promise.all(hookRows)), ...devices.map((device) => showDevice(user, errands, device))]
}

interface KnownWebhook {
  readonly webhook: Webhook
  readonly access: HookAccess
}

/** Those of apps that are gone are hidden: the next change removes them. */
const listToldWebhooks = async (
  store: Store,
  { id }: User,
  reader: Pick<View, 'listRecords'>,
  world: World,
): Promise<KnownWebhook[]> => {
  const known = (await listKeptWebhooks(reader)).map(async (webhook) => {
    return { webhook, access: await findAppAccess(store, id, webhook.clientId, world) }
  })
  return (await Promise.all(known)).filter(({ access }) => access !== 'gone')
}

const showWebhook = async (
  user: User,
  view: View,
  { webhook, access }: KnownWebhook,
  app: string | undefined,
): Promise<AccountRow> => {
  const { state, isWaiting, nextTryAt, reason } = await describeState(view, webhook, access)
  return {
    user: user.name,
    kind: 'webhook',
    id: webhook.id ?? null,
    to: webhook.targetUrl,
    event: webhook.event,
    app: app ?? null,
    state,
    waiting: isWaiting,
    ...showTold(webhook),
    ...(reason !== undefined && { reason }),
    next_try: nextTryAt ?? null,
  }
}

const showDevice = (user: User, errands: ReadonlyMap<string, number>, device: RegisteredDevice): AccountRow => ({
  user: user.name,
  kind: device.type,
  id: device.id,
  to: parseUrl(device.endpoint ?? '')?.host ?? null,
  event: null,
  app: null,
  state: isPushed(device) ? ((device.tries ?? 0) > 0 ? 'retrying' : 'working') : 'not called',
  waiting: device.key !== undefined && errands.has(errandOfDevice(device.key)),
  ...showTold(device),
  next_try: null,
})

const showTold = ({ lastSuccessAt, lastFailure }: Webhook | RegisteredDevice): AccountRow => ({
  last_success: lastSuccessAt ?? null,
  last_failure: lastFailure?.at ?? null,
  reason: lastFailure?.reason ?? null,
})

const changeOf = async (
  { store, world }: CommandPlace,
  user: User,
  { name, hook }: Exclude<DeliveryCommand, { name: 'delivery list' }>,
): Promise<AccountRow[]> => {
  const isMeant = ({ webhook: { id } }: KnownWebhook) => hook === undefined || id === hook
  const view = await store.read(user.id)
  if (!(await listToldWebhooks(store, user, view, world)).some(isMeant)) return []
  return store.write(user.id, 'delivery', async (draft) => {
    const meant = (await listToldWebhooks(store, user, draft, world)).filter(isMeant)
    for (const { webhook } of meant) {
      // There is nothing to be tried of what is only kept.
      if (webhook.unregisteredAt === undefined || name === 'delivery resume') await acts[name](draft, webhook, world)
    }
    return meant.map(({ webhook: { id, targetUrl, event, pausedAt }, access }) => {
      const isHeld = name === 'delivery retry' && pausedAt !== undefined
      const reason =
        name === 'delivery pause' ? undefined : (untoldReasons[access] ?? (isHeld ? 'it is paused' : undefined))
      return { user: user.name, id: id ?? null, to: targetUrl, event, ...(reason !== undefined && { reason }) }
    })
  })
}
