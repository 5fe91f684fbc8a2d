import { request as requestHttp } from 'node:http'
import type { RunningWorld } from './behaviour.ts'
import { pushAll } from './push.ts'
import type { Kind, News, Written } from './right-delivery.ts'
import type { Account, Hook, Message, Session, Thing } from './world.ts'

/** What became of one try. */
interface Outcome {
  readonly status: number | 'nothing'
  readonly location: string | undefined
  readonly retryAfterSeconds: number | undefined
}

/** Does something later, unless the server is closed by then. */
function later(world: RunningWorld, milliseconds: number, work: () => void): void {
  const timer = setTimeout(() => {
    world.closing.delete(stop)
    work()
  }, milliseconds)
  const stop = (): void => clearTimeout(timer)
  world.closing.add(stop)
}

function post(world: RunningWorld, account: Account, hook: Hook, message: Message, target: string): Promise<Outcome> {
  const { behaviour } = world
  const time = behaviour.signingTime()
  const signature = behaviour.signature(
    behaviour.signingKey(behaviour.signingSecret(hook, account, world)),
    behaviour.signed(message.id, time, message.body, message.tries),
  )
  const headers = { ...behaviour.messageHeaders, ...behaviour.signatureHeaders(message.id, time, signature) }
  const nobody: Outcome = { status: 'nothing', location: undefined, retryAfterSeconds: undefined }
  // Tests send nothing to other machines.
  if (!target.startsWith('http://127.0.0.1:')) return Promise.resolve(nobody)
  return new Promise((resolve) => {
    const method = behaviour.messageMethod
    const length = { 'content-length': `${Buffer.byteLength(message.body)}` }
    const outgoing = requestHttp(target, { method, headers: { ...headers, ...length }, timeout: 15_000 })
    const stop = (): void => void outgoing.destroy()
    world.closing.add(stop)
    const finish = (outcome: Outcome): void => {
      world.closing.delete(stop)
      resolve(outcome)
    }
    outgoing.on('timeout', stop)
    outgoing.on('error', () => finish(nobody))
    outgoing.on('response', (response) => {
      response.resume()
      const { location, 'retry-after': retryAfter } = response.headers
      const retryAfterSeconds = retryAfter === undefined ? undefined : Number(retryAfter)
      finish({ status: response.statusCode ?? 0, location, retryAfterSeconds })
    })
    outgoing.end(message.body)
  })
}

/** What a webhook was not told yet; undefined when there is nothing. */
function collectNews(world: RunningWorld, account: Account, hook: Hook): News | undefined {
  const { behaviour } = world
  const { told, event } = hook
  const wants = (kind: Kind): boolean => behaviour.wantsKind(event, kind)
  const accounts = behaviour.newsOf(account, world)
  const all = accounts.flatMap(({ things }) => [...things.values()]).sort((a, b) => a.position - b.position)
  const isTold = (thing: Thing): boolean =>
    (wants('new_thing') && behaviour.isNew(thing, told)) || (wants('changed_thing') && behaviour.isChanged(thing, told))
  const things = all.filter(isTold)
  const deleted = all.filter((thing) => wants('deleted_thing') && behaviour.isDeleted(thing, told))
  const settings = behaviour.tagsOf(account, world)
  const changed = [...settings].filter(([, { position }]) => wants('tag') && position > told)
  const tags = new Map(changed.map(([name, tag]) => [name, behaviour.tag(tag.settings)]))
  if (things.length + deleted.length + tags.size === 0) return undefined
  const returned: News['returned'] = (thing) => behaviour.thing(thing, behaviour.isTodo(thing, settings))
  const position = Math.max(...accounts.map((each) => each.position))
  return behaviour.cut({ hook, event, position, things, deleted, tags, all, returned })
}

function writeMessage(world: RunningWorld, account: Account, hook: Hook): Message | undefined {
  const { behaviour } = world
  const news = collectNews(world, account, hook)
  if (news === undefined) return undefined
  const body = behaviour.messageText(behaviour.messageBody(news, new Date()))
  return { id: behaviour.messageId(hook), to: news.position, body, tries: 0 }
}

function isRegistered(account: Account, hook: Hook): boolean {
  return [...account.webhooks.values()].includes(hook)
}

async function attempt(world: RunningWorld, account: Account, hook: Hook, message: Message): Promise<void> {
  const { behaviour } = world
  hook.underWay += 1
  world.deliveries += 1
  let outcome = await post(world, account, hook, message, hook.target)
  if (behaviour.followsRedirects && outcome.location !== undefined) {
    outcome = behaviour.afterRedirect(outcome, await post(world, account, hook, message, outcome.location))
  }
  hook.underWay -= 1
  world.deliveries -= 1
  if (!isRegistered(account, hook)) return
  const now = Math.floor(Date.now() / 1000)
  if (behaviour.isTaken(outcome.status)) {
    hook.lastSuccess = now
    hook.told = Math.max(hook.told, behaviour.toldBy(message, account))
    hook.sending = undefined
    tellEveryone(world)
    return
  }
  if (outcome.status === 410 && behaviour.goneEnds) {
    behaviour.endGone(account, hook)
    return
  }
  hook.lastFailure = { date: now, reason: `The receiver answered ${outcome.status}` }
  const retry = (): Message =>
    behaviour.again({ ...message, tries: message.tries + 1 }, hook, () => writeMessage(world, account, hook))
  const delay = behaviour.retryMs(message.tries + 1, outcome.retryAfterSeconds, outcome.status)
  if (!behaviour.waitsBehindFailures) hook.sending = undefined
  if (delay !== undefined) {
    later(world, delay, () => isRegistered(account, hook) && void attempt(world, account, hook, retry()))
  }
}

/** Sends a webhook what it was not told yet, if it may get a message now. */
function tell(world: RunningWorld, account: Account, hook: Hook): void {
  const { behaviour } = world
  const here = hook.sending === undefined ? hook.underWay : Math.max(1, hook.underWay)
  const behind = account.position - (hook.sending?.to ?? hook.told)
  if (!behaviour.maySend({ here, anywhere: world.deliveries, behind })) return
  const message = writeMessage(world, account, hook)
  if (message === undefined) return
  hook.sending = message
  void attempt(world, account, hook, message)
}

function tellEveryone(world: RunningWorld): void {
  for (const account of world.accounts.values()) tellHooks(world, account)
}

function tellHooks(world: RunningWorld, account: Account): void {
  for (const hook of account.webhooks.values()) tell(world, account, hook)
}

/** Tells of a write, after its answer: webhooks, and whoever waits. */
export function announce(world: RunningWorld, account: Account, writer: Session, written: Written): void {
  const { behaviour } = world
  if (!behaviour.announces(written)) return
  for (const told of behaviour.toldOf(account, world)) {
    for (const watcher of [...told.watchers]) watcher(writer)
    pushAll(world, told, writer)
    later(world, behaviour.beforeMessageMs, () => tellHooks(world, told))
  }
}
