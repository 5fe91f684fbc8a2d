/** One error of a JSON schema validator, in the shape of ajv 8. */
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

/** What the schema expected, as words to follow "must be"; none when the error is of another kind. */
export const listExpected = ({ keyword, params }: SchemaError): readonly string[] => {
  if (keyword === 'type') return [params.type].flat().flatMap((type) => typeNames.get(type) ?? [])
  if (keyword === 'enum' && Array.isArray(params.allowedValues))
    return params.allowedValues.map((v) => JSON.stringify(v))
  if (keyword === 'pattern') return [`text that matches ${params.pattern}`]
  if (keyword === 'format' && params.format !== 'text') return [`of the format ${params.format}`]
  return []
}

/** What is wrong, as words to follow the name of the parameter, for the errors that expect no particular value. */
export const findReason = ({ keyword, params }: SchemaError): string => {
  const { limit } = params
  if (keyword === 'required') return 'is required'
  if (keyword === 'additionalProperties') return 'is not known here'
  if (keyword === 'format') return 'holds a NUL or a lone surrogate, which is not text'
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
