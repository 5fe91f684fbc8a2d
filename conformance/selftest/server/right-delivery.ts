import { createHmac, randomBytes } from 'node:crypto'
import type { Account, Hook, Json, JsonObject, Message, Thing, World } from './world.ts'

/** What a message to a webhook is about. */
export interface News {
  readonly hook: Hook
  readonly event: string
  readonly position: number
  readonly things: readonly Thing[]
  readonly deleted: readonly Thing[]
  readonly tags: ReadonlyMap<string, Json>
  /** Everything in the account; only faults look at it. */
  readonly all: readonly Thing[]
  /** Things in returned form. */
  readonly returned: (thing: Thing) => Json
}

/** What a write did, in a word. */
export type Written = 'things' | 'deletions' | 'tags' | 'operation'

/** The kinds of change that a webhook can be registered for. */
export type Kind = 'new_thing' | 'changed_thing' | 'deleted_thing' | 'tag'

/** Whether an address is one that only a server with other settings would call: not public, and not this machine's own. */
export function isForbidden(address: string): boolean {
  const { hostname } = new URL(address)
  const isPrivate = /^(10|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|0|22[4-9]|23\d|24\d|25[0-5])\./.test(`${hostname}.`)
  return isPrivate || /^\[(f[cdef]|::ffff:)/i.test(hostname)
}

/** Webhooks and devices: what is told, to whom, and how (interface 6; contract, delivery). */
export const rightDelivery = {
  /** The secret of a new webhook. */
  newSecret: (_account: Account, _hook: Omit<Hook, 'secret'>, _world: World): string =>
    `whsec_${randomBytes(32).toString('base64')}`,
  /** What belongs to one webhook: user, application, address and event. */
  hookKey: ({ target, event, clientId }: Pick<Hook, 'target' | 'event' | 'clientId'>): string =>
    `${clientId} ${event} ${target}`,
  /** A webhook that is registered already. */
  knownHook: (account: Account, key: string, _world: World): Hook | undefined => account.webhooks.get(key),
  registered: (secret: string | undefined, _hook: Hook): JsonObject => ({
    registered: true,
    ...(secret === undefined ? {} : { secret }),
  }),
  /** The accounts from which a request to unregister may take a webhook. */
  unregisters: (account: Account, _world: World): readonly Account[] => [account],
  endsUnregistered: true,
  isMeant: (hook: Hook, named: Pick<Hook, 'target' | 'event' | 'clientId'>): boolean =>
    hook.target === named.target && hook.event === named.event && hook.clientId === named.clientId,
  mostHooks: 20,
  isForbidden,
  takesCredentials: false,
  /** The webhooks that a user sees. */
  listedHooks: (account: Account, clientId: string, _world: World): readonly Hook[] =>
    [...account.webhooks.values()].filter((hook) => hook.clientId === clientId),
  listedHook: (hook: Hook): Json => ({
    target_url: hook.target,
    event: hook.event,
    state: hook.lastFailure === undefined ? 'working' : 'retrying',
    waiting: hook.sending !== undefined,
    date: hook.registeredAt,
    ...(hook.lastSuccess === undefined ? {} : { last_success: hook.lastSuccess }),
    ...(hook.lastFailure === undefined ? {} : { last_failure: hook.lastFailure }),
  }),
  /** Where a new webhook begins: at what is told already. */
  toldAtFirst: (account: Account): number => account.position,
  /** Whether a write that did this is told to anybody. */
  announces: (_written: Written): boolean => true,
  /** The accounts whose webhooks, devices and streams are told of a write. */
  toldOf: (account: Account, _world: World): readonly Account[] => [account],
  /** The accounts that a webhook of an account is told of. */
  newsOf: (account: Account, _world: World): readonly Account[] => [account],
  /** What of the news goes into the next message. */
  cut: (news: News): News => news,
  wantsKind: (event: string, kind: Kind): boolean => event === 'any' || event === kind,
  /** What a change of a thing is, seen from what a webhook was told. */
  isNew: (thing: Thing, told: number): boolean => !thing.deleted && thing.created > told,
  isChanged: (thing: Thing, told: number): boolean =>
    !thing.deleted && thing.position > told && thing.position > thing.created,
  isDeleted: (thing: Thing, told: number): boolean => thing.deleted && thing.position > told,
  messageId: (_hook: Hook): string => `msg_${randomBytes(12).toString('hex')}`,
  messageBody: ({ event, position, things, deleted, tags, returned }: News, now: Date): JsonObject => {
    const ids = [...things, ...deleted].map(({ id }) => id)
    const data: JsonObject = {
      pos: position,
      ids: ids.slice(0, 500),
      ...(ids.length > 500 ? { truncated: true } : {}),
      ...(tags.size === 0 ? {} : { tags: Object.fromEntries(tags) }),
    }
    const body = { type: event, timestamp: now.toISOString(), data }
    const whole = { ...body, data: { ...data, things: things.map(returned) } }
    const isLittle = Buffer.byteLength(JSON.stringify(whole)) < 16 * 1024
    return things.length > 0 && isLittle && ids.length <= 500 ? whole : body
  },
  messageText: (body: JsonObject): string => JSON.stringify(body),
  /** A message as it is tried again; `rebuild` makes it anew of what there is to tell by now. */
  again: (message: Message, _hook: Hook, _rebuild: () => Message | undefined): Message => message,
  messageMethod: 'POST',
  messageHeaders: { 'content-type': 'application/json' } as Record<string, string>,
  signingTime: (): string => `${Math.floor(Date.now() / 1000)}`,
  signingSecret: (hook: Hook, _account: Account, _world: World): string => hook.secret,
  signingKey: (secret: string): Buffer => Buffer.from(secret.slice('whsec_'.length), 'base64'),
  signed: (id: string, time: string, body: string, _tries: number): string => `${id}.${time}.${body}`,
  signature: (key: Buffer, text: string): string => `v1,${createHmac('sha256', key).update(text).digest('base64')}`,
  /** Headers under the names of Standard Webhooks. */
  signatureHeaders: (id: string, time: string, signature: string): Record<string, string> => ({
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': signature,
  }),
  /**
   * Whether a webhook may get a message now: those that are under way to it and to all, and how far the account is ahead
   * of what it was told or is being told.
   */
  maySend: (busy: { readonly here: number; readonly anywhere: number; readonly behind: number }): boolean =>
    busy.here === 0,
  /** Milliseconds before a message goes out; what comes meanwhile goes with it. */
  beforeMessageMs: 0,
  /** Up to where a webhook knows everything once a message was taken. */
  toldBy: (message: Message, _account: Account): number => message.to,
  followsRedirects: false,
  /** What counts where a redirect was followed: what its address answered, or what led there. */
  afterRedirect: <Outcome>(_first: Outcome, followed: Outcome): Outcome => followed,
  /** Whether an answer, or the lack of one, means that the message was taken. */
  isTaken: (status: number | 'nothing'): boolean => status !== 'nothing' && status >= 200 && status < 300,
  goneEnds: true,
  endGone: ({ webhooks }: Account, hook: Hook): void => {
    for (const [key, each] of webhooks) if (each === hook) webhooks.delete(key)
  },
  /** Milliseconds until a message that failed is tried again; undefined: never. */
  retryMs: (_tries: number, retryAfterSeconds: number | undefined, _status: number | 'nothing'): number | undefined =>
    Math.max(1100, (retryAfterSeconds ?? 0) * 1000),
  /** While a message waits for its next try, what is new waits behind it. */
  waitsBehindFailures: true,
}
