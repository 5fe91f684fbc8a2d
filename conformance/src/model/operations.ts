import type { ServerResponse } from 'node:http'
import { findParameter, type Reply, type RunningExchange } from './behavior.ts'
import { announce } from './delivery.ts'
import { countParameter, readBoolean, readNumber, textParameter, throwError } from './request.ts'
import {
  type Account,
  createThing,
  type Hook,
  type Json,
  type JsonObject,
  type Session,
  type Thing,
  type Watcher,
} from './state.ts'
import { addThing, completeFields, readFields, respondToSync } from './sync.ts'

function partsOf({ account, session }: RunningExchange): { account: Account; session: Session } {
  if (account === undefined || session === undefined) throw new Error('this needs a session')
  return { account, session }
}

/** Takes a slot for a waiting request, and returns a function that frees it. */
function takeSlot({ state }: RunningExchange, session: Session): () => void {
  const { behavior } = state
  const counted = behavior.countsWaiting(state.sessions, session)
  const waiting = counted.reduce((sum, each) => sum + each.waiting, 0)
  if (waiting >= behavior.maxWaiting) throw behavior.tooManyWaiting()
  session.waiting += 1
  return () => {
    if (behavior.forgetsWaiting) session.waiting -= 1
  }
}

/** sync/events: the position at once and after each change of another session (contract, delivery). */
function respondWithEvents(exchange: RunningExchange): Reply {
  const { state, disconnected, lastEventId } = exchange
  const { behavior } = state
  const { account, session } = partsOf(exchange)
  const freeSlot = takeSlot(exchange, session)
  const stream = (response: ServerResponse): void => {
    const write = (isFirst: boolean): void => void response.write(behavior.event(account.position, isFirst))
    const watcher: Watcher = (writer) => {
      if (behavior.notifies(session, writer, account)) write(false)
    }
    const look = setInterval(() => {
      if (session.revoked) response.end()
    }, behavior.tokenLookMs || 1_000_000)
    const stop = (): void => {
      clearInterval(look)
      account.watchers.delete(watcher)
      state.closing.delete(stop)
    }
    state.closing.add(stop)
    disconnected.addEventListener('abort', () => {
      stop()
      freeSlot()
    })
    response.flushHeaders()
    response.write(':\n\n')
    if (behavior.notifiesAtOnce(lastEventId)) write(true)
    behavior.addWatcher(account, watcher)
  }
  return { status: 200, headers: behavior.streamHeaders, body: '', stream }
}

/** Long polling: delays the response to a sync with `wait` while nothing is after `from` (contract, delivery). */
async function waitForNews(exchange: RunningExchange): Promise<void> {
  const { state, disconnected, parameters, method } = exchange
  const { behavior } = state
  const { account, session } = partsOf(exchange)
  const wait = findParameter(parameters, 'wait')
  if (wait === undefined || method !== 'GET' || !behavior.readsWait) return
  const seconds = readNumber(state, wait, 'wait') ?? 0
  if (!behavior.isGoodWait(seconds)) throwError(state, 'wait-invalid', 'wait is a whole number from 1 to 60')
  const from = readNumber(state, findParameter(parameters, 'from'), 'from')
  if (!behavior.holdsBack(account, from)) return
  const freeSlot = takeSlot(exchange, session)
  await new Promise<void>((resolve) => {
    const watcher: Watcher = (writer) => {
      if (behavior.notifies(session, writer, account)) finish()
    }
    const finish = (): void => {
      clearTimeout(timer)
      account.watchers.delete(watcher)
      state.closing.delete(finish)
      resolve()
    }
    const timer = setTimeout(finish, behavior.waitMs(seconds))
    state.closing.add(finish)
    disconnected.addEventListener('abort', finish)
    behavior.addWatcher(account, watcher)
  })
  freeSlot()
}

/** sync, with long polling. */
export async function respondToWaitingSync(exchange: RunningExchange): Promise<Reply> {
  await waitForNews(exchange)
  return respondToSync(exchange)
}

/** An operation: its methods and its handler. */
interface Operation {
  readonly methods: readonly string[]
  readonly respond: (exchange: RunningExchange) => Reply | Promise<Reply>
}

function ok(body: Json): Reply {
  return { status: 200, headers: {}, body }
}

/** Reads the key of a webhook of the requesting application. */
function readHook(exchange: RunningExchange): Pick<Hook, 'target' | 'event' | 'clientId'> {
  const { behavior } = exchange.state
  const target = textParameter(exchange, 'target_url') ?? ''
  const event = textParameter(exchange, 'event') ?? ''
  if (!/^https?:\/\/\S+$/i.test(target) || !URL.canParse(target)) {
    throwError(exchange.state, 'target-invalid', 'target_url is no URL')
  }
  const { events } = behavior
  if (!events.includes(event)) throwError(exchange.state, 'event-invalid', `event is none of ${events.join(', ')}`)
  return { target, event, clientId: partsOf(exchange).session.clientId }
}

function register(exchange: RunningExchange): Reply {
  const { state } = exchange
  const { behavior } = state
  const { account } = partsOf(exchange)
  const named = readHook(exchange)
  if (URL.canParse(named.target)) {
    const { username, password } = new URL(named.target)
    const hasCredentials = username + password !== '' && !behavior.takesCredentials
    if (hasCredentials || behavior.isForbidden(named.target)) {
      throwError(state, 'target-forbidden', 'target_url is no public URL without credentials')
    }
  }
  const key = behavior.hookKey(named)
  const known = behavior.knownHook(account, key, state)
  if (known !== undefined) return ok(behavior.registered(undefined, known))
  if (account.webhooks.size >= behavior.maxHooks) throwError(state, 'hooks-many', 'a user has at most 20 webhooks')
  const delivery = { notified: behavior.notifiedAtFirst(account), sending: undefined, underWay: 0 }
  const times = { registeredAt: Math.floor(Date.now() / 1000), lastSuccess: undefined, lastFailure: undefined }
  const bare = { ...named, ...delivery, ...times }
  const hook: Hook = { ...bare, secret: behavior.newSecret(account, bare, state) }
  account.webhooks.set(key, hook)
  return ok(behavior.registered(hook.secret, hook))
}

function unregister(exchange: RunningExchange): Reply {
  const { behavior } = exchange.state
  const { account } = partsOf(exchange)
  const named = readHook(exchange)
  for (const { webhooks } of behavior.endsUnregistered ? behavior.unregisters(account, exchange.state) : []) {
    for (const [key, hook] of webhooks) if (behavior.isSelected(hook, named)) webhooks.delete(key)
  }
  return ok({ unregistered: true })
}

function listHooks(exchange: RunningExchange): Reply {
  const { behavior } = exchange.state
  const { account, session } = partsOf(exchange)
  return ok(behavior.listedHooks(account, session.clientId, exchange.state).map(behavior.listedHook))
}

const webpush = ['endpoint', 'p256dh', 'auth']

function device(exchange: RunningExchange, registers: boolean): Reply {
  const { state } = exchange
  const { behavior } = state
  const { account, session } = partsOf(exchange)
  const isPush = textParameter(exchange, 'type') === 'webpush'
  const required = ['type', 'id', ...(isPush && registers ? webpush : [])]
  for (const name of required) {
    if (!textParameter(exchange, name)) throwError(state, 'device-invalid', `${name} is required`)
  }
  const read = (name: string): string => textParameter(exchange, name) ?? ''
  const fields = Object.fromEntries(webpush.map((name) => [name, read(name)]))
  const wrong = isPush && registers ? behavior.wrongDevice(fields) : undefined
  if (wrong !== undefined) throwError(state, 'device-keys-invalid', `${wrong} is not what Web Push has`)
  const created = { type: read('type'), id: read('id'), fields, session }
  const key = behavior.deviceOwner(created)
  if (registers) account.devices.set(key, created)
  else if (behavior.forgetsDevices) account.devices.delete(key)
  return ok(registers ? behavior.registeredDevice(created) : { unregistered: true })
}

function listDevices(exchange: RunningExchange): Reply {
  const { behavior } = exchange.state
  const { account, session } = partsOf(exchange)
  const listed = behavior.listedDevices(account, session.clientId, exchange.state)
  return ok(listed.map((each) => behavior.listedDevice(each, session)))
}

const maxPages = 6

/** Reads what the page says, in the spelling of the suite's pages. */
function readPage({ behavior }: RunningExchange['state'], bytes: Buffer, type: string, url: string): JsonObject {
  const charsetOf = (text: string): string | undefined => /charset=["']?([\w-]+)/i.exec(text)?.[1]
  const charset = behavior.pageCharset(charsetOf(type), charsetOf(bytes.toString('latin1')))
  const html = new TextDecoder(charset).decode(bytes)
  const read = (pattern: RegExp): string => behavior.joinLines(behavior.decodeEntities(pattern.exec(html)?.[1] ?? ''))
  const canonical = read(/<link rel="canonical" href="([^"]*)"/)
  return behavior.preview({
    title: read(/<title>([^<]*)</),
    description: read(/<meta name="description" content="([^"]*)"/),
    canonical_url: canonical === '' ? '' : behavior.resolveCanonical(canonical, url),
    site_name: read(/<meta property="og:site_name" content="([^"]*)"/),
  })
}

async function previewLink(exchange: RunningExchange): Promise<Reply> {
  const { state, authorization = '' } = exchange
  const { behavior } = state
  let url = textParameter(exchange, 'url') ?? ''
  const isPage = /^https?:\/\/[^@]+$/.test(url) && URL.canParse(url)
  if (behavior.checksPageUrl && !isPage) throwError(state, 'page-url-invalid', 'url is no URL of a page')
  if (isPage && behavior.isForbidden(url)) throwError(state, 'page-url-invalid', 'url leads to another network')
  let from = ''
  let cookie = ''
  // Tests send nothing to other machines.
  for (let pages = 0; pages < maxPages && url.startsWith('http://127.0.0.1:'); pages += 1) {
    const headers = behavior.previewHeaders(from, cookie, authorization)
    const response = await fetch(url, { method: behavior.previewMethod, headers, redirect: 'manual' })
    const bytes = Buffer.from(await response.arrayBuffer())
    const location = behavior.followsPageRedirects ? response.headers.get('location') : null
    if (location === null) {
      if (!response.ok && behavior.checksPageStatus) break
      return ok(readPage(state, bytes, response.headers.get('content-type') ?? '', url))
    }
    from = url
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
    url = new URL(location, url).href
    if (pages === maxPages - 1 && behavior.endlessPage !== undefined) return ok(behavior.endlessPage)
  }
  throwError(state, 'page-unavailable', 'the page cannot be read')
  return ok({})
}

const registerDevice: Operation = { methods: ['POST'], respond: (exchange) => device(exchange, true) }
const unregisterDevice: Operation = { methods: ['POST'], respond: (exchange) => device(exchange, false) }

/** The operations by which clients register for changes, by path. */
const notifications: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['sync/events', { methods: ['GET'], respond: respondWithEvents }],
  ['webhook/register', { methods: ['POST'], respond: register }],
  ['webhook/unregister', { methods: ['POST'], respond: unregister }],
  ['webhook/list', { methods: ['GET'], respond: listHooks }],
  ['register/device', registerDevice],
  ['device/register', registerDevice],
  ['unregister/device', unregisterDevice],
  ['device/unregister', unregisterDevice],
  ['device/list', { methods: ['GET'], respond: listDevices }],
  [
    'device/key',
    { methods: ['GET'], respond: ({ state }: RunningExchange) => ok({ key: state.behavior.deviceKey(state) }) },
  ],
])

function accountOf({ account }: RunningExchange): Account {
  if (account === undefined) throw new Error('the operation needs a session')
  return account
}

function returned(exchange: RunningExchange, thing: Thing): JsonObject {
  const { behavior } = exchange.state
  const tags = behavior.tagsOf(accountOf(exchange), exchange.state)
  return behavior.thing(thing, behavior.isTodo(thing, tags)) as JsonObject
}

function tagsGet(exchange: RunningExchange): Reply {
  const { state } = exchange
  const account = accountOf(exchange)
  const from = readNumber(state, findParameter(exchange.parameters, 'from'), 'from')
  const settings = state.behavior.tagsOf(account, state)
  const counts = new Map([...settings].filter(([, tag]) => tag.settings.favorite).map(([name]) => [name, 0]))
  for (const thing of account.things.values()) {
    if (!state.behavior.countsThing(thing)) continue
    for (const name of new Set(thing.fields.tags.split(' '))) if (name) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const isFavorite = (name: string): boolean => settings.get(name)?.settings.favorite === true
  const nothingNew = from === account.position && state.behavior.tagsGetReadsFrom
  const all = nothingNew ? [] : [...counts]
  const apart = state.behavior.favoritesApart
  return ok({
    pos: account.position,
    favorite: Object.fromEntries(all.filter(([name]) => isFavorite(name) && apart)),
    other: Object.fromEntries(all.filter(([name]) => !isFavorite(name) || !apart)),
  })
}

function given(exchange: RunningExchange): JsonObject {
  return Object.fromEntries(exchange.parameters)
}

function next(exchange: RunningExchange, operation: string, old: number): number {
  const { behavior } = exchange.state
  return behavior.operationMoves.includes(operation) ? behavior.nextPosition(accountOf(exchange)) : old
}

function thingAdd(exchange: RunningExchange): Reply {
  const { state, session } = exchange
  const account = accountOf(exchange)
  const fields = readFields(state, given(exchange), 'thing')
  if (fields.title === undefined) throwError(state, 'title-missing', 'title is required')
  const prevents = readBoolean(state, findParameter(exchange.parameters, 'prevent_duplicate'), 'prevent_duplicate')
  const complete = completeFields(state, fields)
  if (state.behavior.urlFromTitle && /^https?:\/\/\S+$/i.test(complete.title)) complete.url ??= complete.title
  if (prevents === true && complete.url !== undefined && state.behavior.preventsDuplicates) {
    const same = [...account.things.values()].find(({ deleted, fields: { url } }) => !deleted && url === complete.url)
    if (same !== undefined) return ok({ ...returned(exchange, same), duplicate: true })
  }
  const id = state.behavior.newId(account, state)
  const position = next(exchange, 'add', account.position)
  const thing = addThing(account, session as Session, id, complete, position)
  announce(state, account, session as Session, 'operation')
  return ok(returned(exchange, thing))
}

function findThing(exchange: RunningExchange): Thing {
  const id = textParameter(exchange, '_id')
  if (id === undefined) throwError(exchange.state, 'id-missing', '_id is required')
  const thing = exchange.state.behavior.findToChange(accountOf(exchange), String(id), exchange.state)
  if (thing !== undefined) return thing
  throwError(exchange.state, 'thing-unknown', 'there is no such thing')
  const fields = completeFields(exchange.state, {})
  return { ...createThing(exchange.session as Session, id, fields, 0), deleted: true }
}

function thingChange(exchange: RunningExchange): Reply {
  const { state } = exchange
  const thing = findThing(exchange)
  const change = readFields(state, given(exchange), 'thing')
  const { operationKeepsAbsent } = state.behavior
  const old = operationKeepsAbsent ? thing.fields : { ...completeFields(state, {}), title: thing.fields.title }
  thing.fields = state.behavior.changedFields(old, change)
  thing.position = next(exchange, 'change', thing.position)
  thing.writers.set(exchange.session as Session, thing.position)
  announce(state, accountOf(exchange), exchange.session as Session, 'operation')
  return ok(returned(exchange, thing))
}

function thingDelete(exchange: RunningExchange): Reply {
  const thing = findThing(exchange)
  thing.position = next(exchange, 'delete', thing.position)
  thing.writers.set(exchange.session as Session, thing.position)
  exchange.state.behavior.remove(thing, accountOf(exchange))
  announce(exchange.state, accountOf(exchange), exchange.session as Session, 'operation')
  return ok({ deleted_thing: thing.id })
}

function thingsGet(exchange: RunningExchange): Reply {
  const { behavior } = exchange.state
  const reads = (name: string): boolean => behavior.thingsGetReads.includes(name)
  const archived = reads('archived') ? textParameter(exchange, 'archived') : undefined
  const tag = reads('tag') ? textParameter(exchange, 'tag') : undefined
  const skip = (reads('skip') ? countParameter(exchange, 'skip') : undefined) ?? 0
  const limit = reads('limit') ? countParameter(exchange, 'limit') : undefined
  const things = [...accountOf(exchange).things.values()]
    .filter((thing) => !thing.deleted && behavior.getsThing(thing, archived))
    .filter(({ fields }) => tag === undefined || fields.tags.split(' ').includes(tag))
    .sort((a, b) => a.position - b.position)
    .map((thing) => returned(exchange, thing))
  return ok(behavior.page(things, skip, limit))
}

function userGet(exchange: RunningExchange): Reply {
  const account = accountOf(exchange)
  const thingCount = [...account.things.values()].filter(({ deleted }) => !deleted).length
  const username = exchange.state.behavior.userName(account)
  return ok({ username, date: account.createdAt, pos: account.position, thingCount })
}

/** The operations except token and sync, by path. */
export const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['tags/get', { methods: ['GET'], respond: tagsGet }],
  ['thing/add', { methods: ['POST'], respond: thingAdd }],
  ['thing/change', { methods: ['POST'], respond: thingChange }],
  ['thing/delete', { methods: ['POST'], respond: thingDelete }],
  ['things/get', { methods: ['GET'], respond: thingsGet }],
  ['user/get', { methods: ['GET'], respond: userGet }],
  ['link/preview', { methods: ['GET'], respond: previewLink }],
  ...notifications,
  ['test', { methods: ['GET', 'POST'], respond: (exchange) => ok({ user: accountOf(exchange).username }) }],
])
