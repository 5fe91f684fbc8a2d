// A first adapter for a client in JavaScript. Start it with: thingsync-conformance client -- node adapter.mjs
import { createInterface } from 'node:readline'

// Import your client here: import { createClient } from 'my-client'

/** An error as the suite wants it: a kind, and status and code where the client knows them. */
class Failure extends Error {
  constructor(kind, message, details = {}) {
    super(message)
    Object.assign(this, { kind, ...details })
  }
}

let client

const commands = {
  // Add the features that your client has. For the profile "replica", see replica-adapter.mjs.
  hello: () => ({ protocol: 1, name: 'my client', version: '1.0', profiles: ['api'], features: [] }),

  init: (parameters) => {
    // Create your client here. It need not send a request yet. If it has a sign-in call, make it before the first request:
    // client = createClient({ baseUrl: parameters.base_url, clientId: parameters.client_id, … })
    client = parameters
    return {}
  },

  sync: async (parameters) => {
    // Pass on what is given, and nothing else. Return what the client decoded:
    // try {
    //   return await client.sync(parameters)
    // } catch (error) {
    //   throw new Failure('rejected', error.message, { status: error.status, code: error.code })
    // }
    throw new Failure(
      'unsupported',
      `sync of ${client.base_url} with ${Object.keys(parameters)}: call your client in adapter.mjs`,
    )
  },

  token: async ({ username }) => {
    throw new Failure('unsupported', `token of ${username}: call your client in adapter.mjs`)
  },

  refresh: async () => {
    throw new Failure('unsupported', 'refresh: call your client in adapter.mjs')
  },
}

async function run(command, parameters) {
  try {
    if (!Object.hasOwn(commands, command)) throw new Failure('unsupported', command)
    return { result: await commands[command](parameters) }
  } catch (error) {
    // An error without a kind is a bug of the client or of this adapter.
    const { kind = 'internal', message, status, code } = error
    return { error: { kind, message, status, code } }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, command, ...parameters } = JSON.parse(line)
  const result = await run(command, parameters)
  process.stdout.write(`${JSON.stringify({ id, ...result })}\n`)
}
