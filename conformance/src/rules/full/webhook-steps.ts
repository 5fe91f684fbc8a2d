import { expect } from '../../expect.ts'
import { asSetup, Finding } from '../../finding.ts'
import { isObject, type Json, type JsonObject, listOf, showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import type { Delivery, Mailbox } from '../../receiver/mailbox.ts'
import type { Replica } from '../../replica.ts'
import { expectObject, type Fields, post } from './answers.ts'

/** The events for which a webhook can be registered. */
export const hookEvents = ['new_thing', 'changed_thing', 'deleted_thing', 'tag', 'any'] as const

/** One of them. */
export type HookEvent = (typeof hookEvents)[number]

/** An address that is fine to register and that nothing listens at. */
export const addressOf = (lab: Lab): string => `https://example.org/${lab.mark}`

/** Parameters of a webhook at an address that answers nobody. */
export const fieldsOf = (target: string, event: string = 'any'): Fields => ({ target_url: target, event })

/** Registers a webhook as a preparing step and unregisters it when the rule is over; what was answered. */
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

/** A new mailbox at which a webhook of the replica's user is registered. */
export const openHook = async (lab: Lab, replica: Replica, event: HookEvent = 'any'): Promise<Mailbox> => {
  const mailbox = lab.mailbox()
  await registerHook(lab, replica, mailbox.url, event)
  return mailbox
}

/** A message to a webhook, read leniently: what is missing or of another type reads as empty. */
export interface Message {
  readonly delivery: Delivery
  readonly json: JsonObject
  readonly data: JsonObject
  readonly pos: number
  readonly ids: readonly string[]
  readonly things: readonly JsonObject[]
}

const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

/** Reads what was delivered. */
export const readMessage = (lab: Lab, delivery: Delivery): Message => {
  const json = objectOf(lab.readJson(delivery.body.toString('utf8')))
  const data = objectOf(json.data)
  const pos = typeof data.pos === 'number' ? data.pos : Number.NaN
  return { delivery, json, data, pos, ids: listOf(data.ids).map(String), things: listOf(data.things).filter(isObject) }
}

/** A message in a few words, for a finding. */
export const describeMessage = ({ delivery }: Message): string =>
  `${delivery.method} ${showValue(delivery.body.toString('utf8'), 400)} came`

/** Messages in a few words, for a finding. */
export const describeAll = (messages: readonly Message[]): string =>
  messages.map(describeMessage).join(', ').slice(0, 800)

const secondsOf = (milliseconds: number): string => `${Math.round(milliseconds / 100) / 10} s`

/** The next message to a mailbox; a Finding when none comes. */
export const takeMessage = async (
  lab: Lab,
  mailbox: Mailbox,
  because: string,
  patienceMs: number = lab.options.patience.eventMs,
): Promise<Message> => {
  const started = performance.now()
  const delivery = await mailbox.take(patienceMs)
  if (delivery !== undefined) return readMessage(lab, delivery)
  throw new Finding(
    `a message at ${mailbox.url}, because ${because}`,
    `none came within ${secondsOf(performance.now() - started)}`,
  )
}

/** The messages up to one for which something holds; a Finding when none does. */
export const takeUntil = async (
  lab: Lab,
  mailbox: Mailbox,
  isLast: (message: Message) => boolean,
  because: string,
  patienceMs: number = lab.options.patience.eventMs,
): Promise<readonly Message[]> => {
  const until = performance.now() + patienceMs
  const messages: Message[] = []
  for (;;) {
    const delivery = await mailbox.take(until - performance.now())
    if (delivery === undefined) {
      const came = messages.length === 0 ? 'none came' : describeAll(messages)
      throw new Finding(`a message at ${mailbox.url}, because ${because}`, `${came} within ${secondsOf(patienceMs)}`)
    }
    const message = readMessage(lab, delivery)
    messages.push(message)
    if (isLast(message)) return messages
  }
}

/** The messages up to one that names the thing. */
export const takeUntilThing = (
  lab: Lab,
  mailbox: Mailbox,
  id: string,
  because: string,
  patienceMs?: number,
): Promise<readonly Message[]> =>
  takeUntil(lab, mailbox, ({ ids }) => ids.includes(id), `${because}, thing ${id}`, patienceMs)

/** Expects something of a message. */
export const expectOf = (message: Message, holds: boolean, expected: string): void =>
  expect(holds, `a message with ${expected}`, describeMessage(message))
