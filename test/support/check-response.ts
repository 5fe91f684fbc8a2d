import { Ajv } from 'ajv'
import { OpenAPIBackend } from 'openapi-backend'
import { document } from '../../generated/document.ts'
import { formats } from '../../src/wire/json-schema.ts'

type ResponseCheck = (method: string, path: string, status: number, body: unknown) => void

/**
 * Checks responses by `openapi.yaml`: throws when the document does not declare the status for the operation, or the
 * body has another shape. A request that is no operation must get an error object.
 */
export const createResponseCheck = async (): Promise<ResponseCheck> => {
  const customizeAjv = () => new Ajv({ strict: false, formats, validateSchema: false })
  const api = new OpenAPIBackend({ definition: document, quick: true, customizeAjv })
  await api.init()
  return (method, path, status, body) => {
    const operation = api.router.getOperations().find((one) => one.path === path && one.method === method.toLowerCase())
    if (operation?.operationId === undefined) {
      if (!isErrorBody(body)) throw new Error(`${method} ${path} is no operation and got ${JSON.stringify(body)}`)
      return
    }
    // validateResponse lets undeclared statuses pass.
    if (!Object.hasOwn(operation.responses ?? {}, status)) {
      throw new Error(`${operation.operationId} does not declare status ${status}: ${JSON.stringify(body)}`)
    }
    const { errors } = api.validateResponse(body, operation, status)
    if (errors) throw new Error(`${operation.operationId} ${status} breaks the document: ${JSON.stringify(errors)}`)
  }
}

const isErrorBody = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'error' in body && 'error_description' in body
