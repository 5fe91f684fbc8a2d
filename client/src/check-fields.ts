import type { ReplicaFields, ReplicaTagFields } from './replica-records.ts'
import { fieldKinds } from './thing-fields.ts'

const tagKinds: Record<keyof ReplicaTagFields, readonly string[]> = {
  favorite: ['boolean'],
  color: ['text', 'boolean'],
  todo: ['boolean', 'text'],
}

const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return typeof value === 'string' ? 'text' : typeof value
}

const checkKinds = <T extends object>(fields: T, table: Readonly<Record<string, readonly string[]>>): void => {
  for (const [name, allowed] of Object.entries(table)) {
    const value = fields[name as keyof T]
    if (value !== undefined && !allowed.includes(kindOf(value))) {
      throw new TypeError(`${name} must be ${allowed.join(' or ')}, and is ${kindOf(value)}`)
    }
  }
}

/**
 * Lets no value into the store that reading could not show: it would stand in the way of all things there, also after a
 * restart.
 * @throws TypeError that names the field
 */
export const checkFields = (fields: ReplicaFields): void => checkKinds(fields, fieldKinds)

/** The same for a new thing. @throws TypeError that names the field */
export const checkNewFields = (fields: ReplicaFields): void => {
  checkFields(fields)
  if (fields.title === undefined) throw new TypeError('a new thing needs a title')
}

/**
 * The same for settings of a tag. Tags of a thing are separated by spaces (interface 2.1): settings under a name with one
 * would be of no tag. Those that another program made all the same (`isKnown`) may be changed.
 * @throws TypeError that names the field
 */
export const checkTag = (name: string, change: ReplicaTagFields, isKnown: boolean): void => {
  if (typeof name !== 'string') throw new TypeError(`name must be text, and is ${kindOf(name)}`)
  if (!isKnown && (name === '' || name.includes(' '))) {
    throw new TypeError(`name must be one word, as things carry it in tags, and is ${JSON.stringify(name)}`)
  }
  checkKinds(change, tagKinds)
}
