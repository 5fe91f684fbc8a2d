import type { RawRequest, Reply } from '../../client.ts'
import { expect, expectRefusal } from '../../expect.ts'
import { asSetup } from '../../finding.ts'
import { showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import type { Way } from '../../present.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { coreSection } from './core-rules.ts'

const get: RawRequest = { path: 'sync', query: [['limit', '1']] }
const post: RawRequest = { path: 'sync', form: [['limit', '1']] }

const expectAccepted = async (lab: Lab, request: RawRequest, way: Way | { kind: 'header' }): Promise<void> => {
  const token = await (await lab.replica('phone')).token()
  const reply = await lab.present(request, token, way)
  readSyncAnswer(reply, `a ${request.form === undefined ? 'GET' : 'POST'} sync with a valid token (${way.kind})`)
}

/** The stated error for an invalid token (interface 7), word for word. */
const expectInvalidToken = (reply: Reply, because: string): void => {
  const wanted = { error: 'invalid_grant', error_description: 'The access token provided is invalid' }
  const { error, error_description: description } = reply.json ?? {}
  const same = error === wanted.error && description === wanted.error_description
  expect(
    same,
    `${showValue(wanted)}, because ${because}`,
    `${reply.status} ${showValue(reply.json ?? reply.text)}`,
    reply,
  )
}

const expectRefused = async (lab: Lab, request: RawRequest, way: Way | { kind: 'header' }): Promise<void> => {
  await asSetup('the same request with a valid token', () => expectAccepted(lab, request, way))
  expectInvalidToken(await lab.present(request, lab.mark, way), 'the access token was never issued')
}

/** Presenting the access token (interface 5.3), and the one error that is stated (interface 7). */
export const tokenPresentationRules = coreSection('5.3', [
  {
    // The form of the header is left open; one form must work, for GET and POST.
    id: 'TOKEN-AUTH-HEADER-01',
    title: 'MUST take the access token from the Authorization header, for GET and POST',
    clauses: ['C-5.3-1'],
    faults: ['header-token-ignored', 'header-token-refused-in-get', 'header-token-refused-in-post'],
    check: async (lab) => {
      for (const request of [get, post]) await expectAccepted(lab, request, { kind: 'header' })
    },
  },
  {
    id: 'TOKEN-AUTH-QUERY-01',
    title: 'MUST take the access token from the GET parameter access_token',
    clauses: ['C-5.3-2'],
    faults: ['query-token-ignored', 'access-token-never-valid'],
    check: (lab) => expectAccepted(lab, get, { kind: 'query' }),
  },
  {
    id: 'TOKEN-AUTH-FORM-01',
    title: 'MUST take the access token from the form parameter access_token',
    clauses: ['C-5.3-3'],
    faults: ['form-token-ignored'],
    check: (lab) => expectAccepted(lab, post, { kind: 'form' }),
  },
  {
    // Refused in the same way on all three: error and description are stated, the status is not.
    id: 'TOKEN-AUTH-HEADER-02',
    title: 'MUST refuse an invalid token in the Authorization header with the stated error',
    clauses: ['C-5.3-4', 'C-7-2'],
    faults: [
      'header-token-unchecked',
      'invalid-token-header-differs',
      'invalid-token-other-code',
      'invalid-token-other-description',
      'invalid-token-description-missing',
      'header-token-unchecked-in-get',
      'header-token-unchecked-in-post',
      'header-token-refused-in-get',
    ],
    check: async (lab) => {
      await expectRefused(lab, get, { kind: 'header' })
      await expectRefused(lab, post, { kind: 'header' })
    },
  },
  {
    id: 'TOKEN-AUTH-QUERY-02',
    title: 'MUST refuse an invalid token in the GET parameter with the stated error',
    clauses: ['C-5.3-4', 'C-7-2'],
    faults: [
      'query-token-unchecked',
      'invalid-token-query-differs',
      'invalid-token-plain-text',
      'invalid-token-empty-body',
      'access-token-never-valid',
    ],
    check: (lab) => expectRefused(lab, get, { kind: 'query' }),
  },
  {
    id: 'TOKEN-AUTH-FORM-02',
    title: 'MUST refuse an invalid token in the form parameter with the stated error',
    clauses: ['C-5.3-4', 'C-7-2'],
    faults: [
      'form-token-unchecked',
      'invalid-token-form-differs',
      'invalid-token-empty-listing',
      'invalid-token-error-nested',
      'access-token-never-valid',
    ],
    check: (lab) => expectRefused(lab, post, { kind: 'form' }),
  },
  {
    // A token is valid as a whole: not its beginning, and letter case counts.
    id: 'TOKEN-AUTH-TOKEN-01',
    title: 'MUST refuse a token that is only similar to a valid one',
    basis: 'derived',
    clauses: ['C-1-4', 'C-7-2'],
    faults: ['token-prefix-accepted', 'token-case-ignored', 'access-token-never-valid'],
    check: async (lab) => {
      const token = await (await lab.replica('phone')).token()
      await asSetup('a sync with the valid token', async () => readSyncAnswer(await lab.openSync(token), 'a sync'))
      expectInvalidToken(await lab.openSync(token.slice(0, -1)), 'the last character of the token is missing')
      const upper = token.toUpperCase() === token ? token.toLowerCase() : token.toUpperCase()
      if (upper !== token) expectInvalidToken(await lab.openSync(upper), 'the letters have another case')
    },
  },
  {
    // Sync requires authentication. Which error a missing token gets is not stated.
    id: 'TOKEN-AUTH-NONE-01',
    title: 'MUST refuse a sync without an access token',
    section: '4.3',
    clauses: ['C-4.3-3', 'C-1-4'],
    faults: ['no-token-accepted', 'no-token-accepted-in-get', 'no-token-accepted-in-post', 'access-token-never-valid'],
    check: async (lab) => {
      await asSetup('the same request with a token', () => expectAccepted(lab, get, { kind: 'query' }))
      expectRefusal(await lab.request(get), 'no access token was presented with this GET')
      expectRefusal(await lab.request(post), 'no access token was presented with this POST')
    },
  },
  {
    // A refused request has no effect.
    id: 'TOKEN-AUTH-UPLOAD-01',
    title: 'MUST create nothing from an upload with an invalid token',
    section: '1',
    basis: 'derived',
    clauses: ['C-1-4'],
    faults: ['header-token-unchecked', 'invalid-token-upload-applied', 'form-object-refused'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const upload = (localId: string): RawRequest => ({
        path: 'sync',
        form: [['new_thing', JSON.stringify({ local_id: localId, title: localId })]],
      })
      const twin = lab.unique()
      await asSetup('the same upload with a valid token', async () =>
        readSyncAnswer(await lab.openSync(await phone.token(), upload(twin)), 'an upload'),
      )
      const title = lab.unique()
      expectRefusal(await lab.openSync(lab.mark, upload(title)), 'the access token was never issued')
      const answer = await phone.sync({ from })
      const listed = [...answer.things.values()].some((thing) => thing.title === title)
      expect(!listed, 'nothing created by the refused upload', `the thing ${title} is listed`, answer)
    },
  },
])
