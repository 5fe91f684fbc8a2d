/** `npx tsx conformance/selftest/serve.ts`: runs the right server until Ctrl-C, and prints the options of the suite. */
import { openRightServer } from '../src/model/right-server.ts'

const { baseUrl, clientId, clientSecret, users } = await openRightServer()
const shown = users.map(({ username, password }) => ` --user '${username}:${password}'`).join('')
console.log(`--base-url ${baseUrl} --client-id ${clientId} --client-secret '${clientSecret}'${shown}`)
