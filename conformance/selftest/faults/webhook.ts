import { createHash } from 'node:crypto'
import { type Behaviour, right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import type { Account, Hook, Json, JsonObject } from '../server/world.ts'
import { errors, type Fault, without } from './fault.ts'
import { refusing } from './refusing.ts'

/** A secret that follows from a text. */
const secretFrom = (text: string): string => `whsec_${createHash('sha256').update(text).digest('base64')}`

const listed = (edit: (hook: JsonObject, whole: Hook) => Json): Partial<Behaviour> => ({
  listedHook: (hook) => edit(right.listedHook(hook) as JsonObject, hook),
})

export const hooksOf = (accounts: Iterable<Account>): readonly Hook[] =>
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
