import { expect, expectSame } from '../../expect.ts'
import type { JsonObject } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import type { Replica } from '../../replica.ts'
import type { Rule } from '../../rule.ts'
import { describeReply, expectArray, expectError, get, post } from './answers.ts'
import { decided } from './decided.ts'
import { addressOf, fieldsOf, openHook, registerHook, takeMessage } from './webhook-steps.ts'

/** The webhooks at the address, as webhook/list shows them to the replica. */
export const findListed = async (replica: Replica, target: string) => {
  const reply = await get(replica, 'webhook/list')
  const all = expectArray(reply, 'webhook/list answers a list')
  return { reply, all, listed: all.filter(({ target_url: url }) => url === target) }
}

/**
 * What webhook/list shows of the only webhook at the address, once something holds of it; the server may write it down
 * a little later.
 */
const findListedOnce = async (lab: Lab, replica: Replica, target: string, field: string): Promise<JsonObject> => {
  const until = performance.now() + lab.options.patience.eventMs
  for (;;) {
    const { listed, reply } = await findListed(replica, target)
    const [only] = listed
    if (only?.[field] !== undefined) return only
    const expected = `the webhook at ${target} with ${field}`
    expect(performance.now() < until, expected, describeReply(reply), reply)
  }
}

/** 169.254.169.254, where clouds keep the keys of a machine, in its usual spellings, and others that are for nobody. */
const forbidden = [
  'http://169.254.169.254/',
  'http://2852039166/',
  'http://0xA9FEA9FE/',
  'http://[::ffff:169.254.169.254]/',
  'http://[fe80::1]/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
]

/** Rules of section 6: the list of webhooks, how many there may be, and where to. */
export const webhookListRules: readonly Rule[] = [
  decided({
    id: 'WEBHOOK-LIST-01',
    title: 'MUST list a webhook as it was registered, until it is unregistered',
    section: '6',
    clauses: ['K-hook-9'],
    faults: ['hook-list-missing', 'hook-list-without-event', 'hook-unregister-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const target = addressOf(lab)
      await registerHook(lab, phone, target, 'tag')
      const { reply, listed } = await findListed(phone, target)
      expectSame(
        listed.map(({ event }) => event),
        ['tag'],
        'the events of the webhooks at the address that was registered',
        reply,
      )
      await post(phone, 'webhook/unregister', fieldsOf(target, 'tag'))
      const after = await findListed(phone, target)
      expectSame(after.listed, [], 'the webhooks at the address that was unregistered', after.reply)
    },
  }),
  decided({
    id: 'WEBHOOK-LIST-03',
    title: "MUST NOT list another user's webhooks",
    section: '6',
    clauses: ['K-hook-9'],
    faults: ['hook-list-of-all-users'],
    check: async (lab) => {
      await registerHook(lab, await lab.replica('phone'), addressOf(lab))
      const stranger = await lab.stranger()
      await registerHook(lab, stranger, `${addressOf(lab)}/2`)
      const { reply, all } = await findListed(stranger, addressOf(lab))
      const listed = all.map(({ target_url: url }) => url).filter((url) => `${url}`.includes(lab.mark))
      expectSame(listed, [`${addressOf(lab)}/2`], "the addresses of this rule in stranger's list", reply)
    },
  }),
  decided({
    id: 'WEBHOOK-LIST-04',
    title: 'MUST list when a webhook last took a message, and why the last one failed',
    section: '6',
    clauses: ['K-hook-9'],
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
  decided({
    id: 'WEBHOOK-LIMIT-01',
    title: 'MUST take no more than 20 webhooks of a user',
    section: '6',
    clauses: ['K-hook-9'],
    faults: ['hook-limit-none', 'hook-limit-other-error'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await registerHook(lab, phone, addressOf(lab))
      for (let count = 2; count <= 21; count += 1) {
        const target = `${addressOf(lab)}/${count}`
        lab.afterwards(() => post(phone, 'webhook/unregister', fieldsOf(target)))
        const reply = await post(phone, 'webhook/register', fieldsOf(target))
        // Other applications of the user may have registered some: the list does not show them.
        if (reply.status === 200 && count < 21) continue
        expectError(reply, 400, 'parameter_invalid', `the user has 20 webhooks, and these are ${count} at least`)
        return
      }
    },
  }),
  decided({
    id: 'WEBHOOK-ADDRESS-01',
    title: 'MUST refuse a webhook at an address that is not public, however it is spelled',
    section: '6',
    clauses: ['K-hook-8', 'K-error-1'],
    faults: ['hook-address-unchecked', 'hook-address-by-text', 'webhook-register-refused'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await registerHook(lab, phone, addressOf(lab))
      for (const address of forbidden) {
        const target = `${address}${lab.mark}`
        lab.afterwards(() => post(phone, 'webhook/unregister', fieldsOf(target)))
        const reply = await post(phone, 'webhook/register', fieldsOf(target))
        expectError(reply, 400, 'parameter_invalid', `${address} is no public address`)
      }
    },
  }),
  decided({
    id: 'WEBHOOK-ADDRESS-02',
    title: 'MUST refuse a webhook at an address with a name or a password in it',
    section: '6',
    clauses: ['K-hook-8', 'K-error-1'],
    faults: ['hook-credentials-taken'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const credentials of ['anna:secret', 'anna']) {
        const target = `https://${credentials}@example.org/${lab.mark}`
        lab.afterwards(() => post(phone, 'webhook/unregister', fieldsOf(target)))
        const reply = await post(phone, 'webhook/register', fieldsOf(target))
        expectError(reply, 400, 'parameter_invalid', 'the address holds credentials')
      }
    },
  }),
]
