import { parse } from 'yaml'
import type { Reference, ReferenceAnswer, ReferenceGroup, ReferenceShape } from '../../src/pages/reference/reference.ts'
import { asObject, isObject, type JsonObject } from '../json.ts'
import type { CodeSamples } from './code-samples.ts'
import { describeMembers } from './describe-fields.ts'
import { describeOperation, listAnswers } from './describe-operation.ts'
import { hasMembers } from './describe-type.ts'
import { renderMarkdown, renderText } from './render-markdown.ts'

const errorShapes = /ErrorBody$/

/** Makes what `/docs` shows from the text of `openapi.yaml`, and from code for each operation. */
export const makeReference = (text: string, samples: CodeSamples): Reference => {
  const document = asObject(parse(text), 'the document')
  const info = asObject(document.info, 'info')
  const { html, headings } = renderMarkdown(String(info.description))
  return {
    title: String(info.title),
    version: String(info.version),
    aboutHtml: html,
    headings,
    groups: listGroups(document, samples),
    shapes: listShapes(document),
    refusals: listRefusals(document),
  }
}

const listOperations = (document: JsonObject) =>
  Object.entries(asObject(document.paths, 'paths')).flatMap(([path, item]) =>
    Object.entries(asObject(item, path))
      .filter(([method]) => method === 'get' || method === 'post')
      .map(([method, operation]) => ({ path, method, operation: asObject(operation, path) })),
  )

const listRefusals = (document: JsonObject): ReferenceAnswer[] => {
  const answers = listOperations(document).flatMap(({ operation }) => listAnswers(document, operation))
  const named = new Map(answers.flatMap((answer) => (answer.name === undefined ? [] : [[answer.name, answer]])))
  return [...named.values()].sort((one, other) => Number(one.status) - Number(other.status))
}

const listGroups = (document: JsonObject, samples: CodeSamples): ReferenceGroup[] => {
  const operations = listOperations(document)
  const tags = Array.isArray(document.tags) ? document.tags : []
  return tags.map(({ name, description }) => ({
    name,
    aboutHtml: renderText(description),
    operations: operations
      .filter(({ operation }) => Array.isArray(operation.tags) && operation.tags[0] === name)
      .map((found) => describeOperation(document, found, samples[String(found.operation.operationId)] ?? [])),
  }))
}

/** The named objects, but for errors, which the introduction tells, and bodies, which stand at their operations. */
const listShapes = (document: JsonObject): ReferenceShape[] => {
  const used = JSON.stringify([document.paths, document.components]).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  const bodies = listBodyNames(document)
  const names = new Set([...used].map(([, name]) => name ?? ''))
  return Object.entries(asObject(asObject(document.components, 'components').schemas, 'schemas'))
    .filter(([name, schema]) => names.has(name) && isObject(schema) && hasMembers(document, schema))
    .filter(([name]) => !errorShapes.test(name) && !bodies.has(name))
    .map(([name, schema]) => ({
      name,
      aboutHtml: renderText(asObject(schema, name).description as string | undefined),
      fields: describeMembers(document, asObject(schema, name)),
    }))
}

const listBodyNames = (document: JsonObject): ReadonlySet<string> => {
  const bodies = listOperations(document).map(({ operation }) => operation.requestBody)
  const found = JSON.stringify(bodies).matchAll(/"schema":\{"\$ref":"#\/components\/schemas\/(\w+)"/g)
  return new Set([...found].map(([, name]) => name ?? ''))
}
