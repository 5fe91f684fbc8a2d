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

/** An object whose named members are what their shapes say; for an `Item` that is named, each of its fields has one. */
export const isObjectOf = <Item extends object = Readonly<Record<string, unknown>>>(members: ShapesOf<Item>): Shape => {
  const shapes = Object.entries<Shape>(members)
  return (value) => {
    if (typeof value !== 'object' || value === null) return false
    const found = new Map<string, unknown>(Object.entries(value))
    return shapes.every(([name, shape]) => shape(found.get(name)))
  }
}

type ShapesOf<Item> = { readonly [Field in keyof Required<Item>]: Shape }
