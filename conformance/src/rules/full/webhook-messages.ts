import { expect } from '../../expect.ts'
import { asSetup } from '../../finding.ts'
import { isObject, showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import { isSignedBy } from '../../receiver/signature.ts'
import type { Rule } from '../../rule.ts'
import { stopIfRefused } from '../core/stop-if-refused.ts'
import { decided } from './decided.ts'
import { describeMessage, expectOf, type Message, openHook, registerHook, takeMessage } from './webhook-steps.ts'

/** Seconds by which clocks may differ, as Standard Webhooks advises. */
const toleranceSeconds = 300

const mostBytes = 16 * 1024

/** The message of a thing that phone created, at a webhook for new things. */
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

/** Rules of section 6: what a message to a webhook is (contract, delivery). */
export const webhookMessageRules: readonly Rule[] = [
  decided({
    id: 'WEBHOOK-MESSAGE-01',
    title: 'MUST tell a webhook of a change by a POST of JSON to its address',
    section: '6',
    clauses: ['K-hook-3'],
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
  decided({
    id: 'WEBHOOK-SIGN-01',
    title: 'MUST sign a message with the secret of its webhook as Standard Webhooks 1.0 has it',
    section: '6',
    clauses: ['K-hook-2'],
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
  decided({
    id: 'WEBHOOK-SIGN-02',
    title: 'MUST put the time of sending into webhook-timestamp, in seconds',
    section: '6',
    clauses: ['K-hook-2'],
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
  decided({
    id: 'WEBHOOK-SIGN-03',
    title: 'MUST give each message a webhook-id of its own',
    section: '6',
    clauses: ['K-hook-2'],
    faults: ['hook-id-of-hook'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const mailbox = await openHook(lab, phone)
      const ids = new Set<string | undefined>()
      for (const place of [1, 2]) {
        await phone.create()
        const { delivery } = await takeMessage(lab, mailbox, `phone created thing ${place}`)
        const id = delivery.headers['webhook-id']
        expect(id !== undefined && !ids.has(id), 'another webhook-id than before', `${id} came again`)
        ids.add(id)
      }
    },
  }),
  decided({
    id: 'WEBHOOK-BODY-01',
    title: 'MUST name in type the event of the webhook, and in timestamp a time as RFC 3339 has it',
    section: '6',
    clauses: ['K-hook-3'],
    faults: ['hook-type-other', 'hook-body-timestamp-number'],
    alone: true,
    check: async (lab) => {
      const { message } = await takeNewThing(lab)
      expectOf(message, message.json.type === 'new_thing', 'type new_thing')
      expectOf(message, isDateTime(message.json.timestamp), 'timestamp, a date and time of RFC 3339')
    },
  }),
  decided({
    id: 'WEBHOOK-BODY-02',
    title: 'MUST put a position into data.pos from which nothing that was told is listed again, and everything else is',
    section: '6',
    clauses: ['K-hook-3', 'K-hook-4'],
    faults: ['hook-pos-missing', 'hook-pos-early', 'hook-pos-beyond'],
    alone: true,
    check: async (lab) => {
      const { id, message } = await takeNewThing(lab)
      const laptop = await lab.replica('laptop')
      const next = await laptop.create()
      const { pos } = message
      const answer = Number.isFinite(pos) ? await (await lab.replica('tablet')).sync({ from: pos }) : undefined
      const came = answer === undefined ? describeMessage(message) : `from ${pos} it lists ${showValue(answer.changed)}`
      expect(
        answer?.things.has(id) === false && answer.things.has(next),
        `data.pos, a position from which a sync lists ${next}, created since, and not ${id}`,
        came,
        answer,
      )
    },
  }),
  decided({
    id: 'WEBHOOK-BODY-03',
    title: 'MUST put into data.ids the ids of what changed, and no others',
    section: '6',
    clauses: ['K-hook-3'],
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
  decided({
    id: 'WEBHOOK-BODY-04',
    title: 'MUST put the things into data.things as a listing shows them, while the message is small',
    section: '6',
    clauses: ['K-hook-3'],
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
  decided({
    id: 'WEBHOOK-BODY-05',
    title: 'MUST NOT put things into a message that would reach 16 KiB with them',
    section: '6',
    clauses: ['K-hook-3'],
    faults: ['hook-things-however-large', 'hook-large-without-ids'],
    alone: true,
    check: async (lab) => {
      const html = 'x'.repeat(mostBytes)
      await stopIfRefused(lab, 'a note of 16 KiB', { new_thing: [{ local_id: lab.unique(), title: 'x', html }] })
      const { id, message } = await takeNewThing(lab, { html })
      expectOf(message, message.ids.includes(id), `the id ${id}`)
      const { length } = message.delivery.body
      expect(message.data.things === undefined, 'no things, because they are too large', `${length} bytes came`)
    },
  }),
  decided({
    id: 'WEBHOOK-BODY-06',
    title: 'MUST put at most 500 ids into a message, and say truncated where there are more',
    section: '6',
    clauses: ['K-hook-3'],
    faults: ['hook-ids-all', 'hook-truncation-unsaid', 'hook-truncated-always'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const many = () => Array.from({ length: 501 }, () => ({ local_id: lab.unique(), title: 'one of many' }))
      await stopIfRefused(lab, 'an upload of 501 things', { new_thing: many() })
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
