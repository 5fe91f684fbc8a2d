/**
 * Writes a request as the form that the interface publishes (interface 4.3): lists and objects become JSON text,
 * `name[]` is repeated, a map of tag settings becomes one `tag[<name>]` each. What is undefined or null is left out, also
 * inside of things and settings: null means that nothing was said (contract, sync 8), which not every server knows; ""
 * is what empties a field.
 */
export const toForm = (body: object): string => {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined || value === null) continue
    if (Array.isArray(value) && name.endsWith('[]')) for (const one of value) form.append(name, toText(one))
    else if (isMap(value))
      for (const [key, one] of Object.entries(value)) form.append(`${name}[${key}]`, toText(one ?? {}))
    else form.append(name, toText(value))
  }
  return form.toString()
}

const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, leaveOutNull))

const leaveOutNull = (_name: string, value: unknown): unknown => value ?? undefined
