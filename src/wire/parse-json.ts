import { Refused } from '../refused.ts'

/**
 * The value of a JSON text that was checked for what it holds (`check-json.ts`); refuses text that is not valid JSON
 * (`parameterInvalid`, naming `parameter`).
 */
export const parseJson = (text: string, parameter: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refused('parameterInvalid', { parameter, reason: 'is not valid JSON' })
    throw error
  }
}

/** True for what JSON calls an object: neither null nor an array. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
