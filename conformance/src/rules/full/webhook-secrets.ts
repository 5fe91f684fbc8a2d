import type { Reply } from '../../client.ts'
import { expect } from '../../expect.ts'
import { asSetup } from '../../finding.ts'
import { showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import { readSecret } from '../../receiver/signature.ts'
import type { Replica } from '../../replica.ts'
import type { Rule } from '../../rule.ts'
import { readAccessToken } from '../../sessions.ts'
import { describeReply, expectObject, get, post } from './answers.ts'
import { decided } from './decided.ts'
import { addressOf, fieldsOf, registerHook } from './webhook-steps.ts'

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

/** The secret of a new webhook, as a preparing step. */
const newSecret = (lab: Lab, replica: Replica, event: 'any' | 'tag' = 'any'): Promise<string> =>
  asSetup('a secret for a new webhook', async () =>
    expectSecret((await registerHook(lab, replica, addressOf(lab), event)).secret, 'the webhook is new'),
  )

/** Registers the same webhook through the second application. */
const registerElsewhere = async (lab: Lab): Promise<Reply> => {
  const { clientId, clientSecret } = lab.otherClient()
  const token = await asSetup('a token for the second application', async () =>
    readAccessToken(await lab.token({ client_id: clientId, client_secret: clientSecret })),
  )
  const send = (path: string) =>
    lab.present({ path, form: Object.entries(fieldsOf(addressOf(lab))) }, token, { kind: 'form' })
  lab.afterwards(() => send('webhook/unregister'))
  return send('webhook/register')
}

/** Rules of section 6: secrets and the list of webhooks. No message is needed for them. */
export const webhookSecretRules: readonly Rule[] = [
  decided({
    id: 'WEBHOOK-SECRET-01',
    title: 'MUST give a secret with a new webhook',
    section: '6',
    clauses: ['K-hook-2'],
    faults: ['hook-secret-missing', 'hook-secret-plain', 'hook-secret-short'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      lab.afterwards(() => post(phone, 'webhook/unregister', fieldsOf(addressOf(lab))))
      const reply = await post(phone, 'webhook/register', fieldsOf(addressOf(lab)))
      expectSecret(expectObject(reply, 'the webhook is correct').secret, 'the webhook is new', reply)
    },
  }),
  decided({
    id: 'WEBHOOK-SECRET-02',
    title: 'MUST NOT give a secret again when the same webhook is registered again',
    section: '6',
    clauses: ['K-hook-2'],
    faults: ['hook-secret-again', 'hook-secret-renewed', 'hook-again-refused'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await newSecret(lab, phone)
      const reply = await post(phone, 'webhook/register', fieldsOf(addressOf(lab)))
      const json = expectObject(reply, 'registering again is fine')
      expect(json.secret === undefined, 'no secret, because it was shown once', 'one came', reply)
    },
  }),
  decided({
    id: 'WEBHOOK-SECRET-03',
    title: 'MUST give each webhook a secret of its own',
    section: '6',
    clauses: ['K-hook-2'],
    faults: ['hook-secret-shared', 'hook-secret-kept', 'hook-secret-every-other'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const first = await newSecret(lab, phone)
      const second = await newSecret(lab, phone, 'tag')
      expect(first !== second, 'another secret for the other event', 'the same came')
      await post(phone, 'webhook/unregister', fieldsOf(addressOf(lab)))
      const reply = await post(phone, 'webhook/register', fieldsOf(addressOf(lab)))
      const third = expectSecret(reply.json?.secret, 'the webhook is new again', reply)
      expect(third !== first, 'another secret than the webhook had before it was unregistered', 'the same came', reply)
    },
  }),
  decided({
    id: 'WEBHOOK-SECRET-04',
    title: 'MUST NOT show the secret of one user to another who registers the same webhook',
    section: '6',
    clauses: ['K-hook-2'],
    faults: ['hook-secret-of-address', 'hook-taken-by-other-user'],
    check: async (lab) => {
      const first = await newSecret(lab, await lab.replica('phone'))
      const stranger = await lab.stranger()
      lab.afterwards(() => post(stranger, 'webhook/unregister', fieldsOf(addressOf(lab))))
      const reply = await post(stranger, 'webhook/register', fieldsOf(addressOf(lab)))
      const second = expectSecret(reply.json?.secret, 'the webhook is new to this user', reply)
      expect(second !== first, 'another secret for the other user', "the first user's came", reply)
    },
  }),
  decided({
    id: 'WEBHOOK-SECRET-05',
    title: 'MUST NOT show the secret of one application to another that registers the same webhook',
    section: '6',
    clauses: ['K-hook-2'],
    faults: ['hook-secret-other-app', 'hook-taken-by-other-app'],
    check: async (lab) => {
      lab.otherClient()
      const first = await newSecret(lab, await lab.replica('phone'))
      const reply = await registerElsewhere(lab)
      const second = expectSecret(reply.json?.secret, 'the webhook is new to this application', reply)
      expect(second !== first, 'another secret for the other application', "the first application's came", reply)
    },
  }),
  decided({
    id: 'WEBHOOK-LIST-02',
    title: 'MUST NOT show secrets in webhook/list',
    section: '6',
    clauses: ['K-hook-9'],
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
