/** Says whether a value out of JSON is what a type promises. */
export type Shape = (value: unknown) => boolean

/** A text. */
export const isText: Shape = (value) => typeof value === 'string'

/** A finite number. */
export const isNumber: Shape = (value) => Number.isFinite(value)

/** A whole number from 0 on. */
export const isPosition: Shape = (value) => Number.isSafeInteger(value) && Number(value) >= 0

/** True or false. */
export const isFlag: Shape = (value) => typeof value === 'boolean'

/** One of some values. */
export const isOneOf =
  (...values: readonly unknown[]): Shape =>
  (value) =>
    values.includes(value)

/** What the shape says, or absent. */
export const isOptional =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined || shape(value)

/** A list of what the shape says. */
export const isListOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(shape)

/** An object whose named members are what their shapes say. */
export const isObjectOf = (members: Readonly<Record<string, Shape>>): Shape => {
  const shapes = Object.entries(members)
  return (value) => {
    if (typeof value !== 'object' || value === null) return false
    const found = new Map<string, unknown>(Object.entries(value))
    return shapes.every(([name, shape]) => shape(found.get(name)))
  }
}
