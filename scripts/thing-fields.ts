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
 * The table of a thing's fields, from the schema `Thing` of the document: the kind of each, when the returned form has it,
 * and between which bounds a number is. The id is none of them.
 * @throws Error for a field of a type that a thing cannot have, and for one behind the fields of state
 */
export const listThingFields = ({ required, properties }: ThingSchema): string => {
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
 * Makes sure that each schema of a thing that a client sends has the fields of `Thing`, and no others beside its own.
 * @throws Error that names the schema and the field
 */
export const checkSubmittedThings = (schemas: Readonly<Record<string, Pick<ThingSchema, 'properties'>>>): void => {
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

/** The text of our own JSON's schema with a property for each field of a thing, as the schema `Thing` describes it. */
export const fillTransferSchema = (text: string, { properties }: ThingSchema): string => {
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
