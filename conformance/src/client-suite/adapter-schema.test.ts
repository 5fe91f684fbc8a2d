import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { clientProfiles, errorKinds, features, protocolVersion } from './adapter.ts'
import { allClientRules } from './all-client-rules.ts'
import { runClientRules } from './run-client-rules.ts'

const rightClient = fileURLToPath(new URL('../../selftest/clients/right-client.mjs', import.meta.url))
const schemaText = await readFile(new URL('../../adapter-protocol.schema.json', import.meta.url), 'utf8')

interface ObjectSchema {
  readonly properties: Readonly<Record<string, { readonly const?: unknown }>>
}

const schema = JSON.parse(schemaText) as {
  readonly $defs: Readonly<Record<string, ObjectSchema>> & {
    readonly command: { readonly oneOf: readonly ObjectSchema[] }
  }
}
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, schemas: { protocol: schema } })
const validates = (definition: string, value: unknown): string => {
  const validate = ajv.getSchema(`protocol#/$defs/${definition}`)
  if (validate === undefined) throw new Error(`the schema has no ${definition}`)
  return validate(value) === true ? '' : ajv.errorsText(validate.errors)
}

type Line = { readonly id: number; readonly command?: string; readonly result?: unknown }

/** The definition of the result of each command that has one of its own. */
const resultOf: Readonly<Record<string, string>> = {
  hello: 'helloResult',
  token: 'tokens',
  refresh: 'tokens',
  list: 'listResult',
  create: 'createResult',
  read: 'readResult',
  state: 'stateResult',
}

/** Passes the lines between the suite and the right client on, and appends each to the file of this process. */
const recorder = (folder: string): string => `
  const { spawn } = require('node:child_process'); const { appendFileSync } = require('node:fs')
  const child = spawn(process.execPath, [${JSON.stringify(rightClient)}], { stdio: ['pipe', 'pipe', 'inherit'] })
  const pass = (from, to) => {
    let rest = ''
    return from.setEncoding('utf8').on('data', (text) => {
      const end = (rest + text).lastIndexOf('\\n') + 1
      const lines = (rest + text).slice(0, end)
      rest = (rest + text).slice(end)
      appendFileSync(${JSON.stringify(folder)} + '/' + process.pid, lines); to.write(lines)
    })
  }
  pass(process.stdin, child.stdin).on('close', () => child.stdin.end()); pass(child.stdout, process.stdout)`

/** Returns the lines of a run of the rules, one list for each process of the adapter. */
async function recordLines(prefixes: readonly string[]): Promise<readonly (readonly Line[])[]> {
  const folder = await mkdtemp(join(tmpdir(), 'adapter-schema-'))
  try {
    await runClientRules({
      command: [process.execPath, '-e', recorder(folder)],
      profiles: clientProfiles,
      rules: allClientRules.filter(({ id }) => prefixes.some((prefix) => id.startsWith(prefix))),
      ...{ seed: 1, histories: 1, jobs: 1 },
      repeat: ({ id }) => id,
      onResult: () => {},
    })
    const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
    return texts.map((text) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Checks the lines of one process and returns what the schema does not permit; adds the commands to `used`. */
function findProblems(lines: readonly Line[], used: Set<string>): readonly string[] {
  const sent = new Map<number, string>()
  return lines.flatMap((line) => {
    const { command } = line
    const problems: string[] = []
    if (command === undefined) {
      const definition = resultOf[sent.get(line.id) ?? '']
      problems.push(validates('reply', line))
      if (definition !== undefined && line.result !== undefined) problems.push(validates(definition, line.result))
    } else {
      const known = schema.$defs.command.oneOf.find(({ properties }) => properties.command?.const === command)
      sent.set(line.id, command)
      used.add(command)
      problems.push(validates('command', line))
      problems.push(...Object.keys(line).filter((name) => known?.properties[name] === undefined))
    }
    return problems
      .filter((problem) => problem !== '')
      .map((problem) => `${JSON.stringify(line).slice(0, 200)}: ${problem}`)
  })
}

test('the schema permits every line of a run, and names every command and parameter', {
  timeout: 120_000,
}, async () => {
  const used = new Set<string>()
  const processes = await recordLines([
    ...['CLIENT-UPLOAD', 'CLIENT-REFRESH-0', 'CLIENT-OFFLINE-0', 'CLIENT-OPERATION', 'CLIENT-LIST-0', 'CLIENT-TOKEN'],
    ...['CLIENT-RESPONSE', 'CLIENT-FIELD', 'CLIENT-SECRET', 'CLIENT-SYNC', 'CLIENT-LEGAL-01'],
  ])
  const problems = processes.flatMap((lines) => findProblems(lines, used))

  expect(problems).toEqual([])
  expect([...used].sort()).toEqual(
    schema.$defs.command.oneOf.map(({ properties }) => String(properties.command?.const)).sort(),
  )
})

test('the schema has the words that the suite knows', () => {
  const hello = JSON.stringify(schema.$defs.helloResult)

  expect(hello).toContain(JSON.stringify([...features]))
  expect(hello).toContain(JSON.stringify([...clientProfiles]))
  expect(hello).toContain(`"protocol":{"const":${protocolVersion}}`)
  expect(JSON.stringify(schema.$defs.error)).toContain(JSON.stringify([...errorKinds]))
})
