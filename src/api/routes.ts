import type { JsonSchema } from '../wire/json-schema.ts'
import type { SchemaError } from '../wire/schema-errors.ts'
import type { OperationId } from './handlers.ts'

/**
 * Finds the path of an operation (`/thing/add`) in the path of a request: the part after the base path, or after `/v1/`
 * when a proxy removes the prefix. Undefined when the path is below neither.
 */
export const findApiPath = (path: string, basePath: string): string | undefined => {
  for (const base of [basePath, '/v1/']) {
    if (path.startsWith(base)) return `/${path.slice(base.length)}`
  }
  return undefined
}

/** An operation of the document, with its validator. `npm run generate` writes all to `generated/routes.ts`. */
export interface Route {
  readonly operationId: OperationId
  readonly path: string
  readonly needsToken: boolean
  /** The schema of its query. */
  readonly querySchema: JsonSchema
  /** The schema of its decoded body; undefined for an operation without a body. */
  readonly bodySchema: JsonSchema | undefined
  readonly bodyTypes: readonly string[]
  /**
   * The uploads: parameters that the POST of its path has and the GET has not. A GET, or a repetition, would lose them.
   */
  readonly uploads: ReadonlySet<string>
  /** True when its path also has a GET, which does the same except for uploads. */
  readonly hasGet: boolean
  /**
   * Returns the first error of the parameters with those of its union, or an empty list; their paths begin at the
   * parameter. The parameters are in the body of an operation that has one, else in the query.
   */
  readonly validate: (parameters: object) => readonly SchemaError[]
}

/** Operations by path (`/thing/add`) and method in capitals. */
export type Routes = ReadonlyMap<string, ReadonlyMap<string, Route>>
