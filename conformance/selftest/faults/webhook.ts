import { createHash } from 'node:crypto'
import { type Behaviour, right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import type { Kind } from '../server/right-delivery.ts'
import type { Account, Hook, Json, JsonObject } from '../server/world.ts'
import { errors, type Fault, without } from './fault.ts'
import { refusing } from './refusing.ts'

/** A secret that follows from a text. */
const secretFrom = (text: string): string => `whsec_${createHash('sha256').update(text).digest('base64')}`

/** Messages with another body. */
const bodies = (edit: (body: JsonObject) => JsonObject): Partial<Behaviour> => ({
  messageBody: (news, now) => edit(right.messageBody(news, now)),
})

/** Messages with other data. */
const data = (edit: (data: JsonObject) => JsonObject): Partial<Behaviour> =>
  bodies((body) => ({ ...body, data: edit(body.data as JsonObject) }))

/** Webhooks that want other kinds of change. */
const kinds = (edit: (event: string, kind: Kind) => boolean | undefined): Partial<Behaviour> => ({
  wantsKind: (event, kind) => edit(event, kind) ?? right.wantsKind(event, kind),
})

const listed = (edit: (hook: JsonObject, whole: Hook) => Json): Partial<Behaviour> => ({
  listedHook: (hook) => edit(right.listedHook(hook) as JsonObject, hook),
})

const hooksOf = (accounts: Iterable<Account>): readonly Hook[] =>
  [...accounts].flatMap(({ webhooks }) => [...webhooks.values()])

/** Faults against what is decided on secrets, lists and addresses of webhooks. */
export const webhookFaults: readonly Fault[] = [
  {
    id: 'hook-secret-missing',
    title: 'gives a webhook no secret',
    behaviour: { registered: () => ({ registered: true }) },
  },
  {
    id: 'hook-secret-plain',
    title: 'gives secrets without whsec_',
    behaviour: { newSecret: (...all) => right.newSecret(...all).slice('whsec_'.length) },
  },
  { id: 'hook-secret-short', title: 'gives secrets of six bytes', behaviour: { newSecret: () => 'whsec_MTIzNDU2' } },
  {
    id: 'hook-secret-again',
    title: 'shows the secret each time that a webhook is registered',
    behaviour: { registered: (_secret, hook) => ({ registered: true, secret: hook.secret }) },
  },
  {
    id: 'hook-secret-renewed',
    title: 'answers another secret each time that a webhook is registered',
    behaviour: {
      registered: (secret, hook) => ({ registered: true, secret: secret ?? secretFrom(`${hook.told}`) }),
    },
  },
  {
    id: 'hook-again-refused',
    title: 'refuses a webhook that is registered already',
    behaviour: {
      registered: (secret, hook) => {
        if (secret === undefined) throw new Refusal('parameter-invalid', 'it is registered already')
        return right.registered(secret, hook)
      },
    },
  },
  {
    id: 'hook-secret-shared',
    title: 'gives all webhooks of a user one secret',
    behaviour: { newSecret: ({ username, createdAt }) => secretFrom(`${username} ${createdAt}`) },
  },
  {
    id: 'hook-secret-every-other',
    title: 'makes a new secret for every other webhook of a user',
    behaviour: {
      newSecret: ({ username, createdAt, memory }) => {
        const count = Number(memory.get('secrets') ?? 0)
        memory.set('secrets', count + 1)
        return secretFrom(`${username} ${createdAt} ${Math.floor(count / 2)}`)
      },
    },
  },
  {
    id: 'hook-secret-kept',
    title: 'gives a webhook that was unregistered the same secret again',
    behaviour: { newSecret: ({ username }, { target, event }) => secretFrom(`${username} ${target} ${event}`) },
  },
  {
    id: 'hook-secret-of-address',
    title: 'gives the same address the same secret, whoever registers it',
    behaviour: { newSecret: (_account, { target, event }) => secretFrom(`${target} ${event}`) },
  },
  {
    id: 'hook-secret-other-app',
    title: 'shows one application the secret of another',
    behaviour: {
      newSecret: (account, hook, world) => {
        const other = hooksOf([account]).find(({ target, event }) => target === hook.target && event === hook.event)
        return other?.secret ?? right.newSecret(account, hook, world)
      },
    },
  },
  {
    id: 'hook-taken-by-other-app',
    title: 'keeps the webhooks of all applications together',
    behaviour: { hookKey: ({ target, event }) => `${event} ${target}` },
  },
  {
    id: 'hook-taken-by-other-user',
    title: 'keeps the webhooks of all users together',
    behaviour: {
      knownHook: (_account, key, world) =>
        [...world.accounts.values()].flatMap(({ webhooks }) => webhooks.get(key) ?? [])[0],
    },
  },
  {
    id: 'hook-list-missing',
    title: 'does not list webhooks',
    behaviour: refusing(({ path }) => path === 'webhook/list'),
  },
  {
    id: 'hook-list-with-secrets',
    title: 'lists webhooks with their secrets',
    behaviour: listed((hook, { secret }) => ({ ...hook, secret })),
  },
  {
    id: 'hook-list-without-event',
    title: 'lists webhooks without their event',
    behaviour: listed((hook) => without(hook, 'event')),
  },
  {
    id: 'hook-list-of-all-users',
    title: 'lists the webhooks of all users',
    behaviour: { listedHooks: (_account, _client, world) => hooksOf(world.accounts.values()) },
  },
  {
    id: 'hook-list-without-success',
    title: 'does not list when a message was taken',
    behaviour: listed((hook) => without(hook, 'last_success')),
  },
  {
    id: 'hook-list-without-failure',
    title: 'does not list when a message failed',
    behaviour: listed((hook) => without(hook, 'last_failure')),
  },
  {
    id: 'hook-list-success-text',
    title: 'lists as a text when a message was taken',
    behaviour: listed((hook) =>
      hook.last_success === undefined ? hook : { ...hook, last_success: new Date().toISOString() },
    ),
  },
  {
    id: 'hook-list-success-of-failure',
    title: 'lists a try that failed as a success, too',
    behaviour: listed((hook) => (hook.last_failure === undefined ? hook : { ...hook, last_success: 1_767_225_600 })),
  },
  { id: 'hook-limit-none', title: 'takes any number of webhooks', behaviour: { mostHooks: 10_000 } },
  {
    id: 'hook-limit-other-error',
    title: 'has a code of its own for too many webhooks',
    behaviour: errors('hooks-many', (body) => ({ ...body, error: 'too_many_webhooks' })),
  },
  { id: 'hook-address-unchecked', title: 'calls any address', behaviour: { isForbidden: () => false } },
  {
    id: 'hook-address-by-text',
    title: 'judges addresses by their text',
    behaviour: { isForbidden: (address) => /\/\/(169\.254|22\d|25\d|\[fe80)/.test(address) },
  },
  {
    id: 'hook-credentials-taken',
    title: 'takes addresses with credentials',
    behaviour: { takesCredentials: true },
  },
  {
    id: 'hook-unregister-ignored',
    title: 'does not end a webhook that is unregistered',
    behaviour: { endsUnregistered: false },
  },
  {
    id: 'hook-ended-by-other-user',
    title: "ends another user's webhook of the same address",
    behaviour: { unregisters: (_account, world) => [...world.accounts.values()] },
  },
  {
    id: 'hook-ended-by-other-event',
    title: 'ends all webhooks of an address when one is unregistered',
    behaviour: { isMeant: (hook, { target }) => hook.target === target },
  },
]

/** Faults against what is decided on messages to webhooks. */
export const webhookMessageFaults: readonly Fault[] = [
  { id: 'hook-never-told', title: 'calls no webhook', behaviour: { announces: () => false } },
  {
    id: 'hook-operation-untold',
    title: 'tells of uploads only',
    behaviour: { announces: (written) => written !== 'operation' },
  },
  { id: 'hook-put', title: 'sends messages by PUT', behaviour: { messageMethod: 'PUT' } },
  {
    id: 'hook-content-type',
    title: 'sends messages as text',
    behaviour: { messageHeaders: { 'content-type': 'text/plain' } },
  },
  {
    id: 'hook-form',
    title: 'sends messages in a form',
    behaviour: {
      messageHeaders: { 'content-type': 'application/x-www-form-urlencoded' },
      messageText: (body) => new URLSearchParams({ payload: JSON.stringify(body) }).toString(),
    },
  },
  {
    id: 'hook-data-flat',
    title: 'has the members of data beside type',
    behaviour: bodies(({ data, ...body }) => ({ ...body, ...(data as JsonObject) })),
  },
  {
    id: 'hook-unsigned',
    title: 'does not sign',
    behaviour: { signatureHeaders: (id, time) => ({ 'webhook-id': id, 'webhook-timestamp': time }) },
  },
  {
    id: 'hook-signs-body-alone',
    title: 'signs the body without id and time',
    behaviour: { signed: (_id, _time, body) => body },
  },
  {
    id: 'hook-signature-hex',
    title: 'writes signatures in hexadecimal',
    behaviour: {
      signature: (key, text) => `v1,${Buffer.from(right.signature(key, text).slice(3), 'base64').toString('hex')}`,
    },
  },
  {
    id: 'hook-signature-without-version',
    title: 'writes signatures without v1',
    behaviour: { signature: (key, text) => right.signature(key, text).slice(3) },
  },
  {
    id: 'hook-key-undecoded',
    title: 'signs with the text of the secret',
    behaviour: { signingKey: (secret) => Buffer.from(secret) },
  },
  {
    id: 'hook-header-names',
    title: 'has headers of its own',
    behaviour: {
      signatureHeaders: (...all) =>
        Object.fromEntries(Object.entries(right.signatureHeaders(...all)).map(([name, value]) => [`x-${name}`, value])),
    },
  },
  {
    id: 'hook-secret-of-other-hook',
    title: "signs all messages with the secret of the user's first webhook",
    behaviour: { signingSecret: (hook, account) => hooksOf([account])[0]?.secret ?? hook.secret },
  },
  {
    id: 'hook-signed-for-other-user',
    title: 'signs with the secret of whoever registered the address first',
    behaviour: {
      signingSecret: (hook, _account, world) =>
        hooksOf(world.accounts.values()).find(({ target }) => target === hook.target)?.secret ?? hook.secret,
    },
  },
  {
    id: 'hook-timestamp-milliseconds',
    title: 'writes webhook-timestamp in milliseconds',
    behaviour: { signingTime: () => `${Date.now()}` },
  },
  {
    id: 'hook-timestamp-local',
    title: 'takes local time for Unix time',
    behaviour: { signingTime: () => `${Math.floor(Date.now() / 1000) + 7200}` },
  },
  {
    id: 'hook-id-of-hook',
    title: 'gives all messages of a webhook the same id',
    behaviour: { messageId: ({ target }) => createHash('sha256').update(target).digest('hex') },
  },
  {
    id: 'hook-type-other',
    title: 'calls every event change',
    behaviour: bodies((body) => ({ ...body, type: 'change' })),
  },
  {
    id: 'hook-body-timestamp-number',
    title: 'writes the timestamp of a message as a number',
    behaviour: bodies((body) => ({ ...body, timestamp: 1_767_225_600 })),
  },
  { id: 'hook-pos-missing', title: 'tells no position', behaviour: data((all) => without(all, 'pos')) },
  {
    id: 'hook-pos-early',
    title: 'tells the position before the change',
    behaviour: data((all) => ({ ...all, pos: Number(all.pos) - 1 })),
  },
  {
    id: 'hook-pos-beyond',
    title: 'tells a position that is not reached yet',
    behaviour: data((all) => ({ ...all, pos: Number(all.pos) + 1 })),
  },
  { id: 'hook-ids-missing', title: 'tells no ids', behaviour: data((all) => without(all, 'ids')) },
  {
    id: 'hook-ids-of-everything',
    title: 'tells the ids of all things',
    behaviour: {
      messageBody: (news, now) => {
        const body = right.messageBody(news, now)
        return { ...body, data: { ...(body.data as JsonObject), ids: news.all.map(({ id }) => id) } }
      },
    },
  },
  {
    id: 'hook-ids-of-one',
    title: 'tells one id of each upload',
    behaviour: data((all) => ({ ...all, ids: (all.ids as Json[]).slice(-1) })),
  },
  {
    id: 'hook-ids-of-other-events',
    title: 'tells in ids whatever changed, and not only what the event names',
    behaviour: {
      messageBody: (news, now) => {
        const body = right.messageBody(news, now)
        const ids = news.all.filter(({ position }) => position > news.hook.told).map(({ id }) => id)
        return { ...body, data: { ...(body.data as JsonObject), ids } }
      },
    },
  },
  {
    id: 'hook-type-new-thing',
    title: 'calls every event new_thing',
    behaviour: bodies((body) => ({ ...body, type: 'new_thing' })),
  },
  {
    id: 'hook-things-first-state',
    title: 'tells things as they were created',
    behaviour: {
      messageBody: (news, now) =>
        right.messageBody({ ...news, returned: (thing) => news.returned({ ...thing, fields: thing.first }) }, now),
    },
  },
  { id: 'hook-things-missing', title: 'tells no things', behaviour: data((all) => without(all, 'things')) },
  {
    id: 'hook-things-unlike-listing',
    title: 'tells things without their dates',
    behaviour: data((all) => ({
      ...all,
      ...(all.things === undefined
        ? {}
        : { things: (all.things as JsonObject[]).map((thing) => without(thing, 'date')) }),
    })),
  },
  {
    id: 'hook-things-however-large',
    title: 'tells things however large they are',
    behaviour: {
      messageBody: (news, now) => {
        const body = right.messageBody(news, now)
        return { ...body, data: { ...(body.data as JsonObject), things: news.things.map(news.returned) } }
      },
    },
  },
  {
    id: 'hook-large-without-ids',
    title: 'tells no ids where it leaves the things out',
    behaviour: data((all) => (all.things === undefined ? { ...all, ids: [] } : all)),
  },
  {
    id: 'hook-ids-all',
    title: 'tells any number of ids',
    behaviour: {
      messageBody: (news, now) => {
        const body = right.messageBody(news, now)
        return { ...body, data: { ...(body.data as JsonObject), ids: news.things.map(({ id }) => id) } }
      },
    },
  },
  {
    id: 'hook-truncation-unsaid',
    title: 'does not say that ids are left out',
    behaviour: data((all) => without(all, 'truncated')),
  },
  {
    id: 'hook-truncated-always',
    title: 'says of every message that ids are left out',
    behaviour: data((all) => ({ ...all, truncated: true })),
  },
  { id: 'hook-tags-missing', title: 'tells no tag settings', behaviour: data((all) => without(all, 'tags')) },
  {
    id: 'hook-things-of-deletions',
    title: 'tells deleted things in full',
    behaviour: {
      messageBody: (news, now) => {
        const body = right.messageBody(news, now)
        const things = [...news.things, ...news.deleted].map(news.returned)
        return { ...body, data: { ...(body.data as JsonObject), things } }
      },
    },
  },
]

/** Faults against what is decided on which webhook is told of what. */
export const webhookEventFaults: readonly Fault[] = [
  { id: 'hook-event-ignored', title: 'tells every webhook of everything', behaviour: kinds(() => true) },
  {
    id: 'hook-new-told-of-changes',
    title: 'tells a webhook for new things of changes',
    behaviour: kinds((event, kind) => (event === 'new_thing' && kind === 'changed_thing' ? true : undefined)),
  },
  {
    id: 'hook-new-told-of-deletions',
    title: 'tells a webhook for new things of deletions',
    behaviour: kinds((event, kind) => (event === 'new_thing' && kind === 'deleted_thing' ? true : undefined)),
  },
  {
    id: 'hook-new-told-of-tags',
    title: 'tells a webhook for new things of tag settings',
    behaviour: kinds((event, kind) => (event === 'new_thing' && kind === 'tag' ? true : undefined)),
  },
  {
    id: 'hook-changed-told-of-new',
    title: 'takes new things for changed ones',
    behaviour: kinds((event, kind) => (event === 'changed_thing' && kind === 'new_thing' ? true : undefined)),
  },
  {
    id: 'hook-changed-told-of-deletions',
    title: 'takes deletions for changes',
    behaviour: kinds((event, kind) => (event === 'changed_thing' && kind === 'deleted_thing' ? true : undefined)),
  },
  {
    id: 'hook-deleted-told-of-changes',
    title: 'tells a webhook for deletions of changes',
    behaviour: kinds((event, kind) => (event === 'deleted_thing' && kind === 'changed_thing' ? true : undefined)),
  },
  {
    id: 'hook-tag-told-of-things',
    title: 'tells a webhook for tags of things',
    behaviour: kinds((event, kind) => (event === 'tag' && kind === 'changed_thing' ? true : undefined)),
  },
  {
    id: 'hook-changes-untold',
    title: 'tells webhooks for changed things nothing',
    behaviour: kinds((event) => (event === 'changed_thing' ? false : undefined)),
  },
  {
    id: 'hook-deletions-untold',
    title: 'tells webhooks for deletions nothing',
    behaviour: kinds((event) => (event === 'deleted_thing' ? false : undefined)),
  },
  {
    id: 'hook-tags-untold',
    title: 'tells webhooks for tags nothing',
    behaviour: kinds((event) => (event === 'tag' ? false : undefined)),
  },
  {
    id: 'hook-any-without-changes',
    title: 'leaves changes out of any',
    behaviour: kinds((event, kind) => (event === 'any' && kind === 'changed_thing' ? false : undefined)),
  },
  {
    id: 'hook-any-without-deletions',
    title: 'leaves deletions out of any',
    behaviour: kinds((event, kind) => (event === 'any' && kind === 'deleted_thing' ? false : undefined)),
  },
  {
    id: 'hook-any-without-tags',
    title: 'leaves tags out of any',
    behaviour: kinds((event, kind) => (event === 'any' && kind === 'tag' ? false : undefined)),
  },
  {
    id: 'hook-told-of-the-past',
    title: 'tells a new webhook of everything that there is',
    behaviour: { toldAtFirst: () => 0 },
  },
  {
    id: 'hook-told-again',
    title: 'tells with each message what the one before told',
    behaviour: (() => {
      const before = new WeakMap<Hook, Json[]>()
      return {
        messageBody: (news, now) => {
          const body = right.messageBody(news, now)
          const all = body.data as JsonObject
          const ids = all.ids as Json[]
          const again = before.get(news.hook) ?? []
          before.set(news.hook, ids)
          return { ...body, data: { ...all, ids: [...again, ...ids] } }
        },
      } satisfies Partial<Behaviour>
    })(),
  },
  {
    id: 'hook-told-with-other-users',
    title: "tells of other users' things with the next change of its own user",
    behaviour: {
      newsOf: (account, { accounts }) =>
        [...accounts.values()].map((each) => {
          const { position } = account
          const things = [...each.things].map(([id, thing]) => [id, { ...thing, position, created: position }] as const)
          return each === account ? account : { ...each, position, things: new Map(things) }
        }),
    },
  },
  {
    id: 'hook-told-of-all-users',
    title: 'tells webhooks of the changes of all users',
    behaviour: {
      toldOf: (_account, world) => [...world.accounts.values()],
      newsOf: (_account, world) => [...world.accounts.values()],
    },
  },
]
