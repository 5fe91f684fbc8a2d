import type { JudgedServer } from './judged-server.ts'

// A JSON text is a text of TOML, too.
const show = (value: unknown): string => JSON.stringify(value)

const dictionary = (name: string, values: readonly string[]): string =>
  `[dictionaries.${name}]\nvalues = ${show(values)}\n`

const bind = (field: string, probability: number): string =>
  `${show(`body.${field}`)} = { dictionary = ${show(field)}, probability = ${probability} }`

const forOperations = (path: string, lines: readonly string[]): string =>
  `[[operations]]\ninclude-path-regex = ${show(path)}\n${lines.join('\n')}\n`

/**
 * What Schemathesis is told of the judged server, in its own words (TOML): the access token for the header; credentials and
 * ids for most requests that take them. Only at the token endpoint, and where something is to be delivered to, a well-formed
 * request may be refused for what it holds: a schema cannot say which passwords are right, which addresses are public, and
 * which points lie on a curve.
 */
export const writeConfig = ({ accessToken, credentials, thingIds, sessionIds }: JudgedServer): string =>
  [
    `headers = { Authorization = ${show(`Bearer ${accessToken}`)} }`,
    'generation.allow-x00 = false',
    // The header has the token already; another one beside it is refused.
    'generation.with-security-parameters = false',
    dictionary('_id', thingIds),
    dictionary('id', sessionIds),
    dictionary('grant_type', ['password']),
    ...Object.entries(credentials).map(([field, value]) => dictionary(field, [value])),
    forOperations('^/(token|revoke)$', [
      'checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "401", "429"]',
      '[operations.parameters]',
      ...['grant_type', ...Object.keys(credentials)].map((field) => bind(field, 0.8)),
    ]),
    forOperations('^/(webhook/register|register/device|device/register)$', [
      'checks.positive_data_acceptance.expected-statuses = ["2xx", "400"]',
    ]),
    // A stream does not end, and Schemathesis reads answers to their end; the suite judges it.
    forOperations('^/sync/events$', ['enabled = false']),
    forOperations('^/thing/(change|delete)$', ['[operations.parameters]', bind('_id', 0.7)]),
    forOperations('^/session/revoke$', ['[operations.parameters]', bind('id', 0.7)]),
  ].join('\n')
