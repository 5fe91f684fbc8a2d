/** Every reason to refuse: the status and code of the contract's table. */
export const refusals = {
  'parameter-invalid': [400, 'parameter_invalid'],
  'bad-json': [400, 'parameter_invalid'],
  'title-missing': [400, 'parameter_invalid'],
  'local-id-missing': [400, 'parameter_invalid'],
  'local-id-shared': [400, 'parameter_invalid'],
  'id-missing': [400, 'parameter_invalid'],
  'boolean-invalid': [400, 'parameter_invalid'],
  'number-invalid': [400, 'parameter_invalid'],
  'text-invalid': [400, 'parameter_invalid'],
  nul: [400, 'parameter_invalid'],
  'lone-surrogate': [400, 'parameter_invalid'],
  'color-invalid': [400, 'parameter_invalid'],
  'todo-invalid': [400, 'parameter_invalid'],
  'tag-not-map': [400, 'parameter_invalid'],
  'upload-in-get': [400, 'parameter_invalid'],
  'event-invalid': [400, 'parameter_invalid'],
  'target-invalid': [400, 'parameter_invalid'],
  'device-invalid': [400, 'parameter_invalid'],
  'device-keys-invalid': [400, 'parameter_invalid'],
  'target-forbidden': [400, 'parameter_invalid'],
  'hooks-many': [400, 'parameter_invalid'],
  'wait-invalid': [400, 'parameter_invalid'],
  'thing-unknown': [404, 'not_found'],
  'operation-unknown': [404, 'not_found'],
  'method-wrong': [405, 'method_not_allowed'],
  'body-large': [413, 'too_large'],
  'things-many': [413, 'too_large'],
  'content-type': [415, 'unsupported_media_type'],
  'token-missing': [401, 'invalid_request'],
  'token-invalid': [401, 'invalid_grant'],
  'token-twice': [400, 'invalid_request'],
  'grant-request': [400, 'invalid_request'],
  'code-missing': [400, 'invalid_request'],
  'grant-client': [401, 'invalid_client'],
  'grant-refused': [400, 'invalid_grant'],
  'grant-unknown': [400, 'unsupported_grant_type'],
  throttled: [429, 'slow_down'],
  'waiting-many': [429, 'slow_down'],
} as const satisfies Record<string, readonly [number, string]>

/** Names of the reasons to refuse. */
export type RefusalReason = keyof typeof refusals

/** A request that is answered with an error object (interface 7). Nothing of the request has been applied. */
export class Refusal extends Error {
  readonly reason: RefusalReason
  readonly headers: Record<string, string>
  constructor(reason: RefusalReason, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.reason = reason
    this.headers = headers
  }
}
