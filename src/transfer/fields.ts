/** A field of a file that is not what it must be; the message names it, for people. */
export class FieldWrong extends Error {
  override readonly name = 'FieldWrong'
}

/** An object of a JSON file whose fields are read one by one. Null is the same as absent. */
export interface Fields {
  readonly text: (name: string) => string | undefined
  readonly number: (name: string) => number | undefined
  readonly integer: (name: string) => number | undefined
  readonly flag: (name: string) => boolean | undefined
  /** A list of texts. */
  readonly texts: (name: string) => readonly string[]
  /** A list of objects. */
  readonly objects: (name: string) => readonly Fields[]
  readonly object: (name: string) => Fields | undefined
  /** Whatever is there; undefined for null. */
  readonly value: (name: string) => unknown
  /** @throws FieldWrong that says what is wrong with a field of this object */
  readonly refuse: (name: string, wrong: string) => never
}

/** The fields of a value; `place` is where it stands in the file. All of it throws FieldWrong. */
export const readFields = (value: unknown, place: string): Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FieldWrong(`${place} must be an object, not ${showValue(value)}`)
  const fields = new Map<string, unknown>(Object.entries(value))
  const refuse = (name: string, wrong: string): never => {
    throw new FieldWrong(`${place}.${name} ${wrong}`)
  }
  const typed =
    <T>(isRight: (found: unknown) => found is T, wanted: string) =>
    (name: string): T | undefined => {
      const found = fields.get(name) ?? undefined
      return found === undefined || isRight(found) ? found : refuse(name, `must be ${wanted}, not ${showValue(found)}`)
    }
  const list = typed((found): found is unknown[] => Array.isArray(found), 'a list')
  const objects = (name: string) =>
    (list(name) ?? []).map((item, index) => readFields(item, `${place}.${name}[${index}]`))
  return {
    text: typed((found): found is string => typeof found === 'string', 'text'),
    number: typed((found): found is number => typeof found === 'number', 'a number'),
    integer: typed((found): found is number => Number.isInteger(found), 'a whole number'),
    flag: typed((found): found is boolean => typeof found === 'boolean', 'true or false'),
    texts: (name) =>
      (list(name) ?? []).map((item, index) =>
        typeof item === 'string' ? item : refuse(`${name}[${index}]`, `must be text, not ${showValue(item)}`),
      ),
    objects,
    object: (name) =>
      (fields.get(name) ?? undefined) === undefined ? undefined : readFields(fields.get(name), `${place}.${name}`),
    value: (name) => fields.get(name) ?? undefined,
    refuse,
  }
}

const shownCharacters = 40

/** A value as a sentence shows it, cut short. */
export const showValue = (value: unknown): string => {
  const text = JSON.stringify(cutValue(value, 0)) ?? 'nothing'
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
}

/** What is shown of a value: it may be as long as a file, and hold more values inside one another than a stack. */
const cutValue = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return value.slice(0, shownCharacters + 1)
  if (typeof value !== 'object' || value === null) return value
  if (depth === shownCharacters) return []
  if (Array.isArray(value)) return value.slice(0, shownCharacters).map((each) => cutValue(each, depth + 1))
  const cut: Record<string, unknown> = Object.create(null)
  let count = 0
  for (const name in value) {
    if (!Object.hasOwn(value, name) || count++ === shownCharacters) continue
    cut[name.slice(0, shownCharacters + 1)] = cutValue(value[name as keyof typeof value], depth + 1)
  }
  return cut
}
