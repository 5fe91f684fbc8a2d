import { readdir } from 'node:fs/promises'
import type { Statement } from '../../src/store/postgres/database.ts'

const folder = new URL('../../src/store/postgres/statements/', import.meta.url)

const isStatement = (value: unknown): value is Statement =>
  typeof value === 'object' && value !== null && 'text' in value && 'reaches' in value

const statementsIn = (value: unknown): readonly Statement[] => {
  if (isStatement(value)) return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(statementsIn) : []
}

/** All statements of the store. */
export const listStatements = async (): Promise<readonly Statement[]> => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts'))
  const modules = await Promise.all(files.map((name) => import(new URL(name, folder).href)))
  return modules.flatMap((module) => Object.values(module as object).flatMap(statementsIn))
}
