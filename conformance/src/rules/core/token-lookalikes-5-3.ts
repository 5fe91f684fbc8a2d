import type { RawRequest, Reply } from '../../client.ts'
import { expect, expectRefusal, expectSame } from '../../expect.ts'
import { asSetup } from '../../finding.ts'
import { showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { coreSection } from './core-rules.ts'

type Kind = 'header' | 'query' | 'form'

const kinds: readonly Kind[] = ['header', 'query', 'form']

const requestFor = (kind: Kind): RawRequest =>
  kind === 'form' ? { path: 'sync', form: [['limit', '1']] } : { path: 'sync', query: [['limit', '1']] }

const present = (lab: Lab, kind: Kind, token: string, request = requestFor(kind)): Promise<Reply> =>
  lab.present(request, token, kind === 'header' ? { kind } : { kind })

/** Presents each text in the way given, next to the right token, and expects the stated error (interface 7). */
const expectEachInvalid = async (
  lab: Lab,
  kind: Kind,
  write: (token: string) => Readonly<Record<string, string>>,
): Promise<void> => {
  const token = await (await lab.replica('phone')).token()
  await asSetup('the same request with the right token', async () =>
    readSyncAnswer(await present(lab, kind, token), 'a sync'),
  )
  for (const [what, text] of Object.entries(write(token))) {
    if (text === token) continue
    const reply = await present(lab, kind, text)
    const { error, error_description: description } = reply.json ?? {}
    const wanted = ['invalid_grant', 'The access token provided is invalid']
    expectSame([error, description], wanted, `error and error_description for ${what} (${kind})`, reply)
  }
}

const changed = (token: string): Readonly<Record<string, string>> => {
  const middle = Math.floor(token.length / 2)
  const other = token[middle] === 'a' ? 'b' : 'a'
  return {
    'a token with a character more': `${token}x`,
    'a token with many characters more': `${token}${'x'.repeat(300)}`,
    'a token with a full stop and more': `${token}.x`,
    'a token with a character before it': `x${token}`,
    'a token twice': `${token}${token}`,
    'a token without its first character': token.slice(1),
    'the first half of a token': token.slice(0, middle),
    'a token with another character in the middle': `${token.slice(0, middle)}${other}${token.slice(middle + 1)}`,
    'a token with another character at its end': `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`,
  }
}

const made = (lab: Lab): Readonly<Record<string, string>> => ({
  'the word null': 'null',
  'the word undefined': 'undefined',
  'the word true': 'true',
  'the digit 0': '0',
  'a star': '*',
  'a percent sign': '%',
  'a piece of SQL': "' OR '1'='1",
  'the name of the user': lab.target.users[0]?.username ?? 'alice',
  'the client_id': lab.target.clientId,
  'the word __proto__': '__proto__',
  'the word constructor': 'constructor',
})

/** Everything that an upload can do, in one form. */
const writeAll = (lab: Lab, title: string, changing: string, deleting: string): RawRequest => ({
  path: 'sync',
  form: [
    ['new_thing', JSON.stringify({ local_id: 'a', title })],
    ['changed_thing', JSON.stringify({ _id: changing, title })],
    ['deleted_thing', deleting],
    [`tag[${lab.mark}]`, JSON.stringify({ favorite: true, color: false, todo: false })],
  ],
})

/** Tokens that are none (interface 5.3, 7), presented in each way. */
export const tokenLookalikeRules = coreSection('5.3', [
  ...kinds.map((kind, place) => ({
    id: `TOKEN-AUTH-SIMILAR-0${place + 1}`,
    title: `MUST refuse, in the ${kind === 'header' ? 'header' : `${kind === 'query' ? 'GET' : 'form'} parameter`}, every token that is only similar to a valid one`,
    basis: 'derived' as const,
    clauses: ['C-5.3-4', 'C-7-2', 'C-1-4'],
    faults: [
      `token-longer-accepted-in-${kind}`,
      `token-end-unchecked-in-${kind}`,
      `token-contained-in-${kind}`,
      `token-middle-unchecked-in-${kind}`,
    ],
    check: (lab: Lab) => expectEachInvalid(lab, kind, changed),
  })),
  {
    id: 'TOKEN-AUTH-WORD-01',
    title: 'MUST refuse words that a language, a query or a person takes for a token',
    basis: 'derived',
    clauses: ['C-5.3-4', 'C-7-2', 'C-1-4'],
    faults: [
      'access-token-never-valid',
      'token-words-accepted',
      'token-pattern-accepted',
      'token-user-name-accepted',
      'token-client-id-accepted',
      'token-inherited-accepted',
      'token-sql-accepted',
      'token-digit-accepted',
    ],
    check: async (lab) => {
      for (const kind of kinds) await expectEachInvalid(lab, kind, () => made(lab))
    },
  },
  {
    id: 'TOKEN-AUTH-EMPTY-01',
    title: 'MUST refuse an empty access token, as the parameter of a GET and of a POST',
    clauses: ['C-1-4', 'C-4.3-3'],
    basis: 'derived',
    faults: ['access-token-never-valid', 'token-empty-accepted-in-query', 'token-empty-accepted-in-form'],
    check: async (lab) => {
      for (const kind of ['query', 'form'] as const) {
        const token = await (await lab.replica('phone')).token()
        await asSetup('the same request with a token', async () =>
          readSyncAnswer(await present(lab, kind, token), 'a sync'),
        )
        expectRefusal(await present(lab, kind, ''), `the ${kind} parameter access_token is empty`)
      }
    },
  },
  {
    id: 'TOKEN-AUTH-UPLOAD-02',
    title:
      'MUST change nothing at all by an upload with an invalid token, in whichever way it is presented, or without any',
    section: '1',
    clauses: ['C-1-4', 'C-4.3-3'],
    basis: 'derived',
    faults: [
      'invalid-token-changes',
      'invalid-token-deletes',
      'invalid-token-sets-tags',
      'invalid-token-in-form-creates',
      'no-token-deletes',
      'no-token-creates',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const before = lab.unique()
      const [changing = '', deleting = ''] = await phone.createMany([{ title: before }, {}])
      const title = lab.unique()
      const upload = writeAll(lab, title, changing, deleting)
      for (const kind of kinds)
        expectRefusal(await present(lab, kind, lab.mark, upload), 'the access token was never issued')
      expectRefusal(await lab.request(upload), 'there is no access token')
      const full = await phone.listAll()
      const created = [...full.things.values()].filter(
        (thing) => thing.title === title && thing._id !== changing,
      ).length
      const came = [
        created,
        full.things.get(changing)?.title ?? null,
        full.things.has(deleting),
        full.tags.has(lab.mark),
      ]
      const expected =
        'things created by refused uploads, the title of one they change, whether one they delete is there, and whether a tag has settings'
      expectSame(came, [0, before, true, false], expected, full)
    },
  },
  {
    id: 'TOKEN-AUTH-WAYS-01',
    title: 'MUST take the access token in each way for an upload, and work on the same account',
    clauses: ['C-5.3-1', 'C-5.3-3', 'C-4.3-2'],
    basis: 'derived',
    faults: [
      'header-token-refused-with-upload',
      'form-token-refused-with-upload',
      'form-token-other-account',
      'header-token-read-only',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const token = await phone.token()
      const titles = [lab.unique(), lab.unique()]
      for (const [place, kind] of (['header', 'form'] as const).entries()) {
        const title = titles[place] ?? ''
        await present(lab, kind, token, {
          path: 'sync',
          form: [
            ['from', `${from}`],
            ['new_thing', JSON.stringify({ local_id: title, title })],
          ],
        })
      }
      const answer = await phone.sync({ from })
      const listed = new Set([...answer.things.values()].map((thing) => thing.title))
      expect(
        titles.every((title) => listed.has(title)),
        `things titled ${titles.join(' and ')}`,
        showValue([...listed]),
        answer,
      )
    },
  },
])
