import { findNamedUser } from '../accounts/users.ts'
import type { Store } from '../store/store.ts'
import { hasSettings } from '../things/thing-form.ts'

/** Text in parts of which each stands for itself. */
export type TextParts = AsyncGenerator<string, void, undefined>

/**
 * What one user has, at one moment, as our own JSON in parts (`docs/transfer.schema.json`).
 * @throws AccountRefused when there is no such user
 */
export async function listAccountText(store: Store, name: string): Promise<TextParts> {
  const user = await findNamedUser(store.registry, name)
  return listText(store, user.id)
}

async function* listText(store: Store, userId: string): TextParts {
  const view = await store.read(userId)
  // Both are of this moment.
  const tags = view.listTags(0)
  const { changed } = await view.list({ after: 0 })
  yield '{"format":"thingsync","version":1,"tags":{'
  let separator = ''
  for await (const piece of tags) {
    const members = piece.filter(([, settings]) => hasSettings(settings))
    if (members.length === 0) continue
    const shown = members.map(([name, settings]) => `${JSON.stringify(name)}:${JSON.stringify(settings)}`)
    yield `${separator}${shown.join(',')}`
    separator = ','
  }
  yield '},"things":[\n'
  for await (const { json } of changed()) yield json.toString()
  yield '\n]}\n'
}
