import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'
import type { Statement } from '../../src/store/postgres/database.ts'

const folder = fileURLToPath(new URL('../../src/store/postgres/', import.meta.url))
const exportName = 'topLevelConstants'

/**
 * Exports all top-level constants of the modules of the PostgreSQL store under one more name, in tests only. A statement
 * stands beside the function that runs it, so most of them are private to their modules.
 */
export const exposeConstants = (): Plugin => ({
  name: 'expose-constants',
  enforce: 'pre',
  transform: (code, id) => {
    if (!id.startsWith(folder) || id.endsWith('.test.ts')) return undefined
    const names = [...code.matchAll(/^(?:export )?const (\w+)/gmu)].map(([, name]) => name)
    return { code: `${code}\nexport const ${exportName} = { ${names.join(', ')} }\n`, map: null }
  },
})

const isStatement = (value: unknown): value is Statement =>
  typeof value === 'object' && value !== null && 'text' in value && 'reaches' in value

const statementsIn = (value: unknown): readonly Statement[] => {
  if (isStatement(value)) return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(statementsIn) : []
}

/** Lists all statements of the store, each once. */
export const listStatements = async (): Promise<readonly Statement[]> => {
  const names = await readdir(folder, { recursive: true })
  const files = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const modules = await Promise.all(files.map((name) => import(join(folder, name))))
  return [...new Set(modules.flatMap((module) => statementsIn(module[exportName])))]
}
