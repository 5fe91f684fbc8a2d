import { parseJson } from '../../record/parse-json.ts'
import { registryShapes } from '../../record/registry-shapes.ts'
import type { Shape } from '../../record/shape.ts'
import { foldName } from '../../registry/fold-name.ts'
import type { Session, User } from '../../registry/registry.ts'
import { listHashes } from '../registry/keep-changes.ts'
import { asKey } from '../registry/keys.ts'

// As of `judge-items.ts`, of the rows of users, apps, sessions and the like. The shapes are those of a data folder.

/** A row of `person`. */
export interface PersonRow {
  readonly id: string
  readonly name: string
  readonly foldedName: string
  readonly item: string
}

/** A row of `session`, whether its person is there, and its hashes, each behind its kind. */
export interface SessionRow {
  readonly account: string
  readonly id: string
  readonly item: string
  readonly hasPerson: boolean
  readonly hashes: readonly string[]
}

/** A row of a table that is asked by one key. */
export interface KeyedRow {
  readonly key: string
  readonly item: string
}

const isUser = (value: unknown): value is User => registryShapes.users(value)
const isSession = (value: unknown): value is Session => registryShapes.sessions(value)

export const judgePerson = ({ id, name, foldedName, item }: PersonRow): string | undefined => {
  const user = parseJson(item)
  if (!isUser(user)) return 'its item is not that of a user'
  if (asKey(user.id) !== id) return `its item is of the id ${asKey(user.id)}`
  if (asKey(user.name) !== name) return `the row says the name ${name}, its item ${asKey(user.name)}`
  return asKey(foldName(user.name)) === foldedName ? undefined : `the row says that ${name} is found by ${foldedName}`
}

export const judgeSession = ({ account, id, item, hasPerson, hashes }: SessionRow): string | undefined => {
  const session = parseJson(item)
  if (!isSession(session)) return 'its item is not that of a session'
  if (asKey(session.id) !== id || asKey(session.userId) !== account)
    return `its item is of session ${asKey(session.id)} of ${asKey(session.userId)}`
  if (!hasPerson) return `it is of the user ${account}, who is not there`
  const wanted = new Set(listHashes(session).map(({ hash, kind }) => `${kind} ${asKey(hash)}`))
  const missing = [...wanted].filter((hash) => !hashes.includes(hash)).length
  if (missing > 0) return `${missing} of its tokens cannot be found by their hashes`
  const foreign = hashes.filter((hash) => !wanted.has(hash)).length
  return foreign > 0 ? `${foreign} hashes lead to it that are of none of its tokens` : undefined
}

/** Judges a row whose item has the key as one of its members. */
export const judgeKeyed =
  (isItem: Shape, member: string) =>
  ({ key, item }: KeyedRow): string | undefined => {
    const value = parseJson(item)
    if (!isItem(value)) return 'its item is not what is written there'
    const named = asKey(String((value as Readonly<Record<string, unknown>>)[member]))
    return named === key ? undefined : `its item is of ${named}`
  }

/** Whose an item is, as the key of a person; undefined when it is nobody's. */
export const findOwner = ({ item }: KeyedRow): string | undefined => {
  const value = parseJson(item)
  const owner = typeof value === 'object' && value !== null && 'userId' in value ? value.userId : undefined
  return typeof owner === 'string' ? asKey(owner) : undefined
}
