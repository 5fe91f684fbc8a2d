import { readAccessToken } from '../access-tokens.ts'
import type { JsonObject } from '../encoding.ts'
import { expect } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { extensionRule, type Rule } from '../rule.ts'
import { describeReply, expectError, expectObject } from './operation-steps.ts'

const wellKnown = '.well-known/oauth-authorization-server'

/** The path of the metadata (RFC 8414), relative to the base URL: before the path prefix, if there is one. */
const metadataPath = (baseUrl: string): string => {
  const folders = new URL(baseUrl).pathname.split('/').filter(Boolean)
  const prefix = folders.slice(0, -1).map((folder) => `/${folder}`)
  return `${'../'.repeat(folders.length)}${wellKnown}${prefix.join('')}`
}

const readMetadata = async (lab: Lab) => {
  const reply = await lab.request({ path: metadataPath(lab.target.baseUrl) })
  return { reply, metadata: expectObject(reply, 'metadata need no token') }
}

const namesAll = (value: unknown, ...names: readonly string[]): boolean =>
  Array.isArray(value) && names.every((name) => value.includes(name))

/** Checks the path of a metadata URL; behind a proxy its host may differ from the host that the suite knows. */
const endsIn = (metadata: JsonObject, field: string, path: string): boolean => {
  const url = metadata[field]
  return typeof url === 'string' && URL.canParse(url) && new URL(url).pathname === path
}

const requestCode = (lab: Lab, changes: Readonly<Record<string, string | undefined>>) =>
  lab.token({ grant_type: 'authorization_code', username: undefined, password: undefined, ...changes })

const requestConsent = (lab: Lab, clientId: string) =>
  lab.request({
    path: '../authorize',
    query: [
      ['response_type', 'code'],
      ['client_id', clientId],
      ['redirect_uri', `https://${lab.mark}.invalid/back`],
      ['state', lab.mark],
    ],
    headers: { accept: 'text/html' },
  })

/** Rules of section 5: authorization code flow with PKCE, without a browser (protocol.md#contract-authorization-code-flow). */
export const codeFlowRules: readonly Rule[] = [
  extensionRule({
    id: 'FLOW-META-01',
    title: 'MUST say in its metadata where /authorize and the token endpoint are',
    section: '5.1',
    requirements: ['K-web-11'],
    faults: ['metadata-missing', 'metadata-without-issuer', 'metadata-other-authorize', 'metadata-other-token'],
    check: async (lab) => {
      const { reply, metadata } = await readMetadata(lab)
      const base = new URL(`${lab.target.baseUrl.replace(/\/*$/, '')}/`).pathname
      const { issuer } = metadata
      const came = describeReply(reply)
      expect(typeof issuer === 'string' && URL.canParse(issuer), 'issuer, a URL', came, reply)
      const authorize = new URL('../authorize', `http://x${base}`).pathname
      const says = (field: string, path: string) =>
        expect(endsIn(metadata, field, path), `${field} with the path ${path}`, came, reply)
      says('authorization_endpoint', authorize)
      says('token_endpoint', `${base}token`)
    },
  }),
  extensionRule({
    id: 'FLOW-META-02',
    title: 'MUST say in its metadata that it takes codes, and challenges by S256 alone',
    section: '5.1',
    requirements: ['K-web-11', 'K-web-7'],
    faults: ['metadata-without-code', 'metadata-without-code-grant', 'metadata-plain-challenge'],
    check: async (lab) => {
      const { reply, metadata } = await readMetadata(lab)
      const came = describeReply(reply)
      const { response_types_supported: types, grant_types_supported: grants } = metadata
      const methods = metadata.code_challenge_methods_supported
      expect(namesAll(types, 'code'), 'response_types_supported with code', came, reply)
      const both = namesAll(grants, 'authorization_code', 'refresh_token')
      expect(both, 'grant_types_supported with authorization_code and refresh_token', came, reply)
      const isS256 = namesAll(methods, 'S256') && Array.isArray(methods) && methods.length === 1
      expect(isS256, 'code_challenge_methods_supported: ["S256"]', came, reply)
    },
  }),
  extensionRule({
    id: 'FLOW-CODE-01',
    title: 'MUST reject a code that it never issued with 400 invalid_grant',
    section: '5.1',
    requirements: ['K-web-8'],
    faults: ['code-grant-unsupported', 'code-unknown-granted'],
    check: async (lab) => {
      const redirect = `https://${lab.mark}.invalid/back`
      const bare = await requestCode(lab, { code: lab.mark, redirect_uri: redirect })
      expectError(bare, 400, 'invalid_grant', 'the code was never issued')
      const verifier = lab.mark.padEnd(43, 'x')
      const proven = await requestCode(lab, { code: lab.mark, redirect_uri: redirect, code_verifier: verifier })
      expectError(proven, 400, 'invalid_grant', 'the code was never issued, whatever the verifier')
    },
  }),
  extensionRule({
    id: 'FLOW-CODE-02',
    title: 'MUST reject an authorization_code grant without a code with 400 invalid_request',
    section: '5.1',
    requirements: ['K-web-8', 'K-error-6'],
    faults: ['code-missing-other-code'],
    check: async (lab) => {
      expectError(await requestCode(lab, {}), 400, 'invalid_request', 'code is missing')
    },
  }),
  extensionRule({
    id: 'FLOW-CODE-03',
    title: 'MUST reject a code of a wrong client with 401 invalid_client',
    section: '5.1',
    requirements: ['K-web-8', 'K-error-6'],
    faults: ['code-client-unchecked', 'code-client-secret-optional'],
    check: async (lab) => {
      const wrong = await requestCode(lab, { code: lab.mark, client_secret: lab.mark })
      expectError(wrong, 401, 'invalid_client', 'the client secret is wrong')
      const none = await requestCode(lab, { code: lab.mark, client_secret: undefined })
      expectError(none, 401, 'invalid_client', 'this client has a secret, and it is missing')
      readAccessToken(await lab.token())
    },
  }),
  extensionRule({
    id: 'FLOW-AUTHORIZE-01',
    title: 'MUST NOT lead anywhere from /authorize for an app that it does not know',
    section: '5.1',
    requirements: ['K-web-4'],
    faults: ['authorize-unknown-app-leads-away', 'authorize-unknown-app-200'],
    check: async (lab) => {
      const reply = await requestConsent(lab, lab.mark)
      expect(reply.headers.location === undefined, 'no Location, because the app is unknown', 'one came', reply)
      expect(reply.status === 400, 'a page with the status 400', `${reply.status} came`, reply)
    },
  }),
  extensionRule({
    id: 'FLOW-AUTHORIZE-02',
    title: 'MUST NOT redirect from /authorize to a URI that the client has not registered',
    section: '5.1',
    requirements: ['K-web-4', 'K-web-5'],
    faults: ['authorize-any-redirect-leads-away', 'authorize-any-redirect-200'],
    check: async (lab) => {
      const reply = await requestConsent(lab, lab.target.clientId)
      expect(
        reply.headers.location === undefined,
        'no Location, because the redirect URI is unknown',
        'one came',
        reply,
      )
      expect(reply.status === 400, 'a page with the status 400', `${reply.status} came`, reply)
    },
  }),
]
