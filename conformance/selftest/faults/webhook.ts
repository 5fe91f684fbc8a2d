import { createHash } from 'node:crypto'
import { type Behaviour, right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import type { Account, Hook, Json, JsonObject } from '../server/world.ts'
import { errors, type Fault, fault, without } from './fault.ts'
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
  fault('hook-secret-missing', 'gives a webhook no secret', { registered: () => ({ registered: true }) }),
  fault('hook-secret-plain', 'gives secrets without whsec_', {
    newSecret: (...all) => right.newSecret(...all).slice('whsec_'.length),
  }),
  fault('hook-secret-short', 'gives secrets of six bytes', { newSecret: () => 'whsec_MTIzNDU2' }),
  fault('hook-secret-again', 'shows the secret each time that a webhook is registered', {
    registered: (_secret, hook) => ({ registered: true, secret: hook.secret }),
  }),
  fault('hook-secret-renewed', 'answers another secret each time that a webhook is registered', {
    registered: (secret, hook) => ({ registered: true, secret: secret ?? secretFrom(`${hook.told}`) }),
  }),
  fault('hook-again-refused', 'refuses a webhook that is registered already', {
    registered: (secret, hook) => {
      if (secret === undefined) throw new Refusal('parameter-invalid', 'it is registered already')
      return right.registered(secret, hook)
    },
  }),
  fault('hook-secret-shared', 'gives all webhooks of a user one secret', {
    newSecret: ({ username, createdAt }) => secretFrom(`${username} ${createdAt}`),
  }),
  fault('hook-secret-every-other', 'makes a new secret for every other webhook of a user', {
    newSecret: ({ username, createdAt, memory }) => {
      const count = Number(memory.get('secrets') ?? 0)
      memory.set('secrets', count + 1)
      return secretFrom(`${username} ${createdAt} ${Math.floor(count / 2)}`)
    },
  }),
  fault('hook-secret-kept', 'gives a webhook that was unregistered the same secret again', {
    newSecret: ({ username }, { target, event }) => secretFrom(`${username} ${target} ${event}`),
  }),
  fault('hook-secret-of-address', 'gives the same address the same secret, whoever registers it', {
    newSecret: (_account, { target, event }) => secretFrom(`${target} ${event}`),
  }),
  fault('hook-secret-other-app', 'shows one application the secret of another', {
    newSecret: (account, hook, world) => {
      const other = hooksOf([account]).find(({ target, event }) => target === hook.target && event === hook.event)
      return other?.secret ?? right.newSecret(account, hook, world)
    },
  }),
  fault('hook-taken-by-other-app', 'keeps the webhooks of all applications together', {
    hookKey: ({ target, event }) => `${event} ${target}`,
  }),
  fault('hook-taken-by-other-user', 'keeps the webhooks of all users together', {
    knownHook: (_account, key, world) =>
      [...world.accounts.values()].flatMap(({ webhooks }) => webhooks.get(key) ?? [])[0],
  }),
  fault(
    'hook-list-missing',
    'does not list webhooks',
    refusing(({ path }) => path === 'webhook/list'),
  ),
  fault(
    'hook-list-with-secrets',
    'lists webhooks with their secrets',
    listed((hook, { secret }) => ({ ...hook, secret })),
  ),
  fault(
    'hook-list-without-event',
    'lists webhooks without their event',
    listed((hook) => without(hook, 'event')),
  ),
  fault('hook-list-of-all-users', 'lists the webhooks of all users', {
    listedHooks: (_account, _client, world) => hooksOf(world.accounts.values()),
  }),
  fault(
    'hook-list-without-success',
    'does not list when a message was taken',
    listed((hook) => without(hook, 'last_success')),
  ),
  fault(
    'hook-list-without-failure',
    'does not list when a message failed',
    listed((hook) => without(hook, 'last_failure')),
  ),
  fault(
    'hook-list-success-text',
    'lists as a text when a message was taken',
    listed((hook) => (hook.last_success === undefined ? hook : { ...hook, last_success: new Date().toISOString() })),
  ),
  fault(
    'hook-list-success-of-failure',
    'lists a try that failed as a success, too',
    listed((hook) => (hook.last_failure === undefined ? hook : { ...hook, last_success: 1_767_225_600 })),
  ),
  fault('hook-limit-none', 'takes any number of webhooks', { mostHooks: 10_000 }),
  fault(
    'hook-limit-other-error',
    'has a code of its own for too many webhooks',
    errors('hooks-many', (body) => ({ ...body, error: 'too_many_webhooks' })),
  ),
  fault('hook-address-unchecked', 'calls any address', { isForbidden: () => false }),
  fault('hook-address-by-text', 'judges addresses by their text', {
    isForbidden: (address) => /\/\/(169\.254|22\d|25\d|\[fe80)/.test(address),
  }),
  fault('hook-credentials-taken', 'takes addresses with credentials', { takesCredentials: true }),
  fault('hook-unregister-ignored', 'does not end a webhook that is unregistered', { endsUnregistered: false }),
  fault('hook-ended-by-other-user', "ends another user's webhook of the same address", {
    unregisters: (_account, world) => [...world.accounts.values()],
  }),
  fault('hook-ended-by-other-event', 'ends all webhooks of an address when one is unregistered', {
    isMeant: (hook, { target }) => hook.target === target,
  }),
]
