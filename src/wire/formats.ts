import { isText } from './text-format.ts'

/**
 * What the formats of `openapi.yaml` mean to a validator. Those of numbers only tell generators how many bits to take, and
 * what is wrong with an address to call is told by delivery (`src/outbound/judge-address.ts`).
 */
export const formats = { text: isText, int64: true, double: true, 'web-address': true } as const
