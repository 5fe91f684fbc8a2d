import { isObject, showValue } from '../encoding.ts'
import { expect } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { isSignedBy } from '../receiver/message-crypto.ts'
import type { DeliveryResponse } from '../receiver/receiver.ts'
import type { Replica } from '../replica.ts'
import { asSetup } from '../result.ts'
import { extensionRule, type Rule } from '../rule.ts'
import { post } from './operation-steps.ts'
import { skipIfRejected } from './upload-steps.ts'
import {
  describeAll,
  describeMessage,
  expectOf,
  fieldsOf,
  type Message,
  openHook,
  registerHook,
  takeMessage,
  takeUntil,
  takeUntilThing,
} from './webhooks-6.ts'

/** Clock difference that Standard Webhooks advises to accept, in seconds. */
const toleranceSeconds = 300

const maxBytes = 16 * 1024

/** Returns the message about a thing that phone created, at a webhook for new things. */
const takeNewThing = async (lab: Lab, fields = {}): Promise<{ id: string; message: Message }> => {
  const phone = await lab.replica('phone')
  const mailbox = await openHook(lab, phone, 'new_thing')
  const id = await phone.create(fields)
  return { id, message: await takeMessage(lab, mailbox, `phone created thing ${id}`) }
}

const isDateTime = (text: unknown): boolean =>
  typeof text === 'string' &&
  /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text) &&
  !Number.isNaN(Date.parse(text))

/** Rules of section 6: messages to webhooks (contract, delivery). */
export const webhookMessageRules: readonly Rule[] = [
  extensionRule({
    id: 'WEBHOOK-MESSAGE-01',
    title: 'MUST notify a webhook of a change by a POST of JSON to its URL',
    section: '6',
    requirements: ['K-hook-3'],
    faults: [
      'hook-never-told',
      'hook-operation-untold',
      'hook-put',
      'hook-content-type',
      'hook-form',
      'hook-data-flat',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const mailbox = await openHook(lab, phone)
      await asSetup('thing/add', () =>
        phone.send({ method: 'POST', path: 'thing/add', form: [['title', lab.unique()]] }),
      )
      const message = await takeMessage(lab, mailbox, 'thing/add created a thing')
      expectOf(message, message.delivery.method === 'POST', 'the method POST')
      const type = message.delivery.headers['content-type'] ?? 'none'
      expect(/^application\/json\b/i.test(type), 'a message of the type application/json', `${type} came`)
      expectOf(message, isObject(message.json.data as never), 'a JSON object that has data')
      await phone.create()
      await takeMessage(lab, mailbox, 'phone uploaded a thing')
    },
  }),
  extensionRule({
    id: 'WEBHOOK-SIGN-01',
    title: 'MUST sign a message with the secret of its webhook as Standard Webhooks 1.0 has it',
    section: '6',
    requirements: ['K-hook-2'],
    faults: [
      'hook-unsigned',
      'hook-signs-body-alone',
      'hook-signature-hex',
      'hook-signature-without-version',
      'hook-key-undecoded',
      'hook-header-names',
      'hook-secret-of-other-hook',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const event of ['any', 'new_thing'] as const) {
        const mailbox = lab.mailbox()
        const { secret } = await registerHook(lab, phone, mailbox.url, event)
        await phone.create()
        const message = await takeMessage(lab, mailbox, 'phone created a thing')
        const { headers } = message.delivery
        const came = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => `${name}: ${headers[name]}`)
        expect(
          isSignedBy(String(secret), message.delivery),
          'webhook-signature with v1, and the HMAC-SHA256 of id.timestamp.body as base64, by the secret of this webhook',
          `${came.join(', ')} came`,
        )
      }
    },
  }),
  extensionRule({
    id: 'WEBHOOK-SIGN-02',
    title: 'MUST put the time of sending into webhook-timestamp, in seconds',
    section: '6',
    requirements: ['K-hook-2'],
    faults: ['hook-timestamp-milliseconds', 'hook-timestamp-local'],
    alone: true,
    check: async (lab) => {
      const { message } = await takeNewThing(lab)
      const given = message.delivery.headers['webhook-timestamp'] ?? 'none'
      const seconds = /^\d+$/.test(given) ? Number(given) : Number.NaN
      expect(
        Math.abs(seconds - message.delivery.date) <= toleranceSeconds,
        `webhook-timestamp within five minutes of ${Math.floor(message.delivery.date)}, when it came`,
        `${given} came`,
      )
    },
  }),
  extensionRule({
    id: 'WEBHOOK-SIGN-03',
    title: 'MUST give each message a webhook-id of its own',
    section: '6',
    requirements: ['K-hook-2'],
    faults: ['hook-id-of-hook'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const mailbox = await openHook(lab, phone)
      const ids = new Set<string | undefined>()
      for (const number of [1, 2]) {
        await phone.create()
        const { delivery } = await takeMessage(lab, mailbox, `phone created thing ${number}`)
        const id = delivery.headers['webhook-id']
        expect(id !== undefined && !ids.has(id), 'another webhook-id than before', `${id} came again`)
        ids.add(id)
      }
    },
  }),
  extensionRule({
    id: 'WEBHOOK-BODY-01',
    title: 'MUST name in type the event of the webhook, and in timestamp a time as RFC 3339 has it',
    section: '6',
    requirements: ['K-hook-3'],
    faults: ['hook-type-other', 'hook-body-timestamp-number'],
    alone: true,
    check: async (lab) => {
      const { message } = await takeNewThing(lab)
      expectOf(message, message.json.type === 'new_thing', 'type new_thing')
      expectOf(message, isDateTime(message.json.timestamp), 'timestamp, a date and time of RFC 3339')
    },
  }),
  extensionRule({
    id: 'WEBHOOK-BODY-02',
    title: 'MUST put into data.pos a position from which nothing delivered is listed again, and everything else is',
    section: '6',
    requirements: ['K-hook-3', 'K-hook-4'],
    faults: ['hook-pos-missing', 'hook-pos-early', 'hook-pos-beyond'],
    alone: true,
    check: async (lab) => {
      const { id, message } = await takeNewThing(lab)
      const laptop = await lab.replica('laptop')
      const next = await laptop.create()
      const { pos } = message
      const response = Number.isFinite(pos) ? await (await lab.replica('tablet')).sync({ from: pos }) : undefined
      const came =
        response === undefined ? describeMessage(message) : `from ${pos} it lists ${showValue(response.changed)}`
      expect(
        response?.things.has(id) === false && response.things.has(next),
        `data.pos, a position from which a sync lists ${next}, created since, and not ${id}`,
        came,
        response,
      )
    },
  }),
  extensionRule({
    id: 'WEBHOOK-BODY-03',
    title: 'MUST put into data.ids the ids of what changed, and no others',
    section: '6',
    requirements: ['K-hook-3'],
    faults: ['hook-ids-missing', 'hook-ids-of-everything', 'hook-ids-of-one'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.create()
      const mailbox = await openHook(lab, phone, 'new_thing')
      const created = await phone.createMany([{}, {}])
      const message = await takeMessage(lab, mailbox, `phone created ${created.join(' and ')}`)
      expect(
        showValue([...message.ids].sort()) === showValue([...created].sort()),
        `data.ids with ${created.join(' and ')}, created in one upload, and no others`,
        describeMessage(message),
      )
    },
  }),
  extensionRule({
    id: 'WEBHOOK-BODY-04',
    title: 'MUST put the things into data.things as a listing shows them, while the message is small',
    section: '6',
    requirements: ['K-hook-3'],
    faults: ['hook-things-missing', 'hook-things-unlike-listing'],
    alone: true,
    check: async (lab) => {
      const { id, message } = await takeNewThing(lab, { tags: 'a b', url: 'https://example.org/', html: '<p>x</p>' })
      const listed = await asSetup('listing the thing', async () =>
        (await (await lab.replica('laptop')).listAll()).things.get(id),
      )
      const sorted = (value: unknown): string =>
        JSON.stringify(isObject(value) ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value)
      const [only, ...more] = message.things
      const isSame = more.length === 0 && sorted(only) === sorted(listed)
      expect(isSame, `data.things with ${showValue(listed)} alone, as it is listed`, describeMessage(message))
    },
  }),
  extensionRule({
    id: 'WEBHOOK-BODY-05',
    title: 'MUST NOT put things into a message that would reach 16 KiB with them',
    section: '6',
    requirements: ['K-hook-3'],
    faults: ['hook-things-however-large', 'hook-large-without-ids'],
    alone: true,
    check: async (lab) => {
      const html = 'x'.repeat(maxBytes)
      await skipIfRejected(lab, 'a note of 16 KiB', { new_thing: [{ local_id: lab.unique(), title: 'x', html }] })
      const { id, message } = await takeNewThing(lab, { html })
      expectOf(message, message.ids.includes(id), `the id ${id}`)
      const { length } = message.delivery.body
      expect(message.data.things === undefined, 'no things, because they are too large', `${length} bytes came`)
    },
  }),
  extensionRule({
    id: 'WEBHOOK-BODY-06',
    title: 'MUST put at most 500 ids into a message, and say truncated where there are more',
    section: '6',
    requirements: ['K-hook-3'],
    faults: ['hook-ids-all', 'hook-truncation-unsaid', 'hook-truncated-always'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const many = () => Array.from({ length: 501 }, () => ({ local_id: lab.unique(), title: 'one of many' }))
      await skipIfRejected(lab, 'an upload of 501 things', { new_thing: many() })
      const mailbox = await openHook(lab, phone, 'new_thing')
      const from = await phone.position()
      await asSetup('creating 501 things', () => phone.sync({ from, new_thing: many() }))
      const message = await takeMessage(lab, mailbox, 'phone created 501 things')
      const seen = { ids: message.ids.length, truncated: message.data.truncated }
      expect(
        seen.ids === 500 && seen.truncated === true,
        '500 ids and truncated: true, because 501 things were created',
        `${showValue(seen)} came`,
      )
      const id = await phone.create()
      const little = await takeMessage(lab, mailbox, `phone created thing ${id}`)
      const isPlain = little.ids.join() === id && (little.data.truncated ?? false) === false
      expectOf(little, isPlain, `the id ${id} alone, and without truncated`)
    },
  }),
]

const names = (messages: readonly Message[], id: string): boolean => messages.some(({ ids }) => ids.includes(id))

/** Registers a webhook of each of two users; returns their secrets. */
const registerBoth = async (
  lab: Lab,
  ...hooks: readonly [readonly [Replica, string], readonly [Replica, string]]
): Promise<readonly [string, string]> => {
  const [[first, mine], [second, theirs]] = hooks
  const own = await registerHook(lab, first, mine)
  const foreign = await registerHook(lab, second, theirs)
  return [String(own.secret), String(foreign.secret)]
}

/**
 * Rules of section 6: which webhooks get which messages (contract, delivery). A last message shows that no other
 * message came before it.
 */
export const webhookEventRules: readonly Rule[] = [
  extensionRule({
    id: 'WEBHOOK-EVENT-01',
    title: 'MUST NOT notify a webhook for new things of changes, deletions and tag settings',
    section: '6',
    requirements: ['K-hook-10'],
    faults: ['hook-event-ignored', 'hook-new-told-of-changes', 'hook-new-told-of-deletions', 'hook-new-told-of-tags'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [changed = '', deleted = ''] = await phone.createMany([{}, {}])
      const mailbox = await openHook(lab, phone, 'new_thing')
      await phone.change(changed)
      await phone.remove(deleted)
      await phone.setTag(lab.unique(), { favorite: true })
      const created = await phone.create()
      const message = await takeMessage(lab, mailbox, `phone created thing ${created}`)
      expectOf(message, message.ids.join() === created, `the id ${created} alone, because nothing else is new`)
    },
  }),
  extensionRule({
    id: 'WEBHOOK-EVENT-02',
    title: 'MUST notify a webhook for changed things of changes, and NOT of new things, deletions and tag settings',
    section: '6',
    requirements: ['K-hook-10'],
    faults: [
      'hook-event-ignored',
      'hook-ids-of-other-events',
      'hook-type-new-thing',
      'hook-things-first-state',
      'hook-changed-told-of-new',
      'hook-changes-untold',
      'hook-changed-told-of-deletions',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [changed = '', deleted = ''] = await phone.createMany([{}, {}])
      const mailbox = await openHook(lab, phone, 'changed_thing')
      await phone.create()
      await phone.remove(deleted)
      await phone.setTag(lab.unique(), { favorite: true })
      const title = lab.unique()
      await phone.change(changed, { title })
      const message = await takeMessage(lab, mailbox, `phone changed thing ${changed}`)
      expectOf(message, message.ids.join() === changed, `the id ${changed} alone, because nothing else was changed`)
      expectOf(message, message.json.type === 'changed_thing', 'type changed_thing')
      const notified = message.things.find(({ _id: id }) => id === changed)
      expectOf(message, notified?.title === title, `the thing with its new title ${title}`)
    },
  }),
  extensionRule({
    id: 'WEBHOOK-EVENT-03',
    title: 'MUST notify a webhook for deleted things of deletions by their ids, and of nothing else',
    section: '6',
    requirements: ['K-hook-10', 'K-hook-3'],
    faults: [
      'hook-event-ignored',
      'hook-ids-of-other-events',
      'hook-type-new-thing',
      'hook-deletions-untold',
      'hook-things-of-deletions',
      'hook-deleted-told-of-changes',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [changed = '', deleted = ''] = await phone.createMany([{}, {}])
      const mailbox = await openHook(lab, phone, 'deleted_thing')
      await phone.create()
      await phone.change(changed)
      await phone.setTag(lab.unique(), { favorite: true })
      await phone.remove(deleted)
      const message = await takeMessage(lab, mailbox, `phone deleted thing ${deleted}`)
      expectOf(message, message.ids.join() === deleted, `the id ${deleted} alone, because nothing else was deleted`)
      expectOf(message, message.json.type === 'deleted_thing', 'type deleted_thing')
      expectOf(message, message.data.things === undefined, 'no things, because what was deleted has no form')
    },
  }),
  extensionRule({
    id: 'WEBHOOK-EVENT-04',
    title: 'MUST notify a webhook for tags of the settings that changed, and of nothing else',
    section: '6',
    requirements: ['K-hook-10', 'K-hook-3'],
    faults: [
      'hook-event-ignored',
      'hook-ids-of-other-events',
      'hook-type-new-thing',
      'hook-tags-missing',
      'hook-tags-untold',
      'hook-tag-told-of-things',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [changed = '', deleted = ''] = await phone.createMany([{}, {}])
      const mailbox = await openHook(lab, phone, 'tag')
      await phone.create()
      await phone.change(changed)
      await phone.remove(deleted)
      const name = lab.unique()
      await phone.setTag(name, { color: '#aabbcc' })
      const message = await takeMessage(lab, mailbox, `phone set tag ${name}`)
      expectOf(message, message.json.type === 'tag', 'type tag')
      const { tags } = message.data
      const settings = isObject(tags) ? tags[name] : undefined
      expectOf(message, isObject(settings) && settings.color === '#aabbcc', `the settings of tag ${name} in data.tags`)
      expectOf(message, message.ids.length === 0, 'no ids, because no thing was changed by setting a tag')
    },
  }),
  extensionRule({
    id: 'WEBHOOK-EVENT-05',
    title: 'MUST notify a webhook for any event of new and changed things, deletions and tag settings',
    section: '6',
    requirements: ['K-hook-10'],
    faults: ['hook-any-without-changes', 'hook-any-without-deletions', 'hook-any-without-tags', 'hook-type-other'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [changed = '', deleted = ''] = await phone.createMany([{}, {}])
      const mailbox = await openHook(lab, phone, 'any')
      const created = await phone.create()
      const [first] = await takeUntilThing(lab, mailbox, created, 'phone created it')
      expect(first?.json.type === 'any', 'a message of the type any, as the webhook', showValue(first?.json.type))
      await phone.change(changed)
      await takeUntilThing(lab, mailbox, changed, 'phone changed it')
      await phone.remove(deleted)
      await takeUntilThing(lab, mailbox, deleted, 'phone deleted it')
      const name = lab.unique()
      await phone.setTag(name, { favorite: true })
      const isOfTag = ({ data }: Message): boolean => isObject(data.tags) && Object.hasOwn(data.tags, name)
      await takeUntil(lab, mailbox, isOfTag, `phone set tag ${name}`)
    },
  }),
  extensionRule({
    id: 'WEBHOOK-EVENT-06',
    title: 'MUST NOT notify a webhook of what was before it was registered, nor of the same change twice',
    section: '6',
    requirements: ['K-hook-10'],
    faults: ['hook-told-of-the-past', 'hook-told-again'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const before = await phone.create()
      const mailbox = await openHook(lab, phone)
      const [first, second] = [await phone.create(), await phone.create()]
      const early = await takeUntilThing(lab, mailbox, second, 'phone created it')
      const last = await phone.create()
      const late = await takeUntilThing(lab, mailbox, last, 'phone created it')
      expect(!names(early, before), `no thing ${before}, which is older than the webhook`, describeAll(early))
      expect(
        !names(late, first) && !names(late, second),
        `neither ${first} nor ${second} again, because messages with them were taken`,
        describeAll(late),
      )
    },
  }),
  extensionRule({
    id: 'WEBHOOK-USER-01',
    title: "MUST NOT notify a webhook of another user's changes",
    section: '6',
    requirements: ['K-hook-10'],
    faults: ['hook-told-of-all-users', 'hook-told-with-other-users'],
    alone: true,
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      const [mine, theirs] = [lab.mailbox(), lab.mailbox()]
      await registerBoth(lab, [phone, mine.url], [otherUser, theirs.url])
      const foreign = await otherUser.create()
      await takeUntilThing(lab, theirs, foreign, 'the other user created it')
      const own = await phone.create()
      const messages = await takeUntilThing(lab, mine, own, 'phone created it')
      expect(!names(messages, foreign), `no thing ${foreign}, which belongs to the other user`, describeAll(messages))
    },
  }),
  extensionRule({
    id: 'WEBHOOK-USER-02',
    title: "MUST notify a webhook of its own user's changes only, when two users register the same URL and event",
    section: '6',
    requirements: ['K-hook-10'],
    faults: ['hook-told-of-all-users', 'hook-taken-by-other-user', 'hook-signed-for-other-user'],
    alone: true,
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      const mailbox = lab.mailbox()
      const [mine, theirs] = await registerBoth(lab, [phone, mailbox.url], [otherUser, mailbox.url])
      for (const [replica, secret, other] of [
        [phone, mine, theirs],
        [otherUser, theirs, mine],
      ] as const) {
        const id = await replica.create()
        const messages = await takeUntilThing(lab, mailbox, id, `${replica.name} created it`)
        for (const { delivery } of messages) {
          const isRight = isSignedBy(secret, delivery) && !isSignedBy(other, delivery)
          expect(isRight, `a message signed with ${replica.name}'s secret`, describeAll(messages))
        }
      }
    },
  }),
  extensionRule({
    id: 'WEBHOOK-USER-03',
    title: 'MUST NOT end a webhook when another user or another event of the same URL is unregistered',
    section: '6',
    requirements: ['K-hook-1', 'K-hook-10'],
    faults: ['hook-ended-by-other-user', 'hook-ended-by-other-event'],
    alone: true,
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      const mailbox = await openHook(lab, phone, 'new_thing')
      await post(otherUser, 'webhook/unregister', fieldsOf(mailbox.url, 'new_thing'))
      await post(phone, 'webhook/unregister', fieldsOf(mailbox.url, 'any'))
      const id = await phone.create()
      await takeUntilThing(lab, mailbox, id, 'phone created it, and its webhook was not unregistered')
    },
  }),
  extensionRule({
    id: 'WEBHOOK-UNREGISTER-02',
    title: 'MUST NOT notify a webhook of anything that changed after it was unregistered',
    section: '6',
    requirements: ['K-hook-1'],
    faults: ['hook-unregister-ignored'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const mailbox = await openHook(lab, phone)
      const other = await openHook(lab, phone)
      await post(phone, 'webhook/unregister', fieldsOf(mailbox.url))
      // Twice: when the second message is there, everything beside the first one has also come.
      for (let count = 0; count < 2; count += 1) {
        await takeUntilThing(lab, other, await phone.create(), 'phone created it')
      }
      const came = mailbox.deliveries.length
      expect(came === 0, 'no message, because the webhook was unregistered before', `${came} came`)
    },
  }),
]

/** Opens a mailbox that holds its first request until the rule releases it. */
const openHolding = (lab: Lab) => {
  let release = (): void => {}
  const released = new Promise<DeliveryResponse>((resolve) => {
    release = () => resolve({ status: 204 })
  })
  const mailbox = lab.mailbox(({ index }) => (index === 0 ? released : { status: 204 }))
  return { mailbox, release: () => release() }
}

/** Rules of section 6: one concurrent request per webhook, and coalesced waiting messages (contract, delivery). */
export const webhookCoalescingRules: readonly Rule[] = [
  extensionRule({
    id: 'WEBHOOK-MERGE-01',
    title:
      'MUST send one request at a time to a webhook, and coalesce what waits into one message with the newest position',
    section: '6',
    requirements: ['K-hook-4'],
    faults: [
      'hook-parallel',
      'hook-parallel-when-many-wait',
      'hook-queue',
      'hook-merge-keeps-last',
      'hook-merge-keeps-first',
      'hook-merge-drops',
      'hook-merge-tells-first-position',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const { mailbox, release } = openHolding(lab)
      await registerHook(lab, phone, mailbox.url)
      const witness = await openHook(lab, phone)
      const first = await phone.create()
      await takeMessage(lab, mailbox, `phone created thing ${first}`)
      const waiting: string[] = []
      for (let count = 0; count < 4; count += 1) waiting.push(await phone.create())
      const last = waiting.at(-1) ?? ''
      const position = await phone.position()
      // Another webhook already has all messages: every request beside the held one would have come by now.
      await takeUntilThing(lab, witness, last, 'phone created it')
      const maxConcurrent = mailbox.maxConcurrent()
      expect(maxConcurrent === 1, 'one request in flight for a webhook', `${maxConcurrent} were in flight`)
      release()
      const message = await takeMessage(lab, mailbox, `phone created ${waiting.join(', ')} while the first was held`)
      const missing = waiting.filter((id) => !message.ids.includes(id))
      expect(missing.length === 0, `one message with ${waiting.join(', ')}, which waited`, describeMessage(message))
      expect(message.pos >= position, `data.pos ${position} or later, the newest`, describeMessage(message))
    },
  }),
  extensionRule({
    id: 'WEBHOOK-MERGE-02',
    title: 'MUST notify a webhook of everything, and never go back behind a position that it delivered',
    section: '6',
    requirements: ['K-hook-4', 'K-hook-7'],
    faults: ['hook-merge-keeps-last', 'hook-positions-go-back'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const mailbox = await openHook(lab, phone)
      const ids: string[] = []
      for (let count = 0; count < 5; count += 1) {
        const created = await Promise.all([phone.createMany([{}, {}]), laptop.createMany([{}, {}])])
        ids.push(...created.flat())
      }
      const last = await phone.create()
      const messages = await takeUntilThing(lab, mailbox, last, 'phone created it', lab.options.timeouts.retryMs)
      const notified = new Set(messages.flatMap((message) => message.ids))
      const missing = ids.filter((id) => !notified.has(id))
      expect(missing.length === 0, `messages with ${ids.length} things`, `none contains ${missing.join(', ')}`)
      const positions = messages.map(({ pos }) => pos)
      const isRising = positions.every((pos, index) => index === 0 || pos > (positions[index - 1] ?? 0))
      expect(isRising, 'positions that rise from message to message', describeAll(messages))
    },
  }),
  extensionRule({
    id: 'WEBHOOK-APART-01',
    title: 'MUST NOT keep a webhook waiting for another one that does not respond',
    section: '6',
    requirements: ['K-hook-4'],
    faults: ['hook-one-for-all'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const { mailbox: hanging, release } = openHolding(lab)
      await registerHook(lab, phone, hanging.url)
      const good = await openHook(lab, phone)
      const first = await phone.create()
      await takeMessage(lab, hanging, `phone created thing ${first}`)
      const second = await phone.create()
      await takeUntilThing(lab, good, second, 'phone created it, and this webhook responds')
      release()
    },
  }),
]
