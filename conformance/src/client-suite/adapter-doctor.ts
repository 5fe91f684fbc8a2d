/*
 * The doctor for adapters: says hello, sends each command that the adapter claims once against a plain server, and says in
 * plain words what is wrong with its lines.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isObject, type JsonObject, listOf, showValue } from '../encoding.ts'
import { type Adapter, AdapterBroken, type Hello, type Outcome } from './adapter.ts'
import { greetAdapter } from './run-client-rules.ts'
import { openScriptedServer, type ScriptedServer } from './scripted-server.ts'

/** One finding; a problem and a hint say what to do. */
export interface AdapterNote {
  readonly kind: 'good' | 'problem' | 'hint'
  readonly text: string
}

/** One step: a command, and what its result must have. */
interface Step {
  readonly command: string
  readonly parameters?: JsonObject
  /** Returns a sentence when the result is wrong. */
  readonly check?: (result: JsonObject, server: ScriptedServer) => string | undefined
}

const needs =
  (...members: readonly (readonly [name: string, type: string])[]) =>
  (result: JsonObject): string | undefined => {
    const typeOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value)
    const wrong = members.find(([name, type]) => typeOf(result[name]) !== type)
    return wrong && `the result needs "${wrong[0]}", a ${wrong[1]}, but it was ${showValue(result)}`
  }

const title = 'From the doctor: ä & b'

function hasOne(result: JsonObject, server: ScriptedServer): string | undefined {
  const { things } = result
  const ids = isObject(things) && isObject(things.new) ? Object.keys(things.new) : []
  if (server.titled(title).length !== 1)
    return `the server should have one thing "${title}", but it has ${showValue(server.things().map((thing) => thing.title))}`
  return ids.length === 1 ? undefined : `the result needs things.new with one entry, but it was ${showValue(result)}`
}

/** The steps of the profile `api`. */
function apiSteps(server: ScriptedServer, { features }: Hello): readonly Step[] {
  const { username = '', password = '' } = server.credentials()
  const withTokens = needs(['access_token', 'string'], ['request_token', 'string'])
  return [
    { command: 'init', parameters: server.credentials() },
    {
      command: 'token',
      parameters: { username, password },
      ...(features.includes('tokens') ? { check: withTokens } : {}),
    },
    { command: 'sync', parameters: { from: 0, new_thing: [{ local_id: 'a', title }] }, check: hasOne },
    {
      command: 'sync',
      parameters: { from: 0 },
      check: (result) =>
        needs(['pos', 'number'])(result) ?? needs(['changed', 'list'])(isObject(result.things) ? result.things : {}),
    },
    { command: 'refresh', ...(features.includes('tokens') ? { check: withTokens } : {}) },
    ...(features.includes('list')
      ? [
          {
            command: 'list',
            parameters: { from: 0 },
            check: needs(['count', 'number'], ['digest', 'string'], ['pos', 'number']),
          },
        ]
      : []),
    ...(features.includes('operations')
      ? [
          { command: 'thing-add', parameters: { title: 'added' }, check: needs(['_id', 'string']) },
          { command: 'things-get', check: needs(['items', 'list']) },
          { command: 'tags-get', check: needs(['pos', 'number']) },
          { command: 'user-get', check: needs(['username', 'string']) },
        ]
      : []),
    ...(features.includes('revoke') ? [{ command: 'revoke' }] : []),
  ]
}

/** Runs one command, and describes what is wrong with its outcome. */
function checkOutcome({ command, check }: Step, { result, error }: Outcome, server: ScriptedServer): AdapterNote {
  if (error === undefined) {
    const wrong = check?.(result, server)
    return wrong === undefined ? { kind: 'good', text: command } : { kind: 'problem', text: `${command}: ${wrong}` }
  }
  const advice =
    error.kind === 'unsupported'
      ? 'a command of a claimed profile has to work; leave the profile or the feature out of hello'
      : 'against a right server it has to succeed'
  return { kind: 'problem', text: `${command}: the adapter returned the error ${showValue(error)}; ${advice}` }
}

async function tryApi(adapter: Adapter, hello: Hello, report: (note: AdapterNote) => void): Promise<void> {
  const server = await openScriptedServer()
  try {
    for (const step of apiSteps(server, hello))
      report(checkOutcome(step, await adapter.send(step.command, step.parameters), server))
  } finally {
    await server.close()
  }
}

async function tryReplica(adapter: Adapter, hello: Hello, report: (note: AdapterNote) => void): Promise<void> {
  const server = await openScriptedServer()
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-doctor-'))
  const send = async (step: Step): Promise<JsonObject> => {
    const outcome = await adapter.send(step.command, step.parameters)
    report(checkOutcome(step, outcome, server))
    return outcome.result ?? {}
  }
  const readTitles = (result: JsonObject): readonly unknown[] =>
    listOf(result.things).map((thing) => (isObject(thing) ? thing.title : thing))
  try {
    await send({ command: 'open', parameters: { folder, ...server.credentials() } })
    const { ref = '' } = await send({ command: 'create', parameters: { title }, check: needs(['ref', 'string']) })
    await send({ command: 'change', parameters: { ref, html: 'x' } })
    if (hello.features.includes('set-tag'))
      await send({ command: 'set-tag', parameters: { name: 'home', settings: { favorite: true } } })
    await send({ command: 'state', check: needs(['pending', 'number'], ['lost', 'list']) })
    await send({
      command: 'sync',
      check: () =>
        server.titled(title).length === 1 ? undefined : `the server should have the thing "${title}", but it does not`,
    })
    await send({
      command: 'read',
      check: (result) =>
        readTitles(result).includes(title)
          ? needs(['ref', 'string'], ['_id', 'string'])(listOf(result.things)[0] as JsonObject)
          : `"things" should list "${title}", but it was ${showValue(result)}`,
    })
    await send({ command: 'delete', parameters: { ref } })
    await send({ command: 'close' })
    await send({ command: 'open', parameters: { folder, ...server.credentials() } })
    await send({
      command: 'read',
      check: (result) =>
        readTitles(result).includes(title) ? 'the deleted thing is there again after close and open' : undefined,
    })
    await send({ command: 'close' })
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Checks an adapter, reports what it finds, and resolves to the exit code: 0 without a problem, 1 with one, 2 when the
 * adapter cannot be used.
 */
export async function diagnoseAdapter(
  command: readonly string[],
  report: (note: AdapterNote) => void,
): Promise<0 | 1 | 2> {
  let problems = 0
  const count = (note: AdapterNote): void => {
    if (note.kind === 'problem') problems += 1
    report(note)
  }
  let adapter: Adapter | undefined
  try {
    const greeted = await greetAdapter(command)
    adapter = greeted.adapter
    const { hello } = greeted
    const { name, version, profiles, features } = hello
    count({
      kind: 'good',
      text: `hello: ${name} ${version}, ${profiles.join(' and ')}, features ${features.join(', ') || 'none'}`,
    })
    if (profiles.includes('api')) await tryApi(adapter, hello, count)
    if (profiles.includes('replica')) await tryReplica(adapter, hello, count)
    const isEnded = await adapter.end()
    count(
      isEnded
        ? { kind: 'good', text: 'the adapter ends when its standard input ends' }
        : { kind: 'problem', text: 'the adapter does not end within 3 s when its standard input ends; end it there' },
    )
    return problems === 0 ? 0 : 1
  } catch (error) {
    if (!(error instanceof AdapterBroken)) throw error
    report({ kind: 'problem', text: error.message })
    if (adapter?.isUsable() === true) await adapter.kill()
    return adapter === undefined ? 2 : 1
  }
}
