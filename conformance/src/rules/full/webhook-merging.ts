import { expect } from '../../expect.ts'
import type { Lab } from '../../lab.ts'
import type { Answer } from '../../receiver/mailbox.ts'
import type { Rule } from '../../rule.ts'
import { decided } from './decided.ts'
import { describeAll, describeMessage, openHook, registerHook, takeMessage, takeUntilThing } from './webhook-steps.ts'

/** A mailbox that holds its first request until it is let go. */
const openHolding = (lab: Lab) => {
  let release = (): void => {}
  const released = new Promise<Answer>((resolve) => {
    release = () => resolve({ status: 204 })
  })
  const mailbox = lab.mailbox(({ place }) => (place === 0 ? released : { status: 204 }))
  return { mailbox, release: () => release() }
}

/** Rules of section 6: one request at a time for each webhook, and what waits is one message (contract, delivery). */
export const webhookMergingRules: readonly Rule[] = [
  decided({
    id: 'WEBHOOK-MERGE-01',
    title:
      'MUST have one request under way for a webhook, and tell what waits meanwhile in one message with the newest position',
    section: '6',
    clauses: ['K-hook-4'],
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
      // Another webhook was told of everything by now: what would come beside the held request has come.
      await takeUntilThing(lab, witness, last, 'phone created it')
      const atOnce = mailbox.mostAtOnce()
      expect(atOnce === 1, 'one request under way for a webhook', `${atOnce} were under way`)
      release()
      const message = await takeMessage(lab, mailbox, `phone created ${waiting.join(', ')} while the first was held`)
      const missing = waiting.filter((id) => !message.ids.includes(id))
      expect(
        missing.length === 0,
        `one message that tells of ${waiting.join(', ')}, which waited`,
        describeMessage(message),
      )
      expect(message.pos >= position, `data.pos ${position} or later, the newest`, describeMessage(message))
    },
  }),
  decided({
    id: 'WEBHOOK-MERGE-02',
    title: 'MUST tell a webhook of everything, and never go back behind a position that it told',
    section: '6',
    clauses: ['K-hook-4', 'K-hook-7'],
    faults: ['hook-merge-keeps-last', 'hook-positions-go-back'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const mailbox = await openHook(lab, phone)
      const ids: string[] = []
      for (let count = 0; count < 5; count += 1) {
        const made = await Promise.all([phone.createMany([{}, {}]), laptop.createMany([{}, {}])])
        ids.push(...made.flat())
      }
      const last = await phone.create()
      const messages = await takeUntilThing(lab, mailbox, last, 'phone created it', lab.options.patience.retryMs)
      const told = new Set(messages.flatMap((message) => message.ids))
      const missing = ids.filter((id) => !told.has(id))
      expect(missing.length === 0, `messages that tell of ${ids.length} things`, `none tells of ${missing.join(', ')}`)
      const positions = messages.map(({ pos }) => pos)
      const isRising = positions.every((pos, place) => place === 0 || pos > (positions[place - 1] ?? 0))
      expect(isRising, 'positions that rise from message to message', describeAll(messages))
    },
  }),
  decided({
    id: 'WEBHOOK-APART-01',
    title: 'MUST NOT keep a webhook waiting for another one that does not answer',
    section: '6',
    clauses: ['K-hook-4'],
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
      await takeUntilThing(lab, good, second, 'phone created it, and this webhook answers')
      release()
    },
  }),
]
