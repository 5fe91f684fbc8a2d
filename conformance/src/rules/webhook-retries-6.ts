import { expect } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { isSignedBy } from '../receiver/message-crypto.ts'
import type { DeliveryResponse, Mailbox } from '../receiver/receiver.ts'
import { extensionRule, type Rule } from '../rule.ts'
import {
  describeMessage,
  findListed,
  type Message,
  openHook,
  registerHook,
  takeMessage,
  takeUntil,
  takeUntilThing,
} from './webhooks-6.ts'

/** Opens a mailbox that fails its first request only. */
const openFailing = (lab: Lab, first: DeliveryResponse): Mailbox =>
  lab.mailbox(({ index }) => (index === 0 ? first : { status: 204 }))

const idOf = ({ delivery }: Message): string => delivery.headers['webhook-id'] ?? 'none'

/** The first attempt of a message and the next one. */
interface Tries {
  readonly id: string
  readonly secret: string
  readonly first: Message
  readonly again: Message
}

/** Fails the first message to a webhook and waits for its retry. @throws Finding when none comes. */
const failOnce = async (lab: Lab, mailbox: Mailbox, because: string): Promise<Tries> => {
  const phone = await lab.replica('phone')
  const { secret } = await registerHook(lab, phone, mailbox.url, 'new_thing')
  const id = await phone.create()
  const first = await takeMessage(lab, mailbox, `phone created thing ${id}`)
  const again = await takeMessage(lab, mailbox, because, lab.options.timeouts.retryMs)
  return { id, secret: String(secret), first, again }
}

const expectAgain = ({ first, again }: Tries): void => {
  const [was, is] = [idOf(first), idOf(again)]
  expect(was === is, `the same message again, ${was}, because it was not taken`, `${is} came`)
}

const secondsBetween = ({ first, again }: Tries): number => (again.delivery.at - first.delivery.at) / 1000

/** Rules of section 6: failures and their effects (contract, delivery). They wait for the retry. */
export const webhookRetryRules: readonly Rule[] = [
  extensionRule({
    id: 'WEBHOOK-RETRY-01',
    title: 'MUST try a message again after a 500: with the same webhook-id and the same bytes, signed',
    section: '6',
    requirements: ['K-hook-6', 'K-hook-2'],
    faults: [
      'hook-never-again',
      'hook-error-is-success',
      'hook-again-as-another',
      'hook-again-with-other-bytes',
      'hook-again-badly-signed',
    ],
    waits: true,
    check: async (lab) => {
      const tries = await failOnce(lab, openFailing(lab, { status: 500 }), 'the response to the first attempt was 500')
      expectAgain(tries)
      const { first, again, secret } = tries
      const isSame = first.delivery.body.equals(again.delivery.body)
      expect(isSame, `the same bytes again: ${describeMessage(first)}`, describeMessage(again))
      expect(isSignedBy(secret, again.delivery), 'a signature also of the second try', 'a wrong one came')
    },
  }),
  extensionRule({
    id: 'WEBHOOK-RETRY-02',
    title: 'MUST NOT try a message again at once',
    section: '6',
    requirements: ['K-hook-6'],
    faults: ['hook-again-at-once'],
    waits: true,
    check: async (lab) => {
      const tries = await failOnce(lab, openFailing(lab, { status: 500 }), 'the response to the first attempt was 500')
      const seconds = secondsBetween(tries)
      expect(seconds >= 1, 'a second or more between the tries', `${seconds.toFixed(2)} s`)
    },
  }),
  extensionRule({
    id: 'WEBHOOK-RETRY-03',
    title: 'MUST NOT follow a redirect, and MUST take it for a failure',
    section: '6',
    requirements: ['K-hook-5'],
    faults: [
      'hook-redirect-followed',
      'hook-redirect-followed-in-vain',
      'hook-redirect-is-success',
      'hook-again-as-another',
    ],
    waits: true,
    check: async (lab) => {
      const elsewhere = lab.mailbox()
      const redirect = { status: 307, headers: { location: elsewhere.url } }
      const tries = await failOnce(lab, openFailing(lab, redirect), 'the response to the first attempt was a redirect')
      expectAgain(tries)
      const came = elsewhere.deliveries.length
      expect(came === 0, 'nothing at the URL of the redirect', `${came} requests came there`)
    },
  }),
  extensionRule({
    id: 'WEBHOOK-RETRY-04',
    title: 'MUST try a message again when the connection was closed without a response',
    section: '6',
    requirements: ['K-hook-6'],
    faults: ['hook-close-is-success', 'hook-close-is-forgotten'],
    waits: true,
    check: async (lab) => {
      expectAgain(await failOnce(lab, openFailing(lab, 'close'), 'the first attempt got no response'))
    },
  }),
  extensionRule({
    id: 'WEBHOOK-RETRY-05',
    title: 'MUST deliver what changed while a message waited for its next try, after that message',
    section: '6',
    requirements: ['K-hook-6', 'K-hook-4'],
    faults: ['hook-overtakes-failures', 'hook-forgets-behind-failure', 'hook-again-with-news', 'hook-id-of-hook'],
    waits: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const mailbox = openFailing(lab, { status: 500 })
      await registerHook(lab, phone, mailbox.url, 'new_thing')
      const witness = await openHook(lab, phone, 'new_thing')
      const first = await phone.create()
      const failed = await takeMessage(lab, mailbox, `phone created thing ${first}`)
      const second = await phone.create()
      await takeUntilThing(lab, witness, second, 'phone created it')
      const messages = await takeUntilThing(lab, mailbox, second, 'phone created it', lab.options.timeouts.retryMs)
      const [again] = messages
      const wanted = `${idOf(failed)} again, without ${second}, before anything else`
      const isFirst = again !== undefined && idOf(again) === idOf(failed) && !again.ids.includes(second)
      expect(isFirst, wanted, messages.map((each) => `${idOf(each)} with ${each.ids.join()}`).join(', then '))
      const isOther = messages.at(-1) !== undefined && idOf(messages.at(-1) as Message) !== idOf(failed)
      expect(isOther, `another message for thing ${second}`, 'the same id came')
    },
  }),
  extensionRule({
    id: 'WEBHOOK-RETRY-06',
    title: 'MUST wait as long as Retry-After says',
    section: '6',
    requirements: ['K-hook-5'],
    faults: ['hook-retry-after-ignored'],
    waits: true,
    check: async (lab) => {
      // Longer than a usual first retry delay, and short enough for the user who waits.
      const seconds = Math.floor((lab.options.timeouts.retryMs * 0.45) / 1000)
      const busy = { status: 429, headers: { 'retry-after': `${seconds}` } }
      const tries = await failOnce(lab, openFailing(lab, busy), 'the response to the first attempt was 429')
      const came = secondsBetween(tries)
      expect(came >= seconds, `${seconds} s or more between the tries, as Retry-After says`, `${came.toFixed(2)} s`)
    },
  }),
  extensionRule({
    id: 'WEBHOOK-GONE-01',
    title: 'MUST unregister a webhook that responds with 410, and deliver nothing more to it',
    section: '6',
    requirements: ['K-hook-5'],
    faults: ['hook-gone-kept', 'hook-gone-listed', 'hook-gone-told'],
    waits: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const removed = lab.mailbox(() => ({ status: 410 }))
      await registerHook(lab, phone, removed.url, 'new_thing')
      const other = await openHook(lab, phone, 'new_thing')
      const id = await phone.create()
      await takeMessage(lab, removed, `phone created thing ${id}`)
      const until = performance.now() + lab.options.timeouts.eventMs
      for (;;) {
        const { listed, reply } = await findListed(phone, removed.url)
        if (listed.length === 0) break
        expect(
          performance.now() < until,
          'webhook/list without the webhook that responded with 410',
          'it is listed',
          reply,
        )
      }
      const last = await phone.create()
      await takeUntilThing(lab, other, last, 'phone created it')
      const came = removed.deliveries.length
      expect(came === 1, 'nothing more at the webhook that responded with 410', `${came} messages came`)
    },
  }),
  extensionRule({
    id: 'WEBHOOK-SUCCESS-01',
    title: 'MUST take any other 2xx than 200 for success',
    section: '6',
    requirements: ['K-hook-5'],
    faults: ['hook-only-200-is-success', 'hook-202-is-failure'],
    waits: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const mailbox = lab.mailbox(({ index }) => ({ status: index === 0 ? 202 : 204 }))
      await registerHook(lab, phone, mailbox.url, 'new_thing')
      const first = await phone.create()
      const [taken] = await takeUntilThing(lab, mailbox, first, 'phone created it')
      const second = await phone.create()
      const { retryMs } = lab.options.timeouts
      const isNext = (message: Message): boolean => message.ids.includes(second)
      const messages = await takeUntil(lab, mailbox, isNext, `phone created thing ${second}`, retryMs)
      const isRepeated = taken === undefined || messages.some((message) => idOf(message) === idOf(taken))
      expect(!isRepeated, 'no second attempt of a message whose response was 202', 'one came')
    },
  }),
]
