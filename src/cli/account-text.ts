import { findNamedUser } from '../accounts/users.ts'
import type { Store } from '../store/store.ts'
import type { TextParts } from './copies.ts'

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
  const tags = [...(await view.listTags(0))].filter(([, { favorite, color, todo }]) => favorite || color || todo)
  // fromEntries: a tag may be called __proto__.
  yield `{"format":"thingsync","version":1,"tags":${JSON.stringify(Object.fromEntries(tags))},"things":[\n`
  const { changed } = await view.list({ after: 0 })
  for await (const { json } of changed()) yield json.toString()
  yield '\n]}\n'
}
