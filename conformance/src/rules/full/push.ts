import { expect } from '../../expect.ts'
import { asSetup, Finding } from '../../finding.ts'
import { isObject, showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import type { Delivery, Mailbox } from '../../receiver/mailbox.ts'
import { createPushSubscription, type PushSubscription, readVapid } from '../../receiver/push.ts'
import type { Replica } from '../../replica.ts'
import type { Rule } from '../../rule.ts'
import { expectArray, expectObject, type Fields, get, post } from './answers.ts'
import { decided } from './decided.ts'
import { pause } from './live-steps.ts'

const daySeconds = 86_400

/** A webpush device of the replica at the address, as a preparing step; it is unregistered when the rule is over. */
const registerPush = async (lab: Lab, replica: Replica, endpoint: string, id = lab.mark): Promise<PushSubscription> => {
  const subscription = createPushSubscription()
  const fields: Fields = { type: 'webpush', id, endpoint, ...subscription.keys }
  lab.afterwards(() => post(replica, 'unregister/device', fields))
  await asSetup('registering a device', async () =>
    expectObject(await post(replica, 'register/device', fields), 'the device is correct'),
  )
  return subscription
}

/** The next push message to a mailbox; a Finding when none comes. */
const takePush = async (lab: Lab, mailbox: Mailbox, because: string): Promise<Delivery> => {
  const { eventMs } = lab.options.patience
  const delivery = await mailbox.take(eventMs)
  if (delivery !== undefined) return delivery
  throw new Finding(`a push message at ${mailbox.url}, because ${because}`, `none came within ${eventMs / 1000} s`)
}

/** The position that a push message tells its device; a Finding when it tells none. */
const readPosition = (lab: Lab, subscription: PushSubscription, delivery: Delivery): number => {
  const opened = subscription.open(delivery)
  const came = 'wrong' in opened ? opened.wrong : showValue(opened.text)
  const json = 'text' in opened ? lab.readJson(opened.text) : undefined
  const pos = isObject(json) ? json.pos : undefined
  expect(typeof pos === 'number', 'a message in aes128gcm (RFC 8291) that decrypts to {"pos": N}', `${came} came`)
  return pos
}

/** The positions of the messages up to one that is at least as late. */
const takePositions = async (
  lab: Lab,
  mailbox: Mailbox,
  subscription: PushSubscription,
  position: number,
  because: string,
): Promise<readonly number[]> => {
  const positions: number[] = []
  for (;;) {
    const pos = readPosition(lab, subscription, await takePush(lab, mailbox, `${because}, which ended at ${position}`))
    positions.push(pos)
    if (pos >= position) return positions
  }
}

/** A device of phone that was told of a change of laptop. */
const takeFirst = async (
  lab: Lab,
): Promise<{ mailbox: Mailbox; delivery: Delivery; subscription: PushSubscription }> => {
  const mailbox = lab.mailbox(() => ({ status: 201 }))
  const subscription = await registerPush(lab, await lab.replica('phone'), mailbox.url)
  await (await lab.replica('laptop')).create()
  return { mailbox, subscription, delivery: await takePush(lab, mailbox, 'laptop created a thing') }
}

/** Rules of section 6: Web Push (contract, delivery). The suite's receiver plays the push service. */
export const pushRules: readonly Rule[] = [
  decided({
    id: 'PUSH-MESSAGE-01',
    title: 'MUST tell a webpush device of a change by an encrypted message that holds the position',
    section: '6',
    clauses: ['K-push-1'],
    faults: [
      'push-never',
      'push-put',
      'push-plain',
      'push-plain-at-first',
      'push-without-secret',
      'push-without-pos',
      'push-old-pos',
    ],
    alone: true,
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      const { delivery, mailbox, subscription } = await takeFirst(lab)
      expect(delivery.method === 'POST', 'a POST (RFC 8030)', `${delivery.method} came`)
      readPosition(lab, subscription, delivery)
      await laptop.create()
      await takePositions(lab, mailbox, subscription, await laptop.position(), 'laptop created a thing')
    },
  }),
  decided({
    id: 'PUSH-HEADERS-01',
    title: 'MUST send push messages with a day to live and one topic, so that the newest replaces the older',
    section: '6',
    clauses: ['K-push-1'],
    faults: ['push-without-ttl', 'push-ttl-long', 'push-without-topic', 'push-topic-each', 'push-topic-long'],
    alone: true,
    check: async (lab) => {
      const { delivery, mailbox } = await takeFirst(lab)
      const { ttl = 'none', topic = 'none' } = delivery.headers
      expect(Number(ttl) === daySeconds, `TTL: ${daySeconds}`, `${ttl} came`)
      expect(
        /^[\w-]{1,32}$/.test(topic) && topic !== 'none',
        'a Topic of up to 32 characters of base64url',
        `${topic} came`,
      )
      await (await lab.replica('laptop')).create()
      const next = (await takePush(lab, mailbox, 'laptop created another thing')).headers.topic
      expect(next === topic, `the same Topic again, ${topic}`, `${next} came`)
    },
  }),
  decided({
    id: 'PUSH-VAPID-01',
    title:
      'MUST sign push messages (RFC 8292) with the key that device/key answers, for the push service, for a day at most',
    section: '6',
    clauses: ['K-push-1', 'K-push-5'],
    faults: [
      'push-without-vapid',
      'push-vapid-other-key',
      'push-vapid-badly-signed',
      'push-vapid-audience',
      'push-vapid-for-ever',
    ],
    alone: true,
    check: async (lab) => {
      const { delivery, mailbox } = await takeFirst(lab)
      const vapid = readVapid(delivery)
      const given = `${delivery.headers.authorization ?? 'none'} came`
      expect(vapid?.isSigned === true, 'Authorization: vapid t=…, k=…, a token signed by ES256', given)
      const { key } = expectObject(await get(await lab.replica('phone'), 'device/key'), 'it answers the key')
      expect(vapid.key === key, `the key of device/key, ${key}`, `${vapid.key} came`)
      const { aud, exp } = vapid.claims
      const { origin } = new URL(mailbox.url)
      expect(aud === origin, `aud ${origin}, the origin of the endpoint`, `${showValue(aud)} came`)
      // Clocks may differ by a few minutes.
      const left = Number(exp) - delivery.date
      const isSoon = left > -300 && left <= daySeconds + 300
      expect(isSoon, 'exp within the next 24 hours', `${showValue(exp)} came, in ${Math.round(left)} s`)
    },
  }),
  decided({
    id: 'PUSH-OWN-01',
    title: "MUST NOT tell a device of its own session's changes",
    section: '6',
    clauses: ['K-push-1'],
    faults: ['push-own-changes'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [mine, theirs] = [lab.mailbox(() => ({ status: 201 })), lab.mailbox(() => ({ status: 201 }))]
      const subscription = await registerPush(lab, phone, mine.url)
      await registerPush(lab, laptop, theirs.url, `${lab.mark}2`)
      await phone.create()
      await takePush(lab, theirs, 'phone created a thing')
      await laptop.create()
      const told = await takePositions(lab, mine, subscription, await laptop.position(), 'laptop created a thing')
      expect(told.length === 1, "one message, of laptop's change, and none of phone's own", `${told} came`)
    },
  }),
  decided({
    id: 'PUSH-USER-01',
    title: "MUST NOT tell a device of another user's changes",
    section: '6',
    clauses: ['K-push-1'],
    faults: ['push-told-of-all-users'],
    alone: true,
    check: async (lab) => {
      const stranger = await lab.stranger()
      const other = await lab.stranger('stranger-2')
      const [mine, theirs] = [lab.mailbox(() => ({ status: 201 })), lab.mailbox(() => ({ status: 201 }))]
      const subscription = await registerPush(lab, await lab.replica('phone'), mine.url)
      await registerPush(lab, stranger, theirs.url)
      await other.create()
      await takePush(lab, theirs, 'stranger-2 created a thing')
      const laptop = await lab.replica('laptop')
      await laptop.create()
      const told = await takePositions(lab, mine, subscription, await laptop.position(), 'laptop created a thing')
      expect(told.length === 1, "one message, of laptop's change, and none of stranger-2's", `${told} came`)
    },
  }),
  decided({
    id: 'PUSH-GONE-01',
    title: 'MUST forget a device whose push service answers 404 or 410',
    section: '6',
    clauses: ['K-push-2'],
    faults: ['push-gone-kept', 'push-missing-kept'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const gone = [404, 410].map((status) => ({
        status,
        id: `${lab.mark}${status}`,
        mailbox: lab.mailbox(() => ({ status })),
      }))
      for (const { id, mailbox } of gone) await registerPush(lab, phone, mailbox.url, id)
      await (await lab.replica('laptop')).create()
      for (const { mailbox } of gone) await takePush(lab, mailbox, 'laptop created a thing')
      const until = performance.now() + lab.options.patience.eventMs
      for (;;) {
        const reply = await get(phone, 'device/list')
        const left = expectArray(reply, 'it lists devices').map(({ id }) => `${id}`)
        const [kept] = gone.filter(({ id }) => left.includes(id))
        if (kept === undefined) return
        const expected = `device/list without the device whose push service answered ${kept.status}`
        expect(performance.now() < until, expected, 'it is listed', reply)
        await pause(50)
      }
    },
  }),
  decided({
    id: 'PUSH-AGAIN-01',
    title: 'MUST send to the last address alone that was registered under an id',
    section: '6',
    clauses: ['K-push-2'],
    faults: ['push-to-old-address', 'push-to-all-addresses'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [old, current] = [lab.mailbox(() => ({ status: 201 })), lab.mailbox(() => ({ status: 201 }))]
      await registerPush(lab, phone, old.url)
      const subscription = await registerPush(lab, phone, current.url)
      // The second change comes when the first was told, to whatever address.
      for (const which of ['a', 'another']) {
        await laptop.create()
        await takePositions(lab, current, subscription, await laptop.position(), `laptop created ${which} thing`)
      }
      const came = old.deliveries.length
      expect(came === 0, 'nothing at the address that was replaced', `${came} messages came`)
    },
  }),
]
