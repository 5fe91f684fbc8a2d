import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { profilePath } from '../sdk/write-profile.ts'

/** Fields of the profile that the TypeScript SDK has under another name, a sentence each: nothing translates them at run time. */
export const findRenamedFields = (): string[] => {
  const types = readFileSync('sdk/typescript/client/models/index.ts', 'utf8')
  const profile = parse(readFileSync(profilePath, 'utf8'))
  const schemas: Record<string, { properties?: object }> = profile.components.schemas
  // TokenGrant is a form, whose fields become parameters.
  const { TokenGrant: _, ...models } = schemas
  return Object.entries(models)
    .flatMap(([model, { properties = {} }]) => Object.keys(properties).map((field) => ({ model, field })))
    .filter(({ field }) => !new RegExp(`^    ${field}\\??: `, 'm').test(types))
    .map(
      ({ model, field }) => `typescript: ${model}.${field} has another name in sdk/typescript/client/models/index.ts`,
    )
}
