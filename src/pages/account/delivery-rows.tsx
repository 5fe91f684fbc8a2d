import { showSeen } from '../../accounts/unseen-characters.ts'
import type { WebhookState } from '../../delivery/describe-state.ts'
import type { RegisteredDevice } from '../../delivery/devices.ts'
import type { Failure } from '../../delivery/records.ts'
import type { Webhook } from '../../delivery/webhooks.ts'
import { Confirm, PostForm } from '../form-parts.tsx'
import type { PageRequest } from '../page.ts'
import { When } from '../show-time.tsx'

/** The page that all forms of the rows lead to. */
export const deliveryPath = '/account/delivery'

// The place of a row is no name for it: another may have taken it meanwhile.
const nameOf = (parts: readonly string[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url')

/** How forms name a webhook. */
export const nameOfWebhook = ({ clientId, event, targetUrl }: Webhook): string => nameOf([clientId, event, targetUrl])

/** How forms name a device. */
export const nameOfDevice = ({ clientId, type, id }: RegisteredDevice): string => nameOf([clientId, type, id])

interface Act {
  readonly request: PageRequest
  readonly kind: 'webhook' | 'device'
  readonly value: string
  /** What it concerns, for those who hear the page. */
  readonly about: string
  readonly act: string
  readonly label: string
  readonly isGrave?: boolean
}

const ActForm = ({ request, kind, value, about, act, label, isGrave = false }: Act) => (
  <PostForm request={request} to={deliveryPath} class="">
    <input type="hidden" name={kind} value={value} />
    <button type="submit" name="act" value={act} class={isGrave ? 'grave' : ''}>
      {label}
      <span class="aside"> {about}</span>
    </button>
  </PostForm>
)

const Told = ({ success, failure, now }: { success?: number; failure?: Failure; now: number }) => (
  <>
    {success !== undefined && (
      <span>
        Last told <When seconds={success} now={now} />
      </span>
    )}
    {failure !== undefined && (
      <span>
        Last failure <When seconds={failure.at} now={now} />: {failure.reason}
      </span>
    )}
    {success === undefined && failure === undefined && <span>Never called</span>}
  </>
)

const states = {
  working: undefined,
  retrying: 'is tried again',
  resting: 'rests',
  paused: 'paused',
} as const

const Waiting = ({ state, now }: { state: WebhookState; now: number }) => {
  if (state.reason !== undefined) {
    return <span>{`Nothing is sent while ${state.reason}${state.isWaiting ? '; something waits' : ''}`}</span>
  }
  if (!state.isWaiting) return null
  if (state.state === 'paused') return <span>Something waits until you resume it</span>
  if (state.state === 'resting') return <span>Something waits; it failed too often, and is not tried any more</span>
  if (state.nextTryAt === undefined) return <span>Something is on its way</span>
  return (
    <span>
      Something waits; next try <When seconds={state.nextTryAt} now={now} />
    </span>
  )
}

/** A webhook: who registered it, how it is going, and what can be done with it. */
export const WebhookRow = ({
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
    about: showSeen(webhook.targetUrl),
  } as const
  const { lastSuccessAt: success, lastFailure: failure } = webhook
  const told = { ...(success === undefined ? {} : { success }), ...(failure === undefined ? {} : { failure }) }
  const mayTry = state.reason === undefined && (state.state === 'retrying' || state.state === 'resting')
  return (
    <li>
      <div class="what">
        <strong>
          {showSeen(webhook.targetUrl)} <i class="tag">{webhook.event}</i>
          {states[state.state] !== undefined && <i class="tag">{states[state.state]}</i>}
        </strong>
        <span>By {appName}</span>
        <Told {...told} now={now} />
        <Waiting state={state} now={now} />
      </div>
      <div class="acts">
        {state.reason === undefined && <ActForm {...acting} act="test" label="Send a test event" />}
        {mayTry && <ActForm {...acting} act="retry" label="Try again now" />}
        {webhook.pausedBy === 'operator' ? (
          <span>Paused by the operator of the server</span>
        ) : state.state === 'paused' ? (
          <ActForm {...acting} act="resume" label="Resume" />
        ) : (
          <ActForm {...acting} act="pause" label="Pause" />
        )}
        <Confirm summary="New secret…" about={showSeen(webhook.targetUrl)}>
          <PostForm request={request} to={`${deliveryPath}/secret`}>
            <input type="hidden" name="webhook" value={acting.value} />
            <p>For a day calls are signed with the old secret too, so that the receiver can change without a gap.</p>
            <div class="buttons">
              <button type="submit">Make a new secret</button>
            </div>
          </PostForm>
        </Confirm>
        <ActForm {...acting} act="remove" label="Remove" isGrave={true} />
      </div>
    </li>
  )
}

/** A device that is told by push, or that is kept for an app which asks. */
export const DeviceRow = ({
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
  const told = { ...(success === undefined ? {} : { success }), ...(failure === undefined ? {} : { failure }) }
  return (
    <li>
      <div class="what">
        <strong>
          {showSeen(device.id)} <i class="tag">{showSeen(device.type)}</i>
        </strong>
        {device.endpoint !== undefined && <span>{new URL(device.endpoint).host}</span>}
        {device.registeredAt !== undefined && (
          <span>
            Registered <When seconds={device.registeredAt} now={now} />
          </span>
        )}
        {isPushed ? <Told {...told} now={now} /> : <span>This server does not call devices of this kind</span>}
      </div>
      <div class="acts">
        <ActForm
          request={request}
          kind="device"
          value={nameOfDevice(device)}
          about={showSeen(device.id)}
          act="remove"
          label="Remove"
          isGrave={true}
        />
      </div>
    </li>
  )
}
