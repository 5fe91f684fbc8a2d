import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A step from one schema to the next. */
export interface Migration {
  /** The schema that it makes. */
  readonly version: number
  readonly name: string
  readonly sql: string
  /**
   * The lowest schema that a program must know to work on this one, as the first line of the file says
   * (`-- serves programs that know schema 1`): while servers are replaced one by one, earlier and later ones work side
   * by side.
   */
  readonly serves: number
}

const fileName = /^(\d{3})-(.+)\.sql$/
const firstLine = /^-- serves programs that know schema (\d+)\n/

/** Reads the migrations that this program knows, in order. @throws Error when a file of them is wrong */
export const readMigrations = async (folder = join(import.meta.dirname, 'schema')): Promise<readonly Migration[]> => {
  const names = (await readdir(folder)).sort()
  return Promise.all(
    names.map(async (file, index) => {
      const [, digits, name] = fileName.exec(file) ?? []
      const sql = await readFile(join(folder, file), 'utf8')
      const serves = Number(firstLine.exec(sql)?.[1])
      const version = index + 1
      if (name === undefined || Number(digits) !== version) throw new Error(`${file} is not migration ${version}`)
      if (!(serves >= 1 && serves <= version)) throw new Error(`${file} does not say which programs it serves`)
      return { version, name, sql, serves }
    }),
  )
}
