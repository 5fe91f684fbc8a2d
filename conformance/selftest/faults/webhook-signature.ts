import { createHash } from 'node:crypto'
import { type Behaviour, right } from '../server/behaviour.ts'
import type { JsonObject } from '../server/world.ts'
import type { Fault } from './fault.ts'
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
]
