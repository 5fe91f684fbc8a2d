import type { RawRequest } from '../../client.ts'
import { expect, expectSame, expectTag, expectThing } from '../../expect.ts'
import { encodeForm, type Pair } from '../../form.ts'
import { isObject, showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import { readAccessToken } from '../../sessions.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { coreSection } from './core-rules.ts'

const formType = 'application/x-www-form-urlencoded'

/** The upload whose arrival is judged: a text with everything that a form has to escape, and a tag setting. */
const writeUpload = (lab: Lab, title: string, tag: string): Pair[] => [
  ['new_thing[]', JSON.stringify({ local_id: 'a', title: `${title} 1` })],
  ['new_thing[]', JSON.stringify({ local_id: 'b', title: `${title} 2`, tags: `ä ${lab.mark}` })],
  [`tag[${tag}]`, JSON.stringify({ favorite: true, color: '#a0b1c2', todo: false })],
]

/** Sends the upload as the request says, and expects all of it to arrive. */
const expectArrives = async (lab: Lab, write: (pairs: readonly Pair[]) => Partial<RawRequest>): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const from = await laptop.position()
  const title = `${lab.unique()} ä+b&c=d%20é 日本 "x"`
  // Each time another: settings that are there already are no change.
  const tag = lab.unique()
  const request = write([['from', `${from}`], ...writeUpload(lab, title, tag)])
  const reply = await phone.send({ method: 'POST', path: 'sync', ...request })
  const upload = readSyncAnswer(reply, 'an upload of two things and a tag')
  const made = isObject(upload.json.things) ? upload.json.things.new : undefined
  const ids = isObject(made) ? [made.a, made.b] : [undefined]
  const delta = await laptop.sync({ from })
  for (const [place, id] of ids.entries()) {
    const thing = expectThing(delta, String(id), 'phone created it')
    expectSame(thing.title, `${title} ${place + 1}`, 'the title as phone sent it', delta)
  }
  expectSame(expectTag(delta, tag, 'phone set them').favorite, true, 'favorite as phone set it', delta)
}

/** A form body as it is written here. */
export const asBody = (body: string, headers: Readonly<Record<string, string>> = {}): Partial<RawRequest> => ({
  body,
  headers: { 'content-type': formType, ...headers },
})

/** A form in which only what must be escaped is. */
const encodeRaw = (pairs: readonly Pair[]): string =>
  pairs.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%20', '+')}`).join('&')

/** Parameters of a correct password grant of the first user. */
export const grant = (lab: Lab): Pair[] => {
  const [{ username = '', password = '' } = {}] = lab.target.users
  return [
    ['grant_type', 'password'],
    ['client_id', lab.target.clientId],
    ['client_secret', lab.target.clientSecret],
    ['username', username],
    ['password', password],
  ]
}

/** The same request, written in the ways in which clients write it (interface 4.2, 4.3). */
export const transportRules = coreSection('4.3', [
  {
    id: 'WIRE-CHARSET-01',
    title: 'MUST take a form whose content type names its charset, in any letter case',
    clauses: ['C-4.3-2', 'C-4.2-1'],
    basis: 'derived',
    faults: ['charset-refused', 'charset-body-ignored', 'content-type-case-counts', 'token-charset-refused'],
    check: async (lab) => {
      for (const type of [
        `${formType}; charset=UTF-8`,
        `${formType};charset=utf-8`,
        `${formType}; charset="utf-8"`,
        `${formType}; CHARSET=UTF-8`,
        'Application/X-WWW-Form-Urlencoded',
      ]) {
        await expectArrives(lab, (pairs) => asBody(encodeForm(pairs), { 'content-type': type }))
      }
      const token = {
        path: 'token',
        method: 'POST',
        ...asBody(encodeForm(grant(lab)), { 'content-type': `${formType}; charset=UTF-8` }),
      }
      readAccessToken(await lab.request(token))
    },
  },
  {
    id: 'WIRE-BRACKETS-01',
    title: 'MUST take brackets in names as they are and as escapes',
    clauses: ['C-4.3-16', 'C-4.3-13'],
    basis: 'derived',
    faults: ['raw-brackets-ignored', 'raw-tag-brackets-ignored', 'escaped-brackets-ignored', 'small-escapes-ignored'],
    check: async (lab) => {
      await expectArrives(lab, (pairs) => asBody(encodeRaw(pairs)))
      await expectArrives(lab, (pairs) => asBody(encodeForm(pairs)))
      const small = (text: string): string => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
      await expectArrives(lab, (pairs) => asBody(small(encodeForm(pairs))))
    },
  },
  {
    id: 'WIRE-ESCAPES-01',
    title: 'MUST read a blank that is written as plus or as %20, and escapes of what need not be escaped',
    clauses: ['C-4.3-2', 'C-2.1-13'],
    basis: 'derived',
    faults: ['percent-twenty-kept', 'plus-in-forms-kept', 'needless-escapes-kept'],
    check: async (lab) => {
      const escapeAll = (text: string): string =>
        [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('')
      await expectArrives(lab, (pairs) => asBody(encodeForm(pairs).replaceAll('+', '%20')))
      await expectArrives(lab, (pairs) => asBody(encodeForm(pairs)))
      await expectArrives(lab, (pairs) => asBody(pairs.map(([name, value]) => `${name}=${escapeAll(value)}`).join('&')))
    },
  },
  {
    // Many clients escape no more than a form needs: percent, ampersand, plus, hash and what is no ASCII.
    id: 'WIRE-ESCAPES-02',
    title: 'MUST read values in which only what has to be escaped is',
    clauses: ['C-4.3-2', 'C-2.1-13'],
    basis: 'derived',
    faults: ['raw-semicolon-separates', 'raw-equals-cuts', 'raw-quotes-lost'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const title = `${lab.mark} a;b=c "d" 'e' {f} [g] h,i:j/k?l@m!n~o*p(q)$r|s^t`
      const json = JSON.stringify({ local_id: 'a', title, url: 'https://example.org/?a=1;b=2' })
      const body = `from=${from}&new_thing=${json.replaceAll('%', '%25').replaceAll('&', '%26').replaceAll(' ', '+')}`
      readSyncAnswer(await phone.send({ path: 'sync', method: 'POST', ...asBody(body) }), 'an upload')
      const delta = await laptop.sync({ from })
      const titles = [...delta.things.values()].map((thing) => thing.title)
      expect(titles.includes(title), `a thing titled ${title}, which phone created`, showValue(titles), delta)
    },
  },
  {
    id: 'WIRE-CHUNKS-01',
    title: 'MUST take a body that comes in chunks, at sync and at token',
    clauses: ['C-4.3-2', 'C-4.2-1'],
    basis: 'derived',
    faults: ['chunks-ignored', 'chunks-first-only', 'chunks-refused', 'token-chunks-ignored'],
    check: async (lab) => {
      const chunked = { 'transfer-encoding': 'chunked' }
      await expectArrives(lab, (pairs) => asBody(encodeForm(pairs), chunked))
      readAccessToken(await lab.request({ path: 'token', method: 'POST', ...asBody(encodeForm(grant(lab)), chunked) }))
    },
  },
])
