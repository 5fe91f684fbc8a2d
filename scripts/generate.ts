import type { EventEmitter } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Command, Option } from 'commander'
import openapiTS, { astToString } from 'openapi-typescript'
import { parse } from 'yaml'
import { allRequirements } from '../conformance/src/requirements/all-requirements.ts'
import { clientRequirements } from '../conformance/src/requirements/clients.ts'
import { apiErrors } from '../src/api-error.ts'
import { createProgram, loadCommands } from '../src/cli/program.ts'
import {
  environmentNameOf,
  findSetting,
  flagOf,
  settingGroups,
  settingNames,
  showDefault,
} from '../src/config/settings-table.ts'
import { readOperations, writeCollections } from './collections/write-collections.ts'
import { bundleText } from './contract/releases.ts'
import { fillStatements, pagePath, tablePath, writeTable } from './interface-page.ts'
import { createReference } from './reference/make-reference.ts'
import { type CodeSamples, listSamples, samplesPath, stampSdks } from './sdk/languages.ts'
import { profilePath, writeProfile } from './sdk/profile.ts'
import { writeRoutes } from './write-routes.ts'

type FieldSchema = Readonly<{
  description?: string
  type?: string
  minLength?: number
  minimum?: number
  maximum?: number
  enum?: readonly unknown[]
  'x-presence'?: string
}>
type ThingSchema = Readonly<{ required: readonly string[]; properties: Readonly<Record<string, FieldSchema>> }>

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'integer',
  boolean: 'flag',
}

const findPresence = ({ type, minLength = 0, enum: values, ...schema }: FieldSchema, isRequired: boolean): string => {
  if (schema['x-presence'] !== undefined) return schema['x-presence']
  if (isRequired) return 'always'
  if (type === 'boolean') return values?.length === 1 && values[0] === true ? 'true' : 'set'
  return type === 'string' && minLength > 0 ? 'notEmpty' : 'set'
}

const showBounds = ({ minimum, maximum }: FieldSchema): string =>
  (minimum === undefined ? '' : `, minimum: ${minimum}`) + (maximum === undefined ? '' : `, maximum: ${maximum}`)

/**
 * Creates the table of a thing's fields from the schema `Thing` of the document: the kind of each field, when the
 * returned form has it, and the bounds of numbers. The table does not contain the id.
 * @throws Error for a field of a type that a thing cannot have, and for a field after the fields of state
 */
const listThingFields = ({ required, properties }: ThingSchema): string => {
  let hasState = false
  const rows = Object.entries(properties).flatMap(([name, schema]) => {
    if (name === '_id') return []
    const kind = kinds[schema.type ?? '']
    if (kind === undefined)
      throw new Error(`Thing.${name} has the type ${schema.type}; a field is a text, number or flag`)
    const presence = findPresence(schema, required.includes(name))
    const isState = presence === 'true' || presence === 'todo'
    if (hasState && !isState) throw new Error(`Thing.${name} must stand before archived and todoStatus`)
    hasState ||= isState
    return [`  ${name}: { kind: '${kind}', presence: '${presence}'${showBounds(schema)} },\n`]
  })
  return `/**
 * The fields of a thing beside its id (interface 2.1), in the order of the returned form: what kind of value each holds, and
 * when the returned form has it: \`always\`, when the text is \`notEmpty\`, when it is \`set\`, when the flag is \`true\`, or while
 * the thing is a \`todo\`. \`minimum\` and \`maximum\` are the bounds of a number that has some.
 */
export const thingFields = {
${rows.join('')}} as const
`
}

const submitted: Readonly<Record<string, readonly string[]>> = {
  ThingCreate: ['local_id'],
  ThingUpdate: ['_id'],
  ThingAddition: ['access_token', 'prevent_duplicate'],
  ThingChange: ['access_token', '_id'],
}

/**
 * Checks that each schema of a submitted thing has the fields of `Thing`, and no other fields except its own.
 * @throws Error that names the schema and the field
 */
const checkSubmittedThings = (schemas: Readonly<Record<string, Pick<ThingSchema, 'properties'>>>): void => {
  const fields = Object.keys(schemas.Thing?.properties ?? {}).filter((name) => name !== '_id')
  for (const [schema, own] of Object.entries(submitted)) {
    const names = Object.keys(schemas[schema]?.properties ?? {})
    const missing = fields.find((name) => !names.includes(name))
    if (missing !== undefined) throw new Error(`${schema} lacks ${missing}, which Thing has`)
    const unknown = names.find((name) => !fields.includes(name) && !own.includes(name))
    if (unknown !== undefined) throw new Error(`${schema} has ${unknown}, which Thing lacks`)
  }
}

const maxLine = 120

/** Fills the text of the schema of our transfer format with a property for each field of the schema `Thing`. */
const fillTransferSchema = (text: string, { properties }: ThingSchema): string => {
  const begin = text.indexOf('          "title": {')
  const end = text.indexOf('\n        }\n', begin)
  if (begin === -1 || end === -1) throw new Error('the schema of our own JSON has no properties of things')
  const members = Object.entries(properties)
    .filter(([name]) => name !== '_id')
    .map(([name, { description, type, minimum, maximum }]) => {
      const parts = Object.entries({ description, type, minimum, maximum })
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => `"${key}": ${JSON.stringify(value)}`)
      const line = `          "${name}": { ${parts.join(', ')} }`
      return line.length < maxLine
        ? line
        : `          "${name}": {\n            ${parts.join(',\n            ')}\n          }`
    })
  return `${text.slice(0, begin)}${members.join(',\n')}${text.slice(end)}`
}

const errorsPath = 'docs/reference/errors.md'

/** Fills the page of errors with the sentences of the table of errors; a word in braces stands for a detail. */
const fillSentences = (page: string): string => {
  const [begin, end] = ['<!-- sentences -->\n\n', '\n<!-- end of sentences -->']
  const [before, after] = [page.indexOf(begin) + begin.length, page.indexOf(end)]
  if (before < begin.length || after < before) throw new Error(`${errorsPath} has no place for the sentences`)
  const details = new Proxy({}, { get: (_, name) => `{${String(name)}}` })
  const rows = Object.values(apiErrors)
    .toSorted((a, b) => a.status - b.status || a.error.localeCompare(b.error))
    .map(({ status, error, sentence }) => `| ${status} | \`${error}\` | ${sentence(details)} |\n`)
  return `${page.slice(0, before)}| status | code | sentence |\n| --- | --- | --- |\n${rows.join('')}${page.slice(after)}`
}

const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replace(/[<*]/g, '\\$&')
const code = (text: string): string => (text === '' ? '' : `\`${text}\``)

/** Writes a Markdown table with these rows of cells. */
const writeTableOf = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const lines = [heads, heads.map(() => '---'), ...rows]
  return `${lines.map((cells) => `| ${cells.map((cell) => cell || '–').join(' | ')} |`).join('\n')}\n`
}

const configurationIntroduction = `# Configuration

This page lists all settings of the server. It is for administrators. To see the value of each setting, and its source:

\`\`\`sh
thingsync config --data /srv/things
\`\`\`

Set a setting by a flag of \`thingsync serve\`, by an environment variable, or by a key in the configuration file. A flag
overrides an environment variable, and an environment variable overrides the file. The file is \`thingsync.json\` in the
data folder, unless \`--config\` or \`THINGSYNC_CONFIG\` names another file. It holds a JSON object:

\`\`\`json
{ "port": 8000, "base_url": "https://things.example/", "trust_proxy": ["loopback"], "web": false }
\`\`\`

- A list is separated by commas in a flag or a variable, and is an array in the file.
- A flag without a value sets the opposite of the default: \`--no-web\` is \`THINGSYNC_WEB=false\`.
- A relative path begins at the working folder, and in the file at the folder of the file.
- An empty variable is not set.
- \`data\` cannot be set in the file inside the data folder.

The server does not start when a value is not valid. It then names all problems at once.

\`npm run generate\` writes this page from \`src/config/settings-table.ts\`.
`

const simpleKinds = ['a path', 'text that is not empty', 'true or false']

/** Writes the row of a setting: key, flag, variable, default, unit, and its sentence with the accepted values. */
const describeSetting = (name: (typeof settingNames)[number]): readonly string[] => {
  const { kind, sentence, placeholder, unit = '', unset, isSecret } = findSetting(name)
  const values = simpleKinds.includes(kind.says) || kind.says.length > 60 ? '' : ` Value: ${kind.says}.`
  const flag = isSecret ? '' : `${flagOf(name)}${placeholder ? ` <${placeholder}>` : ''}`
  const standard = showDefault(name)
  const shown = unset === undefined ? code(unit ? standard.replace(` ${unit}`, '') : standard) : unset
  return [code(name), code(flag), code(environmentNameOf(name)), shown, unit, escapeCell(`${sentence}${values}`)]
}

/** Writes the page with all settings, by group. */
const writeConfiguration = (): string =>
  configurationIntroduction +
  Object.entries(settingGroups)
    .map(([group, heading]) => {
      const names = settingNames.filter((name) => findSetting(name).group === group)
      const heads = ['key', 'flag', 'environment variable', 'default', 'unit', 'meaning']
      return `\n## ${heading}\n\n${writeTableOf(heads, names.map(describeSetting))}`
    })
    .join('')

/** Returns the text that the help of a command shows after its options. */
const readHelpAfter = (command: Command): string => {
  let after = ''
  // Commander does not declare that its commands emit.
  ;(command as Command & Pick<EventEmitter, 'emit'>).emit('afterHelp', {
    error: false,
    command,
    write: (text: string) => (after += text),
  })
  return after.trim()
}

/** Writes the text after the options as Markdown: paragraphs, and the examples as a block. */
const showHelpAfter = (command: Command): string => {
  const [text = '', examples = ''] = readHelpAfter(command).split(/^Examples?:\n/m)
  const lines = examples.trimEnd().replace(/^ {2}/gm, '')
  return [text.trim().replace(/[<*]/g, '\\$&'), `\`\`\`sh\n${lines}\n\`\`\``].filter(Boolean).join('\n\n')
}

/** Splits the sentence of an option from its notes: `[default: …; THINGSYNC_…]`. */
const describeOption = ({ flags, description, defaultValue, argChoices }: Option): readonly string[] => {
  const [, sentence = '', notes = ''] = /^(.*?)(?: \[(.*)\])?$/s.exec(description) ?? []
  const standard = /default: ([^;]*)/.exec(notes)?.[1] ?? (typeof defaultValue === 'string' ? defaultValue : '')
  const choices = argChoices === undefined ? '' : ` Choices: ${argChoices.join(', ')}.`
  return [code(flags), escapeCell(`${sentence}${choices}`), escapeCell(standard)]
}

const optionHeads = ['option', 'meaning', 'default']
const settingFlags = new Set(settingNames.map((name) => flagOf(name)))

/** Options are common when more commands than this have them with the same sentence. */
const minCommonUses = 9

const isSameOption = (one: Option, other: Option): boolean =>
  one.flags === other.flags && one.description === other.description

/** Returns the common options, in the order of a command that has all of them. */
const findCommon = (commands: readonly Command[]): readonly Option[] => {
  const options = commands.flatMap((command) => command.options)
  const isCommon = (one: Option) => options.filter((other) => isSameOption(one, other)).length > minCommonUses
  return commands.map((command) => command.options.filter(isCommon)).sort((a, b) => b.length - a.length)[0] ?? []
}

const writeCommand = (command: Command, common: readonly Option[]): string => {
  const path = command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name()
  const isCommon = (option: Option) => common.some((one) => isSameOption(one, option))
  const hasAllSettings = settingFlags.size <= command.options.length + 1
  const own = command.options.filter((option) => !hasAllSettings || !settingFlags.has(option.long ?? ''))
  const shared = own.filter(isCommon).map(({ long }) => `\`${long}\``)
  const rows = own.filter((option) => !isCommon(option)).map(describeOption)
  const args = command.registeredArguments
    .filter(({ description }) => description !== '')
    .map((argument) => `- \`${argument.name()}\`: ${argument.description}`)
  return [
    `${command.parent?.parent ? '###' : '##'} ${path}`,
    escapeCell(command.description()),
    ...(command.commands.length > 0 ? [] : [`\`\`\`text\nthingsync ${path} ${command.usage()}\n\`\`\``]),
    ...(args.length > 0 ? [args.join('\n')] : []),
    ...(hasAllSettings ? ['All flags of [the configuration](configuration.md) are options of this command.'] : []),
    ...(shared.length > 0 ? [`[Common options](#common-options): ${shared.join(', ')}.`] : []),
    ...(rows.length > 0 ? [writeTableOf(optionHeads, rows).trimEnd()] : []),
    ...(command.commands.length > 0 ? [] : [showHelpAfter(command)]),
    ...command.commands.map((each) => writeCommand(each, common)),
  ].join('\n\n')
}

const commandLineIntroduction = `# Command line

This page lists all commands of \`thingsync\`. It is for administrators. The program prints the same text:

\`\`\`sh
thingsync help serve
\`\`\`

Most commands work while the server runs. A command that needs a stopped server says so.
`

/** Writes the page with all commands, from their help. */
const writeCommandLine = async (): Promise<string> => {
  const program = createProgram()
  await loadCommands(program, undefined)
  const leaves = program.commands.flatMap((command) => (command.commands.length > 0 ? command.commands : [command]))
  const common = findCommon(leaves)
  const exitCodes = /^Exit codes:.*/ms.exec(readHelpAfter(program))?.[0] ?? ''
  return `${[
    commandLineIntroduction.trimEnd(),
    exitCodes,
    '`npm run generate` writes this page from `src/cli/`.',
    '## Common options',
    writeTableOf(optionHeads, common.map(describeOption)).trimEnd(),
    ...program.commands.map((command) => writeCommand(command, common)),
  ].join('\n\n')}\n`
}

/**
 * Writes everything that is generated from `openapi.yaml`: the SDK profile, the types, the routes with their validators,
 * the resolved documents, the code samples, the collections of requests and the reference in `/docs`. It also writes the requirements of the suite into
 * `docs/reference/protocol.md` and `requirements.md`, and the sentences of errors into `errors.md`. `npm run generate`
 * writes; `npm run generate -- --check` only lists stale files and exits 1. Two pages come from the program itself: the settings, and the commands with their help.
 */

const source = 'openapi.yaml'
const transferSchema = 'docs/transfer.schema.json'
const firstLine = (tool: string) => `// Made from ${source} by ${tool} (npm run generate); edit ${source} instead.\n`

/** Writes JSON with a line for each member or item down to this depth, so that a diff shows which operation changed. */
const showLines = (value: unknown, depth: number): string => {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[\n${value.map((item) => showLines(item, depth - 1)).join(',\n')}]`
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${showLines(member, depth - 1)}`,
  )
  return `{\n${members.join(',\n')}}`
}

/** Writes a module that exports a document with its references resolved. */
const writeModule = (resolved: object, name: string, about: string): string =>
  `${firstLine('redocly bundle')}import type { Document } from 'openapi-backend'\n\n` +
  `/** ${about} */\nexport const ${name} = ${showLines(resolved, 3)} as unknown as Document\n`

/** Writes the module with the reference that `/docs` shows. */
const writeReference = (text: string, samples: CodeSamples): string =>
  `${firstLine('scripts/reference')}import type { Reference } from '../src/pages/docs/reference.ts'\n\n` +
  `/** The document as \`/docs\` shows it. */\nexport const reference: Reference = ${showLines(createReference(text, samples), 2)}\n`

async function createFiles(): Promise<Map<string, string>> {
  const text = readFileSync(source, 'utf8')
  checkSubmittedThings(parse(text).components.schemas)
  const profile = writeProfile(text)
  const resolve = (unresolved: string) => JSON.parse(bundleText(unresolved, 'resolved.json'))
  const resolved = resolve(text)
  const samples = listSamples([...readOperations(parse(profile)).keys()])
  const types = astToString(await openapiTS(text, { rootTypes: true, rootTypesNoSchemaPrefix: true }))
  return new Map([
    [profilePath, profile],
    [pagePath, fillStatements(readFileSync(pagePath, 'utf8'), [...allRequirements, ...clientRequirements])],
    [tablePath, writeTable(allRequirements, clientRequirements)],
    ['docs/reference/configuration.md', writeConfiguration()],
    ['docs/reference/command-line.md', await writeCommandLine()],
    [errorsPath, fillSentences(readFileSync(errorsPath, 'utf8'))],
    ['generated/types.ts', `${firstLine('openapi-typescript')}${types}`],
    [
      'generated/thing-fields.ts',
      `${firstLine('scripts/thing-fields')}${listThingFields(parse(text).components.schemas.Thing)}`,
    ],
    [transferSchema, fillTransferSchema(readFileSync(transferSchema, 'utf8'), parse(text).components.schemas.Thing)],
    [
      'generated/document.ts',
      writeModule(resolved, 'document', 'The document without `$ref`: each operation has its own copy of a schema.'),
    ],
    [
      'generated/sdk-document.ts',
      writeModule(resolve(profile), 'sdkDocument', 'The resolved document for SDK generators.'),
    ],
    ['generated/routes.ts', `${firstLine('openapi-backend and Ajv')}${await writeRoutes(resolved)}`],
    ['generated/reference.ts', writeReference(text, samples)],
    [samplesPath, `${JSON.stringify(samples, undefined, 2)}\n`],
    ...writeCollections(profile),
    ...stampSdks(parse(text).info.version),
  ])
}

const files = await createFiles()
const readOrEmpty = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
const stale = [...files].filter(([path, content]) => readOrEmpty(path) !== content).map(([path]) => path)
if (process.argv.includes('--check')) {
  for (const path of stale) console.error(`${path} is stale; run: npm run generate`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  for (const path of stale) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, files.get(path) ?? '')
  }
  console.log(stale.length > 0 ? `wrote ${stale.join(', ')}` : 'everything is up to date')
}
