import { expectSame } from '../../expect.ts'
import type { Rule } from '../../rule.ts'
import { expectError, expectObject, type Fields, post, without } from './answers.ts'
import { decided } from './decided.ts'

const webhookOf = (mark: string, event = 'any'): Fields => ({ target_url: `https://example.org/${mark}`, event })

/** Rules of section 6: webhooks (contract, the other operations). What is registered is unregistered again. */
export const webhookRules: readonly Rule[] = [
  decided({
    id: 'WEBHOOK-REGISTER-01',
    title: 'MUST register a webhook for each event and answer so',
    section: '6',
    clauses: ['K-hook-1'],
    faults: ['webhook-register-answer'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const event of ['new_thing', 'changed_thing', 'deleted_thing', 'tag', 'any']) {
        const reply = await post(phone, 'webhook/register', webhookOf(lab.mark, event))
        expectSame(expectObject(reply, `${event} is an event`).registered, true, 'registered', reply)
        await post(phone, 'webhook/unregister', webhookOf(lab.mark, event))
      }
    },
  }),
  decided({
    id: 'WEBHOOK-REGISTER-02',
    title: 'MUST refuse an event that is unknown or missing',
    section: '6',
    clauses: ['K-hook-1', 'K-error-1'],
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
  decided({
    id: 'WEBHOOK-REGISTER-03',
    title: 'MUST refuse a target_url that is missing or no http address',
    section: '6',
    clauses: ['K-hook-1', 'K-error-1'],
    faults: ['webhook-target-unchecked'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const fields = webhookOf(lab.mark)
      for (const wrong of [{ ...fields, target_url: 'not an address' }, without(fields, 'target_url')]) {
        expectError(
          await post(phone, 'webhook/register', wrong),
          400,
          'parameter_invalid',
          `target_url is ${wrong.target_url ?? 'missing'}`,
        )
      }
    },
  }),
  decided({
    id: 'WEBHOOK-UNREGISTER-01',
    title: 'MUST unregister a webhook and answer so',
    section: '6',
    clauses: ['K-hook-1'],
    faults: ['webhook-unregister-answer', 'webhook-register-refused'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      expectObject(await post(phone, 'webhook/register', webhookOf(lab.mark)), 'the webhook is correct')
      const reply = await post(phone, 'webhook/unregister', webhookOf(lab.mark))
      expectSame(expectObject(reply, 'the webhook was registered').unregistered, true, 'unregistered', reply)
    },
  }),
]
