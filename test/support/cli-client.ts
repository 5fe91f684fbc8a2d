import { prepareApp, preparedPassword, prepareUsers } from './prepare-accounts.ts'
import type { Body } from './test-request.ts'

/** Makes a user and an app in a data folder, and returns what opens a client of the user at any base URL. */
export const enrolCliUser = async (data: string, name = 'anna') => {
  await prepareUsers(data, name)
  const app = await prepareApp(data, 'tests')
  return async (baseUrl: string): Promise<CliClient> => {
    const body = new URLSearchParams({ ...app, grant_type: 'password', username: name, password: preparedPassword })
    const granted = (await (await fetch(`${baseUrl}token`, { method: 'POST', body })).json()) as Body
    return openCliClient(baseUrl, String(granted.access_token))
  }
}

/** A client of a server in another process. */
export interface CliClient {
  readonly token: string
  /** Uploads and lists; fails unless the response is 200. */
  readonly sync: (upload?: object) => Promise<Body>
}

/** A client with a token, for example one that was granted before the server was replaced. */
export const openCliClient = (baseUrl: string, token: string): CliClient => ({
  token,
  sync: async (upload = {}) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${baseUrl}sync`, { method: 'POST', headers, body: JSON.stringify(upload) })
    const body = (await response.json()) as Body
    if (response.status !== 200) throw new Error(`sync failed: ${response.status} ${JSON.stringify(body)}`)
    return body
  },
})
