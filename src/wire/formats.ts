import { isText } from './text-format.ts'
import { isWebAddress } from './web-address.ts'

/**
 * What the formats of `openapi.yaml` mean to a validator. Those of numbers tell generators how many bits to take; what is
 * no such number is no number here either.
 */
export const formats = { text: isText, 'web-address': isWebAddress, int64: true, double: true } as const
