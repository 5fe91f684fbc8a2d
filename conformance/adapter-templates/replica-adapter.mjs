// A first adapter for an offline client in JavaScript: thingsync-conformance client -- node replica-adapter.mjs
import { createInterface } from 'node:readline'

// Import your client here: import { openReplica } from 'my-client'

/** An error as the suite wants it: a kind, and status and code where the client knows them. */
class Failure extends Error {
  constructor(kind, message, details = {}) {
    super(message)
    Object.assign(this, { kind, ...details })
  }
}

const missing = (name) => new Failure('unsupported', `${name}: call your client in replica-adapter.mjs`)

const commands = {
  // Add the features that your client has. "set-tag" is the only one with a command of its own.
  hello: () => ({ protocol: 1, name: 'my client', version: '1.0', profiles: ['replica'], features: [] }),

  open: async (_parameters) => {
    // Open your client on `folder`. It keeps everything there. It need not send a request yet:
    // replica = await openReplica({ folder, baseUrl: base_url, clientId: client_id, … })
    return {}
  },

  create: async (_fields) => {
    // `ref` is a name of the thing. It stays valid after the upload, when the thing has an _id:
    // return { ref: await replica.create(fields) }
    throw missing('create')
  },

  change: async (_parameters) => {
    // const { ref, ...fields } = parameters; await replica.change(ref, fields); return {}
    throw missing('change')
  },

  delete: async (_parameters) => {
    // await replica.delete(parameters.ref); return {}
    throw missing('delete')
  },

  sync: async () => {
    // Without tokens, first the sign-in call of your client, if it has one. Then: await replica.sync(); return {}
    throw missing('sync')
  },

  read: async () => {
    // `_id` is null before the upload:
    // return { things: things.map(({ name, id, ...fields }) => ({ ref: name, _id: id ?? null, ...fields })), tags }
    throw missing('read')
  },

  state: async () => {
    // All edits that were ever lost in this folder, and the error of the last sync, as `run` returns it:
    // return { pending: replica.countWaiting(), lost: replica.lostEdits.map(({ title }) => ({ title })), error: null }
    throw missing('state')
  },

  // await replica.close(); return {}
  close: async () => ({}),
}

async function run(command, parameters) {
  try {
    if (!Object.hasOwn(commands, command)) throw new Failure('unsupported', command)
    return { result: await commands[command](parameters) }
  } catch (error) {
    // Turn the errors of your client into kinds here. An error without a kind is a bug of the client or of this adapter.
    const { kind = 'internal', message, status, code } = error
    return { error: { kind, message, status, code } }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, command, ...parameters } = JSON.parse(line)
  process.stdout.write(`${JSON.stringify({ id, ...(await run(command, parameters)) })}\n`)
}
