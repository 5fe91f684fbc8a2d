import { createHash } from 'node:crypto'
import { type Behaviour, right } from '../server/behaviour.ts'
import type { JsonObject } from '../server/world.ts'
import { type Fault, fault } from './fault.ts'
import { hooksOf } from './webhook.ts'

/** Messages with another body. */
export const bodies = (edit: (body: JsonObject) => JsonObject): Partial<Behaviour> => ({
  messageBody: (news, now) => edit(right.messageBody(news, now)),
})

/** Messages with other data. */
export const data = (edit: (data: JsonObject) => JsonObject): Partial<Behaviour> =>
  bodies((body) => ({ ...body, data: edit(body.data as JsonObject) }))

/** Faults against what is decided on the form and the signature of messages to webhooks. */
export const webhookSignatureFaults: readonly Fault[] = [
  fault('hook-never-told', 'calls no webhook', { announces: () => false }),
  fault('hook-operation-untold', 'tells of uploads only', { announces: (written) => written !== 'operation' }),
  fault('hook-put', 'sends messages by PUT', { messageMethod: 'PUT' }),
  fault('hook-content-type', 'sends messages as text', { messageHeaders: { 'content-type': 'text/plain' } }),
  fault('hook-form', 'sends messages in a form', {
    messageHeaders: { 'content-type': 'application/x-www-form-urlencoded' },
    messageText: (body) => new URLSearchParams({ payload: JSON.stringify(body) }).toString(),
  }),
  fault(
    'hook-data-flat',
    'has the members of data beside type',
    bodies(({ data, ...body }) => ({ ...body, ...(data as JsonObject) })),
  ),
  fault('hook-unsigned', 'does not sign', {
    signatureHeaders: (id, time) => ({ 'webhook-id': id, 'webhook-timestamp': time }),
  }),
  fault('hook-signs-body-alone', 'signs the body without id and time', { signed: (_id, _time, body) => body }),
  fault('hook-signature-hex', 'writes signatures in hexadecimal', {
    signature: (key, text) => `v1,${Buffer.from(right.signature(key, text).slice(3), 'base64').toString('hex')}`,
  }),
  fault('hook-signature-without-version', 'writes signatures without v1', {
    signature: (key, text) => right.signature(key, text).slice(3),
  }),
  fault('hook-key-undecoded', 'signs with the text of the secret', { signingKey: (secret) => Buffer.from(secret) }),
  fault('hook-header-names', 'has headers of its own', {
    signatureHeaders: (...all) =>
      Object.fromEntries(Object.entries(right.signatureHeaders(...all)).map(([name, value]) => [`x-${name}`, value])),
  }),
  fault('hook-secret-of-other-hook', "signs all messages with the secret of the user's first webhook", {
    signingSecret: (hook, account) => hooksOf([account])[0]?.secret ?? hook.secret,
  }),
  fault('hook-signed-for-other-user', 'signs with the secret of whoever registered the address first', {
    signingSecret: (hook, _account, world) =>
      hooksOf(world.accounts.values()).find(({ target }) => target === hook.target)?.secret ?? hook.secret,
  }),
  fault('hook-timestamp-milliseconds', 'writes webhook-timestamp in milliseconds', {
    signingTime: () => `${Date.now()}`,
  }),
  fault('hook-timestamp-local', 'takes local time for Unix time', {
    signingTime: () => `${Math.floor(Date.now() / 1000) + 7200}`,
  }),
  fault('hook-id-of-hook', 'gives all messages of a webhook the same id', {
    messageId: ({ target }) => createHash('sha256').update(target).digest('hex'),
  }),
  fault(
    'hook-type-other',
    'calls every event change',
    bodies((body) => ({ ...body, type: 'change' })),
  ),
  fault(
    'hook-body-timestamp-number',
    'writes the timestamp of a message as a number',
    bodies((body) => ({ ...body, timestamp: 1_767_225_600 })),
  ),
]
