import { readFileSync } from 'node:fs'
import { asObject } from '../json.ts'

/** Code that calls an operation, by its `operationId`; one for each language. */
export type CodeSamples = { readonly [operationId: string]: readonly { label: string; source: string }[] }

const path = 'sdk/code-samples.json'

/** Reads what was made beside the SDKs. Where they were never made there is none. */
export const readCodeSamples = (): CodeSamples => {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  return asObject(JSON.parse(text), path) as CodeSamples
}
