/** A request of the collections: an operation, and what stands in it. `{{name}}` is a variable, also of a number. */
export type CollectionRequest = {
  operation: string
  query?: Readonly<Record<string, string>>
  form?: Readonly<Record<string, string>>
  json?: object
  /** Variables that are kept of the answer, by the path that leads to them from its JSON. */
  keep?: Readonly<Record<string, string>>
}

/** What a collection needs to be told before its first request, with the values that it comes with. */
export const settings: Readonly<Record<string, string>> = {
  baseUrl: 'http://127.0.0.1:8484/v1',
  clientId: '',
  clientSecret: '',
  username: '',
  password: '',
}

/** Variables that are numbers, which stand without quotes in JSON. */
const numbers = ['pos']

const hook = { target_url: 'https://hooks.example.org/', event: 'any' }
const push = {
  endpoint: 'https://push.example.org/x',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}
const app = { client_id: '{{clientId}}', client_secret: '{{clientSecret}}' }

/** The requests in an order in which each has what it needs. */
export const requests: readonly CollectionRequest[] = [
  {
    operation: 'grantToken',
    form: { grant_type: 'password', ...app, username: '{{username}}', password: '{{password}}' },
    keep: { accessToken: '.access_token', requestToken: '.request_token' },
  },
  { operation: 'getTest' },
  { operation: 'getUser' },
  { operation: 'getSync', keep: { pos: '.pos' } },
  {
    operation: 'postSync',
    json: { from: '{{pos}}', new_thing: [{ local_id: 'n1', title: 'Buy milk', tags: 'home' }] },
    keep: { thingId: '.things.new.n1' },
  },
  { operation: 'addThing', json: { title: 'Call Bert', tags: 'phone', url: 'https://example.com/' } },
  { operation: 'changeThing', json: { _id: '{{thingId}}', title: 'Buy oat milk' } },
  { operation: 'getThings', query: { archived: 'include', tag: 'phone' } },
  { operation: 'getTags' },
  { operation: 'deleteThing', json: { _id: '{{thingId}}' } },
  { operation: 'registerWebhook', json: hook },
  { operation: 'listWebhooks' },
  { operation: 'unregisterWebhook', json: hook },
  { operation: 'getDeviceKey' },
  { operation: 'registerDevice', json: { type: 'webpush', id: 'phone', ...push } },
  { operation: 'listDevices' },
  { operation: 'unregisterDevice', json: { type: 'webpush', id: 'phone' } },
  { operation: 'listSessions', keep: { sessionId: '[0].id' } },
  { operation: 'revokeSession', json: { id: '{{sessionId}}' } },
  { operation: 'revokeToken', json: { token: '{{requestToken}}', ...app } },
]

/** JSON text with variables of numbers as numbers. */
export const writeJson = (value: object): string =>
  numbers.reduce((text, name) => text.replaceAll(`"{{${name}}}"`, `{{${name}}}`), JSON.stringify(value, null, 2))
