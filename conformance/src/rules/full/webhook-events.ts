import { expect } from '../../expect.ts'
import { isObject, showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import { isSignedBy } from '../../receiver/signature.ts'
import type { Replica } from '../../replica.ts'
import type { Rule } from '../../rule.ts'
import { post } from './answers.ts'
import { decided } from './decided.ts'
import {
  describeAll,
  expectOf,
  fieldsOf,
  type Message,
  openHook,
  registerHook,
  takeMessage,
  takeUntil,
  takeUntilThing,
} from './webhook-steps.ts'

const names = (messages: readonly Message[], id: string): boolean => messages.some(({ ids }) => ids.includes(id))

/** Registers a webhook of each of two users; their secrets. */
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
 * Rules of section 6: which webhooks are told of what (contract, delivery). What comes last shows that nothing else
 * comes before it.
 */
export const webhookEventRules: readonly Rule[] = [
  decided({
    id: 'WEBHOOK-EVENT-01',
    title: 'MUST NOT tell a webhook for new things of changes, deletions and tag settings',
    section: '6',
    clauses: ['K-hook-10'],
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
  decided({
    id: 'WEBHOOK-EVENT-02',
    title: 'MUST tell a webhook for changed things of changes, and NOT of new things, deletions and tag settings',
    section: '6',
    clauses: ['K-hook-10'],
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
      const told = message.things.find(({ _id: id }) => id === changed)
      expectOf(message, told?.title === title, `the thing with its new title ${title}`)
    },
  }),
  decided({
    id: 'WEBHOOK-EVENT-03',
    title: 'MUST tell a webhook for deleted things of deletions by their ids, and of nothing else',
    section: '6',
    clauses: ['K-hook-10', 'K-hook-3'],
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
  decided({
    id: 'WEBHOOK-EVENT-04',
    title: 'MUST tell a webhook for tags of the settings that changed, and of nothing else',
    section: '6',
    clauses: ['K-hook-10', 'K-hook-3'],
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
  decided({
    id: 'WEBHOOK-EVENT-05',
    title: 'MUST tell a webhook for any event of new and changed things, deletions and tag settings',
    section: '6',
    clauses: ['K-hook-10'],
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
  decided({
    id: 'WEBHOOK-EVENT-06',
    title: 'MUST NOT tell a webhook of what was before it was registered, nor of the same change twice',
    section: '6',
    clauses: ['K-hook-10'],
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
        `neither ${first} nor ${second} again, because messages that told of them were taken`,
        describeAll(late),
      )
    },
  }),
  decided({
    id: 'WEBHOOK-USER-01',
    title: "MUST NOT tell a webhook of another user's changes",
    section: '6',
    clauses: ['K-hook-10'],
    faults: ['hook-told-of-all-users', 'hook-told-with-other-users'],
    alone: true,
    check: async (lab) => {
      const stranger = await lab.stranger()
      const phone = await lab.replica('phone')
      const [mine, theirs] = [lab.mailbox(), lab.mailbox()]
      await registerBoth(lab, [phone, mine.url], [stranger, theirs.url])
      const foreign = await stranger.create()
      await takeUntilThing(lab, theirs, foreign, 'stranger created it')
      const own = await phone.create()
      const messages = await takeUntilThing(lab, mine, own, 'phone created it')
      expect(!names(messages, foreign), `no thing ${foreign}, which is stranger's`, describeAll(messages))
    },
  }),
  decided({
    id: 'WEBHOOK-USER-02',
    title: "MUST tell a webhook of its own user's changes only, when two users register the same address and event",
    section: '6',
    clauses: ['K-hook-10'],
    faults: ['hook-told-of-all-users', 'hook-taken-by-other-user', 'hook-signed-for-other-user'],
    alone: true,
    check: async (lab) => {
      const stranger = await lab.stranger()
      const phone = await lab.replica('phone')
      const mailbox = lab.mailbox()
      const [mine, theirs] = await registerBoth(lab, [phone, mailbox.url], [stranger, mailbox.url])
      for (const [replica, secret, other] of [
        [phone, mine, theirs],
        [stranger, theirs, mine],
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
  decided({
    id: 'WEBHOOK-USER-03',
    title: 'MUST NOT end a webhook when another user or another event of the same address is unregistered',
    section: '6',
    clauses: ['K-hook-1', 'K-hook-10'],
    faults: ['hook-ended-by-other-user', 'hook-ended-by-other-event'],
    alone: true,
    check: async (lab) => {
      const stranger = await lab.stranger()
      const phone = await lab.replica('phone')
      const mailbox = await openHook(lab, phone, 'new_thing')
      await post(stranger, 'webhook/unregister', fieldsOf(mailbox.url, 'new_thing'))
      await post(phone, 'webhook/unregister', fieldsOf(mailbox.url, 'any'))
      const id = await phone.create()
      await takeUntilThing(lab, mailbox, id, 'phone created it, and its webhook was not unregistered')
    },
  }),
  decided({
    id: 'WEBHOOK-UNREGISTER-02',
    title: 'MUST NOT tell a webhook of anything that changed after it was unregistered',
    section: '6',
    clauses: ['K-hook-1'],
    faults: ['hook-unregister-ignored'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const mailbox = await openHook(lab, phone)
      const other = await openHook(lab, phone)
      await post(phone, 'webhook/unregister', fieldsOf(mailbox.url))
      // Twice: what the server sends beside the first message has come when the second is there.
      for (let count = 0; count < 2; count += 1) {
        await takeUntilThing(lab, other, await phone.create(), 'phone created it')
      }
      const came = mailbox.deliveries.length
      expect(came === 0, 'no message, because the webhook was unregistered before', `${came} came`)
    },
  }),
]
