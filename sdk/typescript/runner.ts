/** Makes the calls that `npm run sdk:test` sends as lines of JSON, and prints each result as a line of JSON. */
import { createInterface } from 'node:readline'
import { ThingsyncApi } from './client/apis/index.js'
import { Configuration, FetchError, ResponseError } from './client/runtime.js'
import { createWire, type WireOptions } from './wire.ts'

type Call = { base_url: string; call: string; with: object; token?: string; wire: WireOptions }
type Body<Name extends keyof ThingsyncApi> = ThingsyncApi[Name] extends (request: { body: infer B }) => unknown
  ? B
  : never
type Query<Name extends keyof ThingsyncApi> = ThingsyncApi[Name] extends (request: infer Q) => unknown ? Q : never

const calls: Record<string, (api: ThingsyncApi, given: object) => Promise<unknown>> = {
  grantToken: (api, given) => api.grantToken(given as Query<'grantToken'>),
  revokeToken: (api, given) => api.revokeToken({ body: given as Body<'revokeToken'> }),
  getSync: (api, given) => api.getSync(given as Query<'getSync'>),
  postSync: (api, given) => api.postSync({ body: given as Body<'postSync'> }),
  getTest: (api) => api.getTest(),
  getUser: (api) => api.getUser(),
  getTags: (api, given) => api.getTags(given as Query<'getTags'>),
  getThings: (api, given) => api.getThings(given as Query<'getThings'>),
  addThing: (api, given) => api.addThing({ body: given as Body<'addThing'> }),
  changeThing: (api, given) => api.changeThing({ body: given as Body<'changeThing'> }),
  deleteThing: (api, given) => api.deleteThing({ body: given as Body<'deleteThing'> }),
  registerDevice: (api, given) => api.registerDevice({ body: given as Body<'registerDevice'> }),
  unregisterDevice: (api, given) => api.unregisterDevice({ body: given as Body<'unregisterDevice'> }),
  registerWebhook: (api, given) => api.registerWebhook({ body: given as Body<'registerWebhook'> }),
  unregisterWebhook: (api, given) => api.unregisterWebhook({ body: given as Body<'unregisterWebhook'> }),
}

async function readError(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

async function makeCall({ base_url: basePath, call, with: given, token, wire }: Call): Promise<unknown> {
  const configuration = new Configuration({
    basePath,
    middleware: [createWire(wire)],
    ...(token === undefined ? {} : { accessToken: token }),
  })
  try {
    return { value: await calls[call]?.(new ThingsyncApi(configuration), given) }
  } catch (error) {
    if (error instanceof ResponseError) return { status: error.response.status, error: await readError(error.response) }
    if (error instanceof FetchError) return { failure: String(error.cause), kind: 'network' }
    if (error instanceof SyntaxError) return { failure: String(error), kind: 'unexpected_response' }
    return { failure: String(error) }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await makeCall(JSON.parse(line))))
}
