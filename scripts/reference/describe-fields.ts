import type { ReferenceField } from '../../src/pages/reference/reference.ts'
import { asObject, type JsonObject } from '../json.ts'
import { describeType, followReference, readMembers } from './describe-type.ts'
import { renderText } from './render-markdown.ts'

const readText = ({ description }: JsonObject): string | undefined =>
  typeof description === 'string' ? description : undefined

/** The members of an object as rows of a table. */
export const describeMembers = (document: JsonObject, schema: JsonObject): ReferenceField[] => {
  const { properties, required } = readMembers(document, followReference(document, schema).target)
  return Object.entries(properties).map(([name, member]) =>
    describeField(document, name, required.has(name), asObject(member, name)),
  )
}

/** The parameters of the query as rows of a table. */
export const describeParameters = (document: JsonObject, parameters: unknown): ReferenceField[] =>
  listParameters(document, parameters).map((parameter) => ({
    ...describeField(
      document,
      String(parameter.name),
      parameter.required === true,
      asObject(parameter.schema, 'schema'),
    ),
    aboutHtml: renderText(readText(parameter)),
  }))

/** The parameters of an operation, without references. */
export const listParameters = (document: JsonObject, parameters: unknown): JsonObject[] =>
  (Array.isArray(parameters) ? parameters : [])
    .map((parameter) => followReference(document, asObject(parameter, 'parameter')).target)
    // Headers are told in the operation's own words: the page's forms and curl lines write queries.
    .filter((parameter) => parameter.in === 'query')

const describeField = (
  document: JsonObject,
  name: string,
  isRequired: boolean,
  schema: JsonObject,
): ReferenceField => ({
  name,
  isRequired,
  ...describeType(document, schema),
  aboutHtml: renderText(readText(schema) ?? readText(followReference(document, schema).target)),
})
