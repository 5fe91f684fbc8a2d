import { listApps } from '../../accounts/apps.ts'
import {
  listDevices,
  listWebhooks,
  type RegisteredDevice,
  unregisterDevice,
  unregisterWebhook,
  type Webhook,
} from '../../things/subscriptions.ts'
import { Head, Note, PostForm } from '../form-parts.tsx'
import { forSignedIn } from '../guards.ts'
import type { PageRequest, PageRoute } from '../page.ts'
import { PageRefused } from '../page-refused.ts'
import { When } from '../show-time.tsx'

const path = '/account/delivery'

// The place of a row is no name for it: another may have taken it meanwhile.
const keyOf = (parts: readonly string[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url')
const keyOfWebhook = ({ clientId = '', event, targetUrl }: Webhook): string => keyOf([clientId, event, targetUrl])
const keyOfDevice = ({ type, id }: RegisteredDevice): string => keyOf([type, id])

const Remove = ({
  request,
  kind,
  value,
  name,
}: {
  request: PageRequest
  kind: string
  value: string
  name: string
}) => (
  <PostForm request={request} to={path} class="">
    <input type="hidden" name={kind} value={value} />
    <button type="submit" class="grave">
      Remove<span class="aside"> {name}</span>
    </button>
  </PostForm>
)

/** `/account/delivery`: who is to be told when something changes. */
export const deliveryPage: PageRoute = {
  path,
  get: forSignedIn(async (request, { store, world }) => {
    const view = await store.read(request.signedIn.userId)
    const [hooks, devices, apps] = await Promise.all([listWebhooks(view), listDevices(view), listApps(store)])
    const names = new Map(apps.map(({ clientId, name }) => [clientId, name]))
    const now = world.now()
    return {
      title: 'Webhooks and push',
      content: (
        <>
          <Head title="Webhooks and push">
            Addresses and devices that apps registered, to be told when things change.
          </Head>
          {request.query.get('done') === 'removed' && <Note kind="good">It is removed.</Note>}
          <Note kind="heed">
            This version of the server keeps what is registered and does not call anybody yet: so there is no last
            success and no last failure.
          </Note>
          <section class="sheet" aria-labelledby="hooks">
            <h2 id="hooks">Webhooks</h2>
            {hooks.length === 0 && <p class="soft">No app registered one.</p>}
            <ul class="rows">
              {hooks.map((hook) => (
                <li key={keyOfWebhook(hook)}>
                  <div class="what">
                    <strong>
                      {hook.targetUrl} <i class="tag">{hook.event}</i>
                    </strong>
                    <span>By {names.get(hook.clientId ?? '') ?? 'an app that is not known any more'}</span>
                    <span>Never called</span>
                  </div>
                  <div class="acts">
                    <Remove request={request} kind="webhook" value={keyOfWebhook(hook)} name={hook.targetUrl} />
                  </div>
                </li>
              ))}
            </ul>
          </section>
          <section class="sheet" aria-labelledby="devices">
            <h2 id="devices">Push devices</h2>
            {devices.length === 0 && <p class="soft">No app registered one.</p>}
            <ul class="rows">
              {devices.map((device) => (
                <li key={keyOfDevice(device)}>
                  <div class="what">
                    <strong>
                      {device.id} <i class="tag">{device.type}</i>
                    </strong>
                    {device.endpoint !== undefined && <span>{new URL(device.endpoint).host}</span>}
                    {device.registeredAt !== undefined && (
                      <span>
                        Registered <When seconds={device.registeredAt} now={now} />
                      </span>
                    )}
                    <span>Never called</span>
                  </div>
                  <div class="acts">
                    <Remove request={request} kind="device" value={keyOfDevice(device)} name={device.id} />
                  </div>
                </li>
              ))}
            </ul>
          </section>
        </>
      ),
    }
  }),
  post: forSignedIn(async ({ form, signedIn }, { store }) => {
    const { userId, sessionId } = signedIn
    const view = await store.read(userId)
    const hook = (await listWebhooks(view)).find((one) => keyOfWebhook(one) === form.get('webhook'))
    const device = (await listDevices(view)).find((one) => keyOfDevice(one) === form.get('device'))
    if (hook === undefined && device === undefined) throw new PageRefused('unknown')
    await store.write(userId, sessionId, async (draft) => {
      if (hook !== undefined) await unregisterWebhook(draft, { ...hook, clientId: hook.clientId ?? '' })
      if (device !== undefined) await unregisterDevice(draft, device)
    })
    return { see: `${path}?done=removed` }
  }),
}
