import { findAppAccess, nameApps } from '../../accounts/apps.ts'
import { maskInvisible } from '../../accounts/names.ts'
import { listSessions } from '../../accounts/session-management.ts'
import { isOfSession, isPushed, listDevices, type RegisteredDevice, unregisterDevice } from '../../delivery/devices.ts'
import type { Failure } from '../../delivery/subscriptions.ts'
import { describeWebhookState, suspendedReasons, type WebhookState } from '../../delivery/webhook-message.ts'
import {
  findManualRetryWait,
  listWebhooks,
  pauseWebhook,
  removeWebhook,
  replaceSecret,
  requestTestEvent,
  resumeWebhook,
  retryWebhook,
  type Webhook,
} from '../../delivery/webhooks.ts'
import type { Environment } from '../../environment.ts'
import type { Draft } from '../../store/store.ts'
import {
  Confirm,
  CopyField,
  copyScript,
  NewSecret,
  Notice,
  PageHeader,
  PostForm,
  RelativeTime,
} from '../components.tsx'
import type { PageRequest, PageRoute, PageTools, SignedInRequest } from '../page.ts'
import { PageError } from '../page-error.tsx'
import { forSignedIn } from '../signed-in.ts'

/** The target of all forms in the rows. */
const deliveryPath = '/account/delivery'

// The index of a row does not identify it, because another row may have taken it since.
const encodeName = (parts: readonly string[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url')

/** Builds the key by which forms name a webhook. */
const nameOfWebhook = ({ clientId, event, targetUrl }: Webhook): string => encodeName([clientId, event, targetUrl])

/** Builds the key by which forms name a device. */
const nameOfDevice = ({ clientId, type, id }: RegisteredDevice): string => encodeName([clientId, type, id])

interface Action {
  readonly request: PageRequest
  readonly kind: 'webhook' | 'device'
  readonly value: string
  /** The object of the action, for users of screen readers. */
  readonly about: string
  readonly act: string
  readonly label: string
  readonly isGrave?: boolean
}

const ActionForm = ({ request, kind, value, about, act, label, isGrave = false }: Action) => (
  <PostForm request={request} to={deliveryPath} class="">
    <input type="hidden" name={kind} value={value} />
    <button type="submit" name="act" value={act} class={isGrave ? 'grave' : ''}>
      {label}
      <span class="aside"> {about}</span>
    </button>
  </PostForm>
)

const LastDelivery = ({ success, failure, now }: { success?: number; failure?: Failure; now: number }) => (
  <>
    {success !== undefined && (
      <span>
        Last notified <RelativeTime seconds={success} now={now} />
      </span>
    )}
    {failure !== undefined && (
      <span>
        Last failure <RelativeTime seconds={failure.at} now={now} />: {failure.reason}
      </span>
    )}
    {success === undefined && failure === undefined && <span>Never notified</span>}
  </>
)

const stateTexts = {
  working: undefined,
  retrying: 'will be tried again',
  resting: 'suspended',
  paused: 'paused',
} as const

const PendingDelivery = ({ state, now }: { state: WebhookState; now: number }) => {
  if (state.reason !== undefined) {
    return <span>{`Nothing is sent while ${state.reason}${state.isWaiting ? '; notifications wait' : ''}`}</span>
  }
  if (!state.isWaiting) return null
  if (state.state === 'paused') return <span>Notifications wait until you resume the webhook</span>
  if (state.state === 'resting') return <span>Suspended after too many failures; notifications wait</span>
  if (state.nextTryAt === undefined) return <span>A notification is being sent</span>
  return (
    <span>
      Notifications wait; next try <RelativeTime seconds={state.nextTryAt} now={now} />
    </span>
  )
}

/** The row of a webhook: its app, its state and its actions. */
const WebhookRow = ({
  request,
  webhook,
  state,
  appName,
  now,
}: {
  readonly request: PageRequest
  readonly webhook: Webhook
  readonly state: WebhookState
  readonly appName: string
  readonly now: number
}) => {
  const acting = {
    request,
    kind: 'webhook',
    value: nameOfWebhook(webhook),
    about: maskInvisible(webhook.targetUrl),
  } as const
  const { lastSuccessAt: success, lastFailure: failure } = webhook
  const last = { ...(success === undefined ? {} : { success }), ...(failure === undefined ? {} : { failure }) }
  const mayTry = state.reason === undefined && (state.state === 'retrying' || state.state === 'resting')
  return (
    <li>
      <div class="what">
        <strong>
          {maskInvisible(webhook.targetUrl)} <i class="tag">{webhook.event}</i>
          {stateTexts[state.state] !== undefined && <i class="tag">{stateTexts[state.state]}</i>}
        </strong>
        <span>By {appName}</span>
        <LastDelivery {...last} now={now} />
        <PendingDelivery state={state} now={now} />
      </div>
      <div class="acts">
        {state.reason === undefined && <ActionForm {...acting} act="test" label="Send a test event" />}
        {mayTry && <ActionForm {...acting} act="retry" label="Try again now" />}
        {webhook.pausedBy === 'administrator' ? (
          <span>Paused by the administrator of the server</span>
        ) : state.state === 'paused' ? (
          <ActionForm {...acting} act="resume" label="Resume" />
        ) : (
          <ActionForm {...acting} act="pause" label="Pause" />
        )}
        <Confirm summary="New secret…" isGrave={false} about={maskInvisible(webhook.targetUrl)}>
          <PostForm request={request} to={`${deliveryPath}/secret`}>
            <input type="hidden" name="webhook" value={acting.value} />
            <p>For one day, the server also signs requests with the old secret, so that you can update the receiver.</p>
            <div class="buttons">
              <button type="submit">Create a new secret</button>
            </div>
          </PostForm>
        </Confirm>
        <ActionForm {...acting} act="remove" label="Remove" isGrave={true} />
      </div>
    </li>
  )
}

/** The row of a device: it receives push messages, or is stored for an app that polls. */
const DeviceRow = ({
  request,
  device,
  isPushed,
  now,
}: {
  readonly request: PageRequest
  readonly device: RegisteredDevice
  readonly isPushed: boolean
  readonly now: number
}) => {
  const { lastSuccessAt: success, lastFailure: failure } = device
  const last = { ...(success === undefined ? {} : { success }), ...(failure === undefined ? {} : { failure }) }
  return (
    <li>
      <div class="what">
        <strong>
          {maskInvisible(device.id)} <i class="tag">{maskInvisible(device.type)}</i>
        </strong>
        {device.endpoint !== undefined && <span>{new URL(device.endpoint).host}</span>}
        {device.registeredAt !== undefined && (
          <span>
            Registered <RelativeTime seconds={device.registeredAt} now={now} />
          </span>
        )}
        {isPushed ? (
          <LastDelivery {...last} now={now} />
        ) : (
          <span>This server does not support push messages to this type of device</span>
        )}
      </div>
      <div class="acts">
        <ActionForm
          request={request}
          kind="device"
          value={nameOfDevice(device)}
          about={maskInvisible(device.id)}
          act="remove"
          label="Remove"
          isGrave={true}
        />
      </div>
    </li>
  )
}

const deliveryDone: Readonly<Record<string, string>> = {
  test: 'A test event is being sent. Reload this page to see the result.',
  retry: 'The server tries again now. Reload this page to see the result.',
  pause: 'The webhook is paused. Notifications wait until you resume it.',
  resume: 'The webhook is resumed. The server sends all missed changes now.',
  remove: 'The registration is removed.',
}

/** `/account/delivery`: the webhooks and devices that the server notifies of changes, and the state of the delivery. */
export const deliveryPage: PageRoute = {
  path: deliveryPath,
  get: forSignedIn(async (request, { store, environment, oneTimeSecrets }) => {
    const { userId } = request.signedIn
    const view = await store.read(userId)
    const [webhooks, all] = await Promise.all([listWebhooks(view), listDevices(view)])
    const names = await nameApps(
      store.registry,
      webhooks.map(({ clientId }) => clientId),
    )
    const sessions = await listSessions(store, userId, environment)
    for (const { id, name = '', kind } of sessions) if (kind === 'token') names.set(id, `the access token ${name}`)
    const devices = all.filter(isOfSession(new Set(sessions.map(({ id }) => id))))
    const described = webhooks.map(async (webhook) => {
      const access = await findAppAccess(store, userId, webhook.clientId, environment)
      return { webhook, access, state: await describeWebhookState(view, webhook, access) }
    })
    // The next change of the account removes the entries of removed apps.
    const rows = (await Promise.all(described)).filter(({ access }) => access !== 'revoked')
    const now = environment.now()
    const sentence = deliveryDone[request.query.get('done') ?? '']
    const secret = oneTimeSecrets.find(request, request.query.get('secret'))
    return {
      title: 'Webhooks and push',
      ...(secret === undefined ? {} : { script: copyScript }),
      content: (
        <>
          <PageHeader title="Webhooks and push">
            URLs and devices that apps registered. The server notifies them of changes.
          </PageHeader>
          {sentence !== undefined && <Notice kind="good">{sentence}</Notice>}
          {secret !== undefined && (
            <NewSecret title="New secret of the webhook" isStored={true}>
              <CopyField label="The secret" text={secret} />
            </NewSecret>
          )}
          <section class="sheet" aria-labelledby="hooks">
            <h2 id="hooks">Webhooks</h2>
            {rows.length === 0 && <p class="soft">None registered.</p>}
            <ul class="rows">
              {rows.map(({ webhook, state }) => (
                <WebhookRow
                  key={nameOfWebhook(webhook)}
                  request={request}
                  webhook={webhook}
                  state={state}
                  appName={names.get(webhook.clientId) ?? 'a removed app'}
                  now={now}
                />
              ))}
            </ul>
          </section>
          <section class="sheet" aria-labelledby="devices">
            <h2 id="devices">Push devices</h2>
            {devices.length === 0 && <p class="soft">None registered.</p>}
            <ul class="rows">
              {devices.map((device) => (
                <DeviceRow
                  key={nameOfDevice(device)}
                  request={request}
                  device={device}
                  isPushed={isPushed(device)}
                  now={now}
                />
              ))}
            </ul>
          </section>
        </>
      ),
    }
  }),
  post: forSignedIn(async (request, tools) => {
    const act = request.form.get('act') ?? ''
    if (request.form.has('device')) await removeDevice(request, tools)
    else {
      const work = actions.get(act)
      if (work === undefined) throw new PageError('unknown')
      await changeWebhook(request, tools, async (draft, webhook) => {
        if (act === 'resume') rejectOperatorPause(webhook)
        const isTry = act === 'test' || act === 'retry'
        if (isTry) await rejectSuspended(request, tools, webhook)
        if (isTry) rejectTooSoon(webhook, tools.environment)
        await work(draft, isTry ? { ...webhook, triedByHandAt: tools.environment.now() } : webhook, tools.environment)
      })
    }
    return { see: `${deliveryPath}?done=${act}` }
  }),
}

type WebhookAct = (draft: Draft, webhook: Webhook, environment: Environment) => Promise<void>

const actions: ReadonlyMap<string, WebhookAct> = new Map<string, WebhookAct>([
  ['test', requestTestEvent],
  ['retry', retryWebhook],
  ['pause', pauseWebhook],
  ['resume', resumeWebhook],
  ['remove', removeWebhook],
])

const rejectOperatorPause = ({ pausedBy }: Webhook): void => {
  if (pausedBy !== 'administrator') return
  throw new PageError({
    status: 403,
    title: 'Paused by the administrator',
    happened: 'The administrator of the server paused this webhook, so only the administrator can resume it.',
    advice: 'Ask the administrator of the server. Notifications wait until then.',
  })
}

const rejectTooSoon = (webhook: Webhook, environment: Environment): void => {
  const seconds = findManualRetryWait(webhook, environment)
  if (seconds === 0) return
  const happened = `The server tried this webhook a moment ago. You can try again in ${seconds} s.`
  const advice = 'Wait a moment, then try again.'
  throw new PageError(
    { status: 429, title: 'Tried a moment ago', happened, advice },
    { 'retry-after': String(seconds) },
  )
}

const rejectSuspended = async (
  { signedIn }: SignedInRequest,
  { store, environment }: PageTools,
  { clientId }: Webhook,
) => {
  const reason = suspendedReasons[await findAppAccess(store, signedIn.userId, clientId, environment)]
  if (reason === undefined) return
  throw new PageError({
    status: 409,
    title: 'This webhook is inactive',
    happened: `Nothing is sent to this webhook while ${reason}.`,
    advice: 'Sign in with the app again to receive the waiting notifications, or remove the webhook.',
  })
}

const changeWebhook = <T,>(
  { form, signedIn }: SignedInRequest,
  { store }: PageTools,
  work: (draft: Draft, webhook: Webhook) => Promise<T>,
): Promise<T> =>
  store.write(signedIn.userId, signedIn.sessionId, async (draft) => {
    const webhook = (await listWebhooks(draft)).find((one) => nameOfWebhook(one) === form.get('webhook'))
    if (webhook === undefined) throw new PageError('unknown')
    return work(draft, webhook)
  })

const removeDevice = ({ form, signedIn }: SignedInRequest, { store }: PageTools): Promise<void> =>
  store.write(signedIn.userId, signedIn.sessionId, async (draft) => {
    const device = (await listDevices(draft)).find((one) => nameOfDevice(one) === form.get('device'))
    if (device === undefined || form.get('act') !== 'remove') throw new PageError('unknown')
    await unregisterDevice(draft, device)
  })

/** Gives a webhook a new secret. */
export const newWebhookSecretPage: PageRoute = {
  path: `${deliveryPath}/secret`,
  isDeduplicated: true,
  post: forSignedIn(async (request, tools) => {
    const secret = await changeWebhook(request, tools, (draft, webhook) =>
      replaceSecret(draft, webhook, tools.environment),
    )
    return { see: `${deliveryPath}?secret=${tools.oneTimeSecrets.seal(request, secret)}` }
  }),
}
