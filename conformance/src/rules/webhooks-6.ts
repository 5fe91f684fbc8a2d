import { readAccessToken } from '../access-tokens.ts'
import type { Reply } from '../client.ts'
import { isObject, type Json, type JsonObject, listOf, showValue } from '../encoding.ts'
import { expect, expectSame } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { readSecret } from '../receiver/message-crypto.ts'
import type { Delivery, Mailbox } from '../receiver/receiver.ts'
import type { Replica } from '../replica.ts'
import { asSetup, Finding } from '../result.ts'
import { extensionRule, type Rule } from '../rule.ts'
import {
  describeReply,
  expectArray,
  expectError,
  expectObject,
  type Fields,
  get,
  post,
  without,
} from './operation-steps.ts'

/** The events for which a webhook can be registered. */
const hookEvents = ['new_thing', 'changed_thing', 'deleted_thing', 'tag', 'any'] as const

/** One of these events. */
type HookEvent = (typeof hookEvents)[number]

/** A URL that is valid for registration and that nothing listens on. */
const targetUrlOf = (lab: Lab): string => `https://example.org/${lab.mark}`

/** Returns the parameters of a webhook at a URL that does not respond. */
export const fieldsOf = (target: string, event: string = 'any'): Fields => ({ target_url: target, event })

/** Registers a webhook as a setup step, and unregisters it after the rule; returns the response. */
export const registerHook = (
  lab: Lab,
  replica: Replica,
  target: string,
  event: HookEvent = 'any',
): Promise<JsonObject> =>
  asSetup(`registering a webhook for ${event}`, async () => {
    lab.afterwards(() => post(replica, 'webhook/unregister', fieldsOf(target, event)))
    return expectObject(await post(replica, 'webhook/register', fieldsOf(target, event)), 'the webhook is correct')
  })

/** Opens a new mailbox with a registered webhook of the replica's user. */
export const openHook = async (lab: Lab, replica: Replica, event: HookEvent = 'any'): Promise<Mailbox> => {
  const mailbox = lab.mailbox()
  await registerHook(lab, replica, mailbox.url, event)
  return mailbox
}

/** A message to a webhook, read leniently: missing or wrong values read as empty. */
export interface Message {
  readonly delivery: Delivery
  readonly json: JsonObject
  readonly data: JsonObject
  readonly pos: number
  readonly ids: readonly string[]
  readonly things: readonly JsonObject[]
}

const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

/** Reads a delivery as a message. */
const readMessage = (lab: Lab, delivery: Delivery): Message => {
  const json = objectOf(lab.readJson(delivery.body.toString('utf8')))
  const data = objectOf(json.data)
  const pos = typeof data.pos === 'number' ? data.pos : Number.NaN
  return { delivery, json, data, pos, ids: listOf(data.ids).map(String), things: listOf(data.things).filter(isObject) }
}

/** Describes a message in a few words, for a finding. */
export const describeMessage = ({ delivery }: Message): string =>
  `${delivery.method} ${showValue(delivery.body.toString('utf8'), 400)} came`

/** Describes messages in a few words, for a finding. */
export const describeAll = (messages: readonly Message[]): string =>
  messages.map(describeMessage).join(', ').slice(0, 800)

const secondsOf = (milliseconds: number): string => `${Math.round(milliseconds / 100) / 10} s`

/** Takes the next message of a mailbox. @throws Finding when none comes. */
export const takeMessage = async (
  lab: Lab,
  mailbox: Mailbox,
  because: string,
  timeoutMs: number = lab.options.timeouts.eventMs,
): Promise<Message> => {
  const started = performance.now()
  const delivery = await mailbox.take(timeoutMs)
  if (delivery !== undefined) return readMessage(lab, delivery)
  throw new Finding(
    `a message at ${mailbox.url}, because ${because}`,
    `none came within ${secondsOf(performance.now() - started)}`,
  )
}

/** Takes the messages up to one that satisfies the condition. @throws Finding when none does. */
export const takeUntil = async (
  lab: Lab,
  mailbox: Mailbox,
  isLast: (message: Message) => boolean,
  because: string,
  timeoutMs: number = lab.options.timeouts.eventMs,
): Promise<readonly Message[]> => {
  const until = performance.now() + timeoutMs
  const messages: Message[] = []
  for (;;) {
    const delivery = await mailbox.take(until - performance.now())
    if (delivery === undefined) {
      const came = messages.length === 0 ? 'none came' : describeAll(messages)
      throw new Finding(`a message at ${mailbox.url}, because ${because}`, `${came} within ${secondsOf(timeoutMs)}`)
    }
    const message = readMessage(lab, delivery)
    messages.push(message)
    if (isLast(message)) return messages
  }
}

/** Takes the messages up to one that names the thing. */
export const takeUntilThing = (
  lab: Lab,
  mailbox: Mailbox,
  id: string,
  because: string,
  timeoutMs?: number,
): Promise<readonly Message[]> =>
  takeUntil(lab, mailbox, ({ ids }) => ids.includes(id), `${because}, thing ${id}`, timeoutMs)

/** Expects a condition of a message. */
export const expectOf = (message: Message, holds: boolean, expected: string): void =>
  expect(holds, `a message with ${expected}`, describeMessage(message))

const webhookOf = (mark: string, event = 'any'): Fields => ({ target_url: `https://example.org/${mark}`, event })

/** Rules of section 6: webhooks (contract, the other operations). Each rule unregisters its webhooks. */
export const webhookRules: readonly Rule[] = [
  extensionRule({
    id: 'WEBHOOK-REGISTER-01',
    title: 'MUST register a webhook for each event and say so in the response',
    section: '6',
    requirements: ['K-hook-1'],
    faults: ['webhook-register-response'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const event of ['new_thing', 'changed_thing', 'deleted_thing', 'tag', 'any']) {
        const reply = await post(phone, 'webhook/register', webhookOf(lab.mark, event))
        expectSame(expectObject(reply, `${event} is an event`).registered, true, 'registered', reply)
        await post(phone, 'webhook/unregister', webhookOf(lab.mark, event))
      }
    },
  }),
  extensionRule({
    id: 'WEBHOOK-REGISTER-02',
    title: 'MUST reject an event that is unknown or missing',
    section: '6',
    requirements: ['K-hook-1', 'K-error-1'],
    faults: ['webhook-event-unchecked'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const fields = webhookOf(lab.mark)
      for (const wrong of [{ ...fields, event: 'weather' }, without(fields, 'event')]) {
        expectError(
          await post(phone, 'webhook/register', wrong),
          400,
          'parameter_invalid',
          `event is ${wrong.event ?? 'missing'}`,
        )
      }
    },
  }),
  extensionRule({
    id: 'WEBHOOK-REGISTER-03',
    title: 'MUST reject a target_url that is missing or no http URL',
    section: '6',
    requirements: ['K-hook-1', 'K-error-1'],
    faults: ['webhook-target-unchecked'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const fields = webhookOf(lab.mark)
      for (const wrong of [{ ...fields, target_url: 'not a URL' }, without(fields, 'target_url')]) {
        expectError(
          await post(phone, 'webhook/register', wrong),
          400,
          'parameter_invalid',
          `target_url is ${wrong.target_url ?? 'missing'}`,
        )
      }
    },
  }),
  extensionRule({
    id: 'WEBHOOK-UNREGISTER-01',
    title: 'MUST unregister a webhook and say so in the response',
    section: '6',
    requirements: ['K-hook-1'],
    faults: ['webhook-unregister-response', 'webhook-register-rejected'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      expectObject(await post(phone, 'webhook/register', webhookOf(lab.mark)), 'the webhook is correct')
      const reply = await post(phone, 'webhook/unregister', webhookOf(lab.mark))
      expectSame(expectObject(reply, 'the webhook was registered').unregistered, true, 'unregistered', reply)
    },
  }),
]

const expectSecret = (value: unknown, because: string, at?: Reply): string => {
  const came =
    typeof value === 'string' ? `another text of ${value.length} characters came` : `${showValue(value)} came`
  expect(
    readSecret(value) !== undefined,
    `secret: whsec_ and the base64 of 24 to 64 bytes, because ${because}`,
    came,
    at,
  )
  return String(value)
}

/** Returns the secret of a new webhook, as a setup step. */
const newSecret = (lab: Lab, replica: Replica, event: 'any' | 'tag' = 'any'): Promise<string> =>
  asSetup('a secret for a new webhook', async () =>
    expectSecret((await registerHook(lab, replica, targetUrlOf(lab), event)).secret, 'the webhook is new'),
  )

/** Registers the same webhook through the second application. */
const registerElsewhere = async (lab: Lab): Promise<Reply> => {
  const { clientId, clientSecret } = lab.otherClient()
  const token = await asSetup('a token for the second application', async () =>
    readAccessToken(await lab.token({ client_id: clientId, client_secret: clientSecret })),
  )
  const send = (path: string) =>
    lab.present({ path, form: Object.entries(fieldsOf(targetUrlOf(lab))) }, token, { kind: 'form' })
  lab.afterwards(() => send('webhook/unregister'))
  return send('webhook/register')
}

/** Rules of section 6: secrets and the list of webhooks. They need no message. */
export const webhookSecretRules: readonly Rule[] = [
  extensionRule({
    id: 'WEBHOOK-SECRET-01',
    title: 'MUST give a secret with a new webhook',
    section: '6',
    requirements: ['K-hook-2'],
    faults: ['hook-secret-missing', 'hook-secret-plain', 'hook-secret-short'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      lab.afterwards(() => post(phone, 'webhook/unregister', fieldsOf(targetUrlOf(lab))))
      const reply = await post(phone, 'webhook/register', fieldsOf(targetUrlOf(lab)))
      expectSecret(expectObject(reply, 'the webhook is correct').secret, 'the webhook is new', reply)
    },
  }),
  extensionRule({
    id: 'WEBHOOK-SECRET-02',
    title: 'MUST NOT give a secret again when the same webhook is registered again',
    section: '6',
    requirements: ['K-hook-2'],
    faults: ['hook-secret-again', 'hook-secret-renewed', 'hook-again-rejected'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await newSecret(lab, phone)
      const reply = await post(phone, 'webhook/register', fieldsOf(targetUrlOf(lab)))
      const json = expectObject(reply, 'registering again is fine')
      expect(json.secret === undefined, 'no secret, because it was shown once', 'one came', reply)
    },
  }),
  extensionRule({
    id: 'WEBHOOK-SECRET-03',
    title: 'MUST give each webhook a secret of its own',
    section: '6',
    requirements: ['K-hook-2'],
    faults: ['hook-secret-shared', 'hook-secret-kept', 'hook-secret-every-other'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const first = await newSecret(lab, phone)
      const second = await newSecret(lab, phone, 'tag')
      expect(first !== second, 'another secret for the other event', 'the same came')
      await post(phone, 'webhook/unregister', fieldsOf(targetUrlOf(lab)))
      const reply = await post(phone, 'webhook/register', fieldsOf(targetUrlOf(lab)))
      const third = expectSecret(reply.json?.secret, 'the webhook is new again', reply)
      expect(third !== first, 'another secret than the webhook had before it was unregistered', 'the same came', reply)
    },
  }),
  extensionRule({
    id: 'WEBHOOK-SECRET-04',
    title: 'MUST NOT show the secret of one user to another who registers the same webhook',
    section: '6',
    requirements: ['K-hook-2'],
    faults: ['hook-secret-of-address', 'hook-taken-by-other-user'],
    check: async (lab) => {
      const first = await newSecret(lab, await lab.replica('phone'))
      const otherUser = await lab.otherUser()
      lab.afterwards(() => post(otherUser, 'webhook/unregister', fieldsOf(targetUrlOf(lab))))
      const reply = await post(otherUser, 'webhook/register', fieldsOf(targetUrlOf(lab)))
      const second = expectSecret(reply.json?.secret, 'the webhook is new to this user', reply)
      expect(second !== first, 'another secret for the other user', "the first user's came", reply)
    },
  }),
  extensionRule({
    id: 'WEBHOOK-SECRET-05',
    title: 'MUST NOT show the secret of one application to another that registers the same webhook',
    section: '6',
    requirements: ['K-hook-2'],
    faults: ['hook-secret-other-app', 'hook-taken-by-other-app'],
    check: async (lab) => {
      lab.otherClient()
      const first = await newSecret(lab, await lab.replica('phone'))
      const reply = await registerElsewhere(lab)
      const second = expectSecret(reply.json?.secret, 'the webhook is new to this application', reply)
      expect(second !== first, 'another secret for the other application', "the first application's came", reply)
    },
  }),
  extensionRule({
    id: 'WEBHOOK-LIST-02',
    title: 'MUST NOT show secrets in webhook/list',
    section: '6',
    requirements: ['K-hook-9'],
    faults: ['hook-list-with-secrets', 'hook-list-missing'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const secret = await newSecret(lab, phone)
      const reply = await get(phone, 'webhook/list')
      expect(reply.text.includes(lab.mark), 'the webhook that was registered', describeReply(reply), reply)
      const isShown = reply.text.includes(secret) || /whsec_|"secret"/.test(reply.text)
      expect(!isShown, 'no secret', 'one came', reply)
    },
  }),
]

/** Returns the webhooks at the URL, as webhook/list shows them to the replica. */
export const findListed = async (replica: Replica, target: string) => {
  const reply = await get(replica, 'webhook/list')
  const all = expectArray(reply, 'webhook/list returns a list')
  return { reply, all, listed: all.filter(({ target_url: url }) => url === target) }
}

/**
 * Waits until the only webhook at the URL satisfies the condition, and returns what webhook/list shows of it; the
 * server may store it a little later.
 */
const findListedOnce = async (lab: Lab, replica: Replica, target: string, field: string): Promise<JsonObject> => {
  const until = performance.now() + lab.options.timeouts.eventMs
  for (;;) {
    const { listed, reply } = await findListed(replica, target)
    const [only] = listed
    if (only?.[field] !== undefined) return only
    const expected = `the webhook at ${target} with ${field}`
    expect(performance.now() < until, expected, describeReply(reply), reply)
  }
}

/** 169.254.169.254, where clouds keep the keys of a machine, in its usual spellings, and other forbidden addresses. */
const forbidden = [
  'http://169.254.169.254/',
  'http://2852039166/',
  'http://0xA9FEA9FE/',
  'http://[::ffff:169.254.169.254]/',
  'http://[fe80::1]/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
]

/** Rules of section 6: the list of webhooks, its maximum length, and permitted URLs. */
export const webhookListRules: readonly Rule[] = [
  extensionRule({
    id: 'WEBHOOK-LIST-01',
    title: 'MUST list a webhook as it was registered, until it is unregistered',
    section: '6',
    requirements: ['K-hook-9'],
    faults: ['hook-list-missing', 'hook-list-without-event', 'hook-unregister-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const target = targetUrlOf(lab)
      await registerHook(lab, phone, target, 'tag')
      const { reply, listed } = await findListed(phone, target)
      expectSame(
        listed.map(({ event }) => event),
        ['tag'],
        'the events of the webhooks at the registered URL',
        reply,
      )
      await post(phone, 'webhook/unregister', fieldsOf(target, 'tag'))
      const after = await findListed(phone, target)
      expectSame(after.listed, [], 'the webhooks at the unregistered URL', after.reply)
    },
  }),
  extensionRule({
    id: 'WEBHOOK-LIST-03',
    title: "MUST NOT list another user's webhooks",
    section: '6',
    requirements: ['K-hook-9'],
    faults: ['hook-list-of-all-users'],
    check: async (lab) => {
      await registerHook(lab, await lab.replica('phone'), targetUrlOf(lab))
      const otherUser = await lab.otherUser()
      await registerHook(lab, otherUser, `${targetUrlOf(lab)}/2`)
      const { reply, all } = await findListed(otherUser, targetUrlOf(lab))
      const listed = all.map(({ target_url: url }) => url).filter((url) => `${url}`.includes(lab.mark))
      expectSame(listed, [`${targetUrlOf(lab)}/2`], "the URLs of this rule in the other user's list", reply)
    },
  }),
  extensionRule({
    id: 'WEBHOOK-LIST-04',
    title: 'MUST list when a webhook last took a message, and why the last one failed',
    section: '6',
    requirements: ['K-hook-9'],
    faults: [
      'hook-list-without-success',
      'hook-list-without-failure',
      'hook-list-success-text',
      'hook-list-success-of-failure',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const good = await openHook(lab, phone)
      const bad = lab.mailbox(() => ({ status: 500 }))
      await registerHook(lab, phone, bad.url)
      await phone.create()
      await takeMessage(lab, good, 'phone created a thing')
      await takeMessage(lab, bad, 'phone created a thing')
      const taken = await findListedOnce(lab, phone, good.url, 'last_success')
      expect(
        typeof taken.last_success === 'number' && taken.last_failure === undefined,
        'last_success, a Unix time, and no last_failure, because the only message was taken',
        JSON.stringify(taken),
      )
      const failed = await findListedOnce(lab, phone, bad.url, 'last_failure')
      expect(failed.last_success === undefined, 'no last_success, because no message was taken', JSON.stringify(failed))
    },
  }),
  extensionRule({
    id: 'WEBHOOK-LIMIT-01',
    title: 'MUST take no more than 20 webhooks of a user',
    section: '6',
    requirements: ['K-hook-9'],
    faults: ['hook-limit-none', 'hook-limit-other-error'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await registerHook(lab, phone, targetUrlOf(lab))
      for (let count = 2; count <= 21; count += 1) {
        const target = `${targetUrlOf(lab)}/${count}`
        lab.afterwards(() => post(phone, 'webhook/unregister', fieldsOf(target)))
        const reply = await post(phone, 'webhook/register', fieldsOf(target))
        // Other applications of the user may have webhooks that the list does not show.
        if (reply.status === 200 && count < 21) continue
        expectError(reply, 400, 'parameter_invalid', `the user has 20 webhooks, and these are ${count} at least`)
        return
      }
    },
  }),
  extensionRule({
    id: 'WEBHOOK-ADDRESS-01',
    title: 'MUST reject a webhook at an address that is not public, however it is spelled',
    section: '6',
    requirements: ['K-hook-8', 'K-error-1'],
    faults: ['hook-address-unchecked', 'hook-address-by-text', 'webhook-register-rejected'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await registerHook(lab, phone, targetUrlOf(lab))
      for (const address of forbidden) {
        const target = `${address}${lab.mark}`
        lab.afterwards(() => post(phone, 'webhook/unregister', fieldsOf(target)))
        const reply = await post(phone, 'webhook/register', fieldsOf(target))
        expectError(reply, 400, 'parameter_invalid', `${address} is no public address`)
      }
    },
  }),
  extensionRule({
    id: 'WEBHOOK-ADDRESS-02',
    title: 'MUST reject a webhook whose URL has a user name or a password in it',
    section: '6',
    requirements: ['K-hook-8', 'K-error-1'],
    faults: ['hook-credentials-taken'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const credentials of ['anna:secret', 'anna']) {
        const target = `https://${credentials}@example.org/${lab.mark}`
        lab.afterwards(() => post(phone, 'webhook/unregister', fieldsOf(target)))
        const reply = await post(phone, 'webhook/register', fieldsOf(target))
        expectError(reply, 400, 'parameter_invalid', 'the URL holds credentials')
      }
    },
  }),
]
