/** `npx tsx conformance/selftest/serve.ts`: runs the right server until it is interrupted, and prints how to try rules on it. */
import { openRightServer } from './right-server.ts'

const { baseUrl, clientId, clientSecret, users } = await openRightServer()
const shown = users.map(({ username, password }) => ` --user '${username}:${password}'`).join('')
console.log(`--base-url ${baseUrl} --client-id ${clientId} --client-secret '${clientSecret}'${shown}`)
