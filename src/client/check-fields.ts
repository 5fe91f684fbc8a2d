import type { ReplicaFields } from './replica-records.ts'

const kinds: Record<keyof ReplicaFields, readonly string[]> = {
  title: ['text'],
  tags: ['text', 'null'],
  url: ['text', 'null'],
  html: ['text', 'null'],
  date: ['number'],
  archived: ['boolean'],
  todoStatus: ['boolean'],
}

const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return typeof value === 'string' ? 'text' : typeof value
}

/**
 * Lets no value into the store that reading could not show: it would stand in the way of all things there, also after a
 * restart.
 * @throws TypeError that names the field
 */
export const checkFields = (fields: ReplicaFields): void => {
  for (const [name, allowed] of Object.entries(kinds)) {
    const value = fields[name as keyof ReplicaFields]
    if (value !== undefined && !allowed.includes(kindOf(value))) {
      throw new TypeError(`${name} must be ${allowed.join(' or ')}, and is ${kindOf(value)}`)
    }
  }
}

/** The same for a new thing. @throws TypeError that names the field */
export const checkNewFields = (fields: ReplicaFields): void => {
  checkFields(fields)
  if (fields.title === undefined) throw new TypeError('a new thing needs a title')
}
