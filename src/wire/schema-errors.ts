import { sanitizeName } from '../api-error.ts'

/** An error of a JSON schema validator, in the shape of Ajv 8. */
export interface SchemaError {
  readonly instancePath: string
  readonly schemaPath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly propertyName?: string
}

const typeNames: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['string', ['a string']],
  ['number', ['a number']],
  ['integer', ['a whole number']],
  ['boolean', ['true', 'false']],
  ['array', ['an array']],
  ['object', ['an object']],
  ['null', ['null']],
])

/** The patterns of `openapi.yaml` in words, behind "must be". */
const patternTexts: ReadonlyMap<unknown, string> = new Map([
  ['^([Ff][Aa][Ll][Ss][Ee]|[Tt][Rr][Uu][Ee]|0|1|include)$', 'true, false, 1, 0 or include'],
  ['^[0-9A-Za-z]+$', 'ASCII letters and digits only'],
  ['^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$', 'a color like #f80 or #ff8800'],
  ['^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$', 'an http or https URL'],
])

/** Lists the values that the schema expected, as words behind "must be"; empty for an error of another kind. */
const listExpected = ({ keyword, params }: SchemaError): readonly string[] => {
  if (keyword === 'type') return [params.type].flat().flatMap((type) => typeNames.get(type) ?? [])
  if (keyword === 'enum' && Array.isArray(params.allowedValues))
    return params.allowedValues.map((v) => JSON.stringify(v))
  if (keyword === 'pattern') return [patternTexts.get(params.pattern) ?? `text that matches ${params.pattern}`]
  if (keyword === 'format' && params.format !== 'text') return [`of the format ${params.format}`]
  return []
}

/** Finds the reason of an error that expects no particular value, as words behind the name of the parameter. */
const findReason = ({ keyword, params }: SchemaError): string => {
  const { limit } = params
  if (keyword === 'required') return 'is required'
  if (keyword === 'additionalProperties') return 'is not allowed here'
  if (keyword === 'format') return 'contains a NUL or a lone surrogate, which is not valid text'
  if (keyword === 'maxLength') return `is longer than ${limit} characters`
  if (keyword === 'minLength') return limit === 1 ? 'must not be empty' : `is shorter than ${limit} characters`
  if (keyword === 'maxItems' || keyword === 'maxProperties') return `has more than ${limit} items`
  if (keyword === 'minItems' || keyword === 'minProperties') return `has fewer than ${limit} items`
  if (keyword === 'minimum') return `must be at least ${limit}`
  if (keyword === 'maximum') return `must be at most ${limit}`
  if (keyword === 'exclusiveMinimum') return `must be more than ${limit}`
  if (keyword === 'exclusiveMaximum') return `must be less than ${limit}`
  return 'is not valid'
}

/** The violation of a schema: `<parameter> <reason>` is a sentence. `tooMany` is true for lists above their maximum. */
interface Violation {
  readonly parameter: string
  readonly reason: string
  readonly tooMany: boolean
}

/**
 * Describes the first error of a validator in words: the parameter, such as `new_thing[3].title`, and the reason
 * (interface 7; contract, errors). Names of the client are shortened and made safe; values are never repeated.
 */
export const describeViolation = (errors: readonly SchemaError[]): Violation => {
  const [first] = errors
  if (first === undefined) throw new Error('there is no violation to describe')
  // The failed alternatives come before the error of their union, those of inner unions before the outer one.
  const union = errors.findLast((error) => isUnion(error) && isWithin(first, error))
  return union === undefined ? describeError(first) : describeUnion(union, errors)
}

const isUnion = ({ keyword, params }: SchemaError) =>
  keyword === 'anyOf' || (keyword === 'oneOf' && params.passingSchemas === null)

const isWithin = (error: SchemaError, union: SchemaError) => error.schemaPath.startsWith(`${union.schemaPath}/`)

const describeUnion = (union: SchemaError, errors: readonly SchemaError[]): Violation => {
  const alternatives = errors.filter((error) => isWithin(error, union) && !isUnion(error))
  // The client meant the alternative whose type the value has; its error is in the length or further down.
  const meant =
    alternatives.find((error) => error.instancePath !== union.instancePath) ??
    alternatives.find((error) => listExpected(error).length === 0)
  if (meant !== undefined) return describeError(meant)

  // An alternative that fails by its type and by its values is best described by its values.
  const byValue = alternatives.filter((error) => error.keyword !== 'type')
  const byType = alternatives.filter(
    (error) => error.keyword === 'type' && !byValue.some((other) => branchOf(other) === branchOf(error)),
  )
  const expected = [...byType, ...byValue].flatMap(listExpected)
  const reason = expected.length > 0 ? `must be ${joinWithOr([...new Set(expected)])}` : 'is not valid'
  return { parameter: showPath(union.instancePath), reason, tooMany: false }
}

const branchOf = ({ schemaPath }: SchemaError) => schemaPath.slice(0, schemaPath.lastIndexOf('/'))

const describeError = (error: SchemaError): Violation => {
  const { keyword, params, instancePath, propertyName } = error
  const tooMany = keyword === 'maxItems' || keyword === 'maxProperties'
  const expected = listExpected(error)
  const reason = expected.length > 0 ? `must be ${joinWithOr(expected)}` : findReason(error)
  if (propertyName !== undefined) {
    return { parameter: `The name ${showPath(instancePath, propertyName)}`, reason, tooMany: false }
  }
  const missing = keyword === 'required' ? params.missingProperty : undefined
  const extra = keyword === 'additionalProperties' ? params.additionalProperty : undefined
  return { parameter: showPath(instancePath, (missing ?? extra) as string | undefined), reason, tooMany }
}

const joinWithOr = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** Formats a JSON pointer, and a name below it, like a client's parameter: `new_thing[3].title`, `tag[work].color`. */
const showPath = (pointer: string, below?: string): string => {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const [parameter, item, ...fields] = below === undefined ? steps : [...steps, below]
  if (parameter === undefined) return 'The request'
  return [
    sanitizeName(parameter),
    item === undefined ? '' : `[${sanitizeName(item)}]`,
    ...fields.map((field) => (/^\d+$/.test(field) ? `[${field}]` : `.${sanitizeName(field)}`)),
  ].join('')
}
