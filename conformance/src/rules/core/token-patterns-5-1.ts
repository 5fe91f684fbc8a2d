import { coreSection } from './core-rules.ts'
import { expectEachRefreshRefused, expectEachRefused } from './refused-grants.ts'

/** A text of the same length that a query takes for any text. */
const underscores = (text: string): string => '_'.repeat(text.length)

const otherCase = (text: string): string => (text.toUpperCase() === text ? text.toLowerCase() : text.toUpperCase())

/** Credentials that are a pattern, a word or another credential (interface 5.1). Few of each: servers count attempts. */
export const tokenPatternRules = coreSection('5.1', [
  {
    id: 'TOKEN-CLIENT-04',
    title: 'MUST refuse a password grant whose client_secret is a pattern, a usual word or another credential',
    basis: 'derived',
    clauses: ['C-1-3', 'C-5.1-3'],
    faults: [
      'client-secret-percent-accepted',
      'client-secret-underscores-accepted',
      'client-secret-star-accepted',
      'client-secret-is-client-id',
      'client-secret-default-word',
    ],
    check: (lab) => {
      const { clientId, clientSecret } = lab.target
      return expectEachRefused(lab, {
        'client_secret is a percent sign': { client_secret: '%' },
        'client_secret is as many underscores': { client_secret: underscores(clientSecret) },
        'client_secret is a star': { client_secret: '*' },
        ...(clientId === clientSecret ? {} : { 'client_secret is the client_id': { client_secret: clientId } }),
        ...(clientSecret === 'secret' ? {} : { 'client_secret is the word secret': { client_secret: 'secret' } }),
      })
    },
  },
  {
    id: 'TOKEN-CLIENT-05',
    title: 'MUST refuse a password grant whose client_id is a pattern or has another letter case',
    basis: 'derived',
    clauses: ['C-1-3', 'C-5.1-3'],
    faults: ['client-id-percent-accepted', 'client-id-case-ignored'],
    check: (lab) =>
      expectEachRefused(lab, {
        'client_id is a percent sign': { client_id: '%' },
        ...(otherCase(lab.target.clientId) === lab.target.clientId
          ? {}
          : { 'the letters of client_id have another case': { client_id: otherCase(lab.target.clientId) } }),
      }),
  },
  {
    id: 'TOKEN-REFUSE-14',
    title: 'MUST refuse a password grant whose password is a pattern or another credential',
    basis: 'derived',
    clauses: ['C-5.1-3'],
    faults: [
      'password-percent-accepted',
      'password-star-accepted',
      'password-is-username',
      'password-is-client-secret',
      'password-of-another-user',
    ],
    check: (lab) => {
      const { clientSecret, users } = lab.target
      const [first, second] = users
      const others = {
        'the password is the username': first?.username,
        'the password is the client_secret': clientSecret,
        'the password is that of another user': second?.password,
      }
      return expectEachRefused(lab, {
        'the password is a percent sign': { password: '%' },
        'the password is a star': { password: '*' },
        ...Object.fromEntries(
          Object.entries(others)
            .filter(([, password]) => password !== undefined && password !== first?.password)
            .map(([because, password]) => [because, { password }]),
        ),
      })
    },
  },
  {
    id: 'TOKEN-REFUSE-15',
    title: 'MUST refuse a refresh whose refresh_token is a pattern or a word',
    basis: 'derived',
    clauses: ['C-5.1-3'],
    faults: ['refresh-token-percent-accepted', 'refresh-token-null-accepted'],
    check: (lab) =>
      expectEachRefreshRefused(lab, {
        'refresh_token is a percent sign': { refresh_token: '%' },
        'refresh_token is the word null': { refresh_token: 'null' },
      }),
  },
])
