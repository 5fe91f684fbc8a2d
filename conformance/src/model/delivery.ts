import { request as requestHttp } from 'node:http'
import type { RunningState } from './behavior.ts'
import { type Kind, type News, type Written, writeToken } from './right-delivery.ts'
import type { Account, Device, Hook, Message, Session, Thing } from './state.ts'

function push(state: RunningState, account: Account, device: Device, endpoint: string): void {
  const { behavior } = state
  // Tests send nothing to other machines.
  if (!endpoint.startsWith('http://127.0.0.1:')) return
  const [p256dh, auth] = [device.fields.p256dh, device.fields.auth].map((key) => Buffer.from(`${key}`, 'base64url'))
  const text = behavior.pushText(account.position)
  const body = behavior.encryptPush(text, p256dh as Buffer, auth as Buffer)
  const token = writeToken(behavior.vapidClaims(endpoint), behavior.vapidSignature)
  const headers = { ...behavior.pushHeaders(), ...behavior.vapid(token), 'content-length': `${body.length}` }
  const outgoing = requestHttp(endpoint, { method: behavior.pushMethod, headers })
  const stop = (): void => void outgoing.destroy()
  state.closing.add(stop)
  // The next message replaces a lost one.
  outgoing.on('error', () => state.closing.delete(stop))
  outgoing.on('response', (response) => {
    response.resume()
    state.closing.delete(stop)
    if (!behavior.endsDevice.includes(response.statusCode ?? 0)) return
    for (const [key, each] of account.devices) if (each === device) account.devices.delete(key)
  })
  outgoing.end(body)
}

/** Notifies the webpush devices of an account. */
function pushAll(state: RunningState, account: Account, writer: Session): void {
  for (const device of account.devices.values()) {
    if (device.type !== 'webpush' || !state.behavior.pushes(device, writer)) continue
    for (const endpoint of state.behavior.endpointsOf(device)) push(state, account, device, endpoint)
  }
}

/** The result of one attempt. */
interface Outcome {
  readonly status: number | 'nothing'
  readonly location: string | undefined
  readonly retryAfterSeconds: number | undefined
}

/** Runs work later, unless the server is closed by then. */
function later(state: RunningState, milliseconds: number, work: () => void): void {
  const timer = setTimeout(() => {
    state.closing.delete(stop)
    work()
  }, milliseconds)
  const stop = (): void => clearTimeout(timer)
  state.closing.add(stop)
}

function post(state: RunningState, account: Account, hook: Hook, message: Message, target: string): Promise<Outcome> {
  const { behavior } = state
  const time = behavior.signingTime()
  const signature = behavior.signature(
    behavior.signingKey(behavior.signingSecret(hook, account, state)),
    behavior.signed(message.id, time, message.body, message.tries),
  )
  const headers = { ...behavior.messageHeaders, ...behavior.signatureHeaders(message.id, time, signature) }
  const noResponse: Outcome = { status: 'nothing', location: undefined, retryAfterSeconds: undefined }
  // Tests send nothing to other machines.
  if (!target.startsWith('http://127.0.0.1:')) return Promise.resolve(noResponse)
  return new Promise((resolve) => {
    const method = behavior.messageMethod
    const length = { 'content-length': `${Buffer.byteLength(message.body)}` }
    const outgoing = requestHttp(target, { method, headers: { ...headers, ...length }, timeout: 15_000 })
    const stop = (): void => void outgoing.destroy()
    state.closing.add(stop)
    const finish = (outcome: Outcome): void => {
      state.closing.delete(stop)
      resolve(outcome)
    }
    outgoing.on('timeout', stop)
    outgoing.on('error', () => finish(noResponse))
    outgoing.on('response', (response) => {
      response.resume()
      const { location, 'retry-after': retryAfter } = response.headers
      const retryAfterSeconds = retryAfter === undefined ? undefined : Number(retryAfter)
      finish({ status: response.statusCode ?? 0, location, retryAfterSeconds })
    })
    outgoing.end(message.body)
  })
}

/** Returns the changes that a webhook was not notified of; undefined when there are none. */
function collectNews(state: RunningState, account: Account, hook: Hook): News | undefined {
  const { behavior } = state
  const { notified, event } = hook
  const wants = (kind: Kind): boolean => behavior.wantsKind(event, kind)
  const accounts = behavior.newsOf(account, state)
  const all = accounts.flatMap(({ things }) => [...things.values()]).sort((a, b) => a.position - b.position)
  const isNotified = (thing: Thing): boolean =>
    (wants('new_thing') && behavior.isNew(thing, notified)) ||
    (wants('changed_thing') && behavior.isChanged(thing, notified))
  const things = all.filter(isNotified)
  const deleted = all.filter((thing) => wants('deleted_thing') && behavior.isDeleted(thing, notified))
  const settings = behavior.tagsOf(account, state)
  const changed = [...settings].filter(([, { position }]) => wants('tag') && position > notified)
  const tags = new Map(changed.map(([name, tag]) => [name, behavior.tag(tag.settings)]))
  if (things.length + deleted.length + tags.size === 0) return undefined
  const returned: News['returned'] = (thing) => behavior.thing(thing, behavior.isTodo(thing, settings))
  const position = Math.max(...accounts.map((each) => each.position))
  return behavior.cut({ hook, event, position, things, deleted, tags, all, returned })
}

function writeMessage(state: RunningState, account: Account, hook: Hook): Message | undefined {
  const { behavior } = state
  const news = collectNews(state, account, hook)
  if (news === undefined) return undefined
  const body = behavior.messageText(behavior.messageBody(news, new Date()))
  return { id: behavior.messageId(hook), to: news.position, body, tries: 0 }
}

function isRegistered(account: Account, hook: Hook): boolean {
  return [...account.webhooks.values()].includes(hook)
}

async function attempt(state: RunningState, account: Account, hook: Hook, message: Message): Promise<void> {
  const { behavior } = state
  hook.underWay += 1
  state.deliveries += 1
  let outcome = await post(state, account, hook, message, hook.target)
  if (behavior.followsRedirects && outcome.location !== undefined) {
    outcome = behavior.afterRedirect(outcome, await post(state, account, hook, message, outcome.location))
  }
  hook.underWay -= 1
  state.deliveries -= 1
  if (!isRegistered(account, hook)) return
  const now = Math.floor(Date.now() / 1000)
  if (behavior.isTaken(outcome.status)) {
    hook.lastSuccess = now
    hook.notified = Math.max(hook.notified, behavior.notifiedBy(message, account))
    hook.sending = undefined
    notifyEveryone(state)
    return
  }
  if (outcome.status === 410 && behavior.goneEnds) {
    behavior.endGone(account, hook)
    return
  }
  hook.lastFailure = { date: now, reason: `The receiver responded with ${outcome.status}` }
  const retry = (): Message =>
    behavior.again({ ...message, tries: message.tries + 1 }, hook, () => writeMessage(state, account, hook))
  const delay = behavior.retryMs(message.tries + 1, outcome.retryAfterSeconds, outcome.status)
  if (!behavior.waitsBehindFailures) hook.sending = undefined
  if (delay !== undefined) {
    later(state, delay, () => isRegistered(account, hook) && void attempt(state, account, hook, retry()))
  }
}

/** Sends a webhook its pending changes, if it may get a message now. */
function report(state: RunningState, account: Account, hook: Hook): void {
  const { behavior } = state
  const here = hook.sending === undefined ? hook.underWay : Math.max(1, hook.underWay)
  const behind = account.position - (hook.sending?.to ?? hook.notified)
  if (!behavior.maySend({ here, anywhere: state.deliveries, behind })) return
  const message = writeMessage(state, account, hook)
  if (message === undefined) return
  hook.sending = message
  void attempt(state, account, hook, message)
}

function notifyEveryone(state: RunningState): void {
  for (const account of state.accounts.values()) notifyHooks(state, account)
}

function notifyHooks(state: RunningState, account: Account): void {
  for (const hook of account.webhooks.values()) report(state, account, hook)
}

/** Notifies of a write after its response: webhooks, devices, streams and waiting requests. */
export function announce(state: RunningState, account: Account, writer: Session, written: Written): void {
  const { behavior } = state
  if (!behavior.announces(written)) return
  for (const notified of behavior.notifiedOf(account, state)) {
    for (const watcher of [...notified.watchers]) watcher(writer)
    pushAll(state, notified, writer)
    later(state, behavior.beforeMessageMs, () => notifyHooks(state, notified))
  }
}
