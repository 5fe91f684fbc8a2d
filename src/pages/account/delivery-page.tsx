import { findAppAccess } from '../../accounts/app-access.ts'
import { nameApps } from '../../accounts/apps.ts'
import { listSessions } from '../../accounts/sessions.ts'
import { describeState, untoldReasons } from '../../delivery/describe-state.ts'
import { isOfSession, isPushed, listDevices, unregisterDevice } from '../../delivery/devices.ts'
import {
  askForTest,
  findHandWait,
  listWebhooks,
  pauseWebhook,
  removeWebhook,
  replaceSecret,
  resumeWebhook,
  type Webhook,
  wakeWebhook,
} from '../../delivery/webhooks.ts'
import type { Draft } from '../../store/store.ts'
import type { World } from '../../world.ts'
import { Copyable, ShownSecret } from '../copy-parts.tsx'
import { Head, Note } from '../form-parts.tsx'
import { forSignedIn } from '../guards.ts'
import type { PageRoute, PageTools, SignedInRequest } from '../page.ts'
import { PageRefused } from '../page-refused.ts'
import { DeviceRow, deliveryPath, nameOfDevice, nameOfWebhook, WebhookRow } from './delivery-rows.tsx'

const done: Readonly<Record<string, string>> = {
  test: 'A test event is on its way. Load this page anew to see what became of it.',
  retry: 'It is tried again now. Load this page anew to see what became of it.',
  pause: 'It is paused: nothing is sent until you resume it, and nothing is lost.',
  resume: 'It is told again, at once what it has missed.',
  remove: 'It is removed.',
}

/** `/account/delivery`: who is told when something changes, and how that is going. */
export const deliveryPage: PageRoute = {
  path: deliveryPath,
  get: forSignedIn(async (request, { store, world, shownOnce }) => {
    const { userId } = request.signedIn
    const view = await store.read(userId)
    const [webhooks, all] = await Promise.all([listWebhooks(view), listDevices(view)])
    const names = await nameApps(
      store.registry,
      webhooks.map(({ clientId }) => clientId),
    )
    const sessions = await listSessions(store, userId, world)
    for (const { id, name = '', kind } of sessions) if (kind === 'token') names.set(id, `the access token ${name}`)
    const devices = all.filter(isOfSession(new Set(sessions.map(({ id }) => id))))
    const judged = webhooks.map(async (webhook) => {
      const access = await findAppAccess(store, userId, webhook.clientId, world)
      return { webhook, access, state: await describeState(view, webhook, access) }
    })
    // The next change removes those of apps that are gone.
    const rows = (await Promise.all(judged)).filter(({ access }) => access !== 'gone')
    const now = world.now()
    const sentence = done[request.query.get('done') ?? '']
    const secret = shownOnce.find(request, request.query.get('secret'))
    return {
      title: 'Webhooks and push',
      content: (
        <>
          <Head title="Webhooks and push">Addresses and devices that apps registered, told when things change.</Head>
          {sentence !== undefined && <Note kind="good">{sentence}</Note>}
          {secret !== undefined && (
            <ShownSecret title="The new secret of the webhook" isKept={true}>
              <Copyable label="The secret" text={secret} />
            </ShownSecret>
          )}
          <section class="sheet" aria-labelledby="hooks">
            <h2 id="hooks">Webhooks</h2>
            {rows.length === 0 && <p class="soft">No app registered one.</p>}
            <ul class="rows">
              {rows.map(({ webhook, state }) => (
                <WebhookRow
                  key={nameOfWebhook(webhook)}
                  request={request}
                  webhook={webhook}
                  state={state}
                  appName={names.get(webhook.clientId) ?? 'an app that is not known any more'}
                  now={now}
                />
              ))}
            </ul>
          </section>
          <section class="sheet" aria-labelledby="devices">
            <h2 id="devices">Push devices</h2>
            {devices.length === 0 && <p class="soft">No app registered one.</p>}
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
      const work = acts.get(act)
      if (work === undefined) throw new PageRefused('unknown')
      await changeWebhook(request, tools, async (draft, webhook) => {
        if (act === 'resume') refuseOperatorsPause(webhook)
        const isTry = act === 'test' || act === 'retry'
        if (isTry) await refuseUntold(request, tools, webhook)
        if (isTry) refuseHaste(webhook, tools.world)
        await work(draft, isTry ? { ...webhook, triedByHandAt: tools.world.now() } : webhook, tools.world)
      })
    }
    return { see: `${deliveryPath}?done=${act}` }
  }),
}

type WebhookAct = (draft: Draft, webhook: Webhook, world: World) => Promise<void>

const acts: ReadonlyMap<string, WebhookAct> = new Map<string, WebhookAct>([
  ['test', askForTest],
  ['retry', wakeWebhook],
  ['pause', pauseWebhook],
  ['resume', resumeWebhook],
  ['remove', removeWebhook],
])

const refuseOperatorsPause = ({ pausedBy }: Webhook): void => {
  if (pausedBy !== 'operator') return
  throw new PageRefused({
    status: 403,
    title: 'It was paused by the operator',
    happened: 'The operator of the server paused this webhook, so only the operator can resume it.',
    advice: 'Ask the person who runs the server. Nothing is lost until then.',
  })
}

const refuseHaste = (webhook: Webhook, world: World): void => {
  const seconds = findHandWait(webhook, world)
  if (seconds === 0) return
  const happened = `This webhook was just tried; again in ${seconds} s.`
  const advice = 'Wait a moment, then try again.'
  throw new PageRefused({ status: 429, title: 'Just tried', happened, advice }, { 'retry-after': String(seconds) })
}

const refuseUntold = async ({ signedIn }: SignedInRequest, { store, world }: PageTools, { clientId }: Webhook) => {
  const reason = untoldReasons[await findAppAccess(store, signedIn.userId, clientId, world)]
  if (reason === undefined) return
  throw new PageRefused({
    status: 409,
    title: 'Nothing is sent there now',
    happened: `Nothing is sent to this webhook while ${reason}.`,
    advice: 'Sign in with the app again; nothing is lost until then. Or remove the webhook.',
  })
}

const changeWebhook = <T,>(
  { form, signedIn }: SignedInRequest,
  { store }: PageTools,
  work: (draft: Draft, webhook: Webhook) => Promise<T>,
): Promise<T> =>
  store.write(signedIn.userId, signedIn.sessionId, async (draft) => {
    const webhook = (await listWebhooks(draft)).find((one) => nameOfWebhook(one) === form.get('webhook'))
    if (webhook === undefined) throw new PageRefused('unknown')
    return work(draft, webhook)
  })

const removeDevice = ({ form, signedIn }: SignedInRequest, { store }: PageTools): Promise<void> =>
  store.write(signedIn.userId, signedIn.sessionId, async (draft) => {
    const device = (await listDevices(draft)).find((one) => nameOfDevice(one) === form.get('device'))
    if (device === undefined || form.get('act') !== 'remove') throw new PageRefused('unknown')
    await unregisterDevice(draft, device)
  })

/** Gives a webhook a new secret. */
export const newWebhookSecretPage: PageRoute = {
  path: `${deliveryPath}/secret`,
  isSentOnce: true,
  post: forSignedIn(async (request, tools) => {
    const secret = await changeWebhook(request, tools, (draft, webhook) => replaceSecret(draft, webhook, tools.world))
    return { see: `${deliveryPath}?secret=${tools.shownOnce.keep(request, secret)}` }
  }),
}
