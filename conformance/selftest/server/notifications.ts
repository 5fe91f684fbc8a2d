import type { RunningExchange } from './behaviour.ts'
import { answerEvents } from './live.ts'
import type { Reply } from './right-requests.ts'
import { refuse, textParameter } from './values.ts'
import type { Account, Hook, Json, Session } from './world.ts'

/** An operation: its methods and its answer. */
export interface Operation {
  readonly methods: readonly string[]
  readonly answer: (exchange: RunningExchange) => Reply | Promise<Reply>
}

function ok(body: Json): Reply {
  return { status: 200, headers: {}, body }
}

function partsOf({ account, session }: RunningExchange): { account: Account; session: Session } {
  if (account === undefined || session === undefined) throw new Error('the operation needs a session')
  return { account, session }
}

/** What names a webhook, of the application that asks. */
function readHook(exchange: RunningExchange): Pick<Hook, 'target' | 'event' | 'clientId'> {
  const { behaviour } = exchange.world
  const target = textParameter(exchange, 'target_url') ?? ''
  const event = textParameter(exchange, 'event') ?? ''
  if (!/^https?:\/\/\S+$/i.test(target) || !URL.canParse(target)) {
    refuse(exchange.world, 'target-invalid', 'target_url is not an address')
  }
  const { events } = behaviour
  if (!events.includes(event)) refuse(exchange.world, 'event-invalid', `event is none of ${events.join(', ')}`)
  return { target, event, clientId: partsOf(exchange).session.clientId }
}

function register(exchange: RunningExchange): Reply {
  const { world } = exchange
  const { behaviour } = world
  const { account } = partsOf(exchange)
  const named = readHook(exchange)
  if (URL.canParse(named.target)) {
    const { username, password } = new URL(named.target)
    const hasCredentials = username + password !== '' && !behaviour.takesCredentials
    if (hasCredentials || behaviour.isForbidden(named.target)) {
      refuse(world, 'target-forbidden', 'target_url is no public address without credentials')
    }
  }
  const key = behaviour.hookKey(named)
  const known = behaviour.knownHook(account, key, world)
  if (known !== undefined) return ok(behaviour.registered(undefined, known))
  if (account.webhooks.size >= behaviour.mostHooks) refuse(world, 'hooks-many', 'a user has at most 20 webhooks')
  const state = { told: behaviour.toldAtFirst(account), sending: undefined, underWay: 0 }
  const times = { registeredAt: Math.floor(Date.now() / 1000), lastSuccess: undefined, lastFailure: undefined }
  const bare = { ...named, ...state, ...times }
  const hook: Hook = { ...bare, secret: behaviour.newSecret(account, bare, world) }
  account.webhooks.set(key, hook)
  return ok(behaviour.registered(hook.secret, hook))
}

function unregister(exchange: RunningExchange): Reply {
  const { behaviour } = exchange.world
  const { account } = partsOf(exchange)
  const named = readHook(exchange)
  for (const { webhooks } of behaviour.endsUnregistered ? behaviour.unregisters(account, exchange.world) : []) {
    for (const [key, hook] of webhooks) if (behaviour.isMeant(hook, named)) webhooks.delete(key)
  }
  return ok({ unregistered: true })
}

function listHooks(exchange: RunningExchange): Reply {
  const { behaviour } = exchange.world
  const { account, session } = partsOf(exchange)
  return ok(behaviour.listedHooks(account, session.clientId, exchange.world).map(behaviour.listedHook))
}

const webpush = ['endpoint', 'p256dh', 'auth']

function device(exchange: RunningExchange, registers: boolean): Reply {
  const { world } = exchange
  const { behaviour } = world
  const { account, session } = partsOf(exchange)
  const isPush = textParameter(exchange, 'type') === 'webpush'
  const required = ['type', 'id', ...(isPush && registers ? webpush : [])]
  for (const name of required) {
    if (!textParameter(exchange, name)) refuse(world, 'device-invalid', `${name} is required`)
  }
  const read = (name: string): string => textParameter(exchange, name) ?? ''
  const fields = Object.fromEntries(webpush.map((name) => [name, read(name)]))
  const wrong = isPush && registers ? behaviour.wrongDevice(fields) : undefined
  if (wrong !== undefined) refuse(world, 'device-keys-invalid', `${wrong} is not what Web Push has`)
  const made = { type: read('type'), id: read('id'), fields, session }
  const key = behaviour.deviceOwner(made)
  if (registers) account.devices.set(key, made)
  else if (behaviour.forgetsDevices) account.devices.delete(key)
  return ok(registers ? behaviour.registeredDevice(made) : { unregistered: true })
}

function listDevices(exchange: RunningExchange): Reply {
  const { behaviour } = exchange.world
  const { account, session } = partsOf(exchange)
  const listed = behaviour.listedDevices(account, session.clientId, exchange.world)
  return ok(listed.map((each) => behaviour.listedDevice(each, session)))
}

const registerDevice: Operation = { methods: ['POST'], answer: (exchange) => device(exchange, true) }
const unregisterDevice: Operation = { methods: ['POST'], answer: (exchange) => device(exchange, false) }

/** The operations by which clients hear of changes, by path. */
export const notifications: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['sync/events', { methods: ['GET'], answer: answerEvents }],
  ['webhook/register', { methods: ['POST'], answer: register }],
  ['webhook/unregister', { methods: ['POST'], answer: unregister }],
  ['webhook/list', { methods: ['GET'], answer: listHooks }],
  ['register/device', registerDevice],
  ['device/register', registerDevice],
  ['unregister/device', unregisterDevice],
  ['device/unregister', unregisterDevice],
  ['device/list', { methods: ['GET'], answer: listDevices }],
  [
    'device/key',
    { methods: ['GET'], answer: ({ world }: RunningExchange) => ok({ key: world.behaviour.deviceKey(world) }) },
  ],
])
