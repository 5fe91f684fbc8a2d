import { showRuns, showTags } from '../operations/show-runs.ts'
import type { User } from '../store/registry/registry.ts'
import type { Download, PageTools } from './page.ts'

/**
 * Everything that a person keeps here, as one JSON document in the shapes of the interface: things as a full listing has
 * them (2.1), archived ones too, and the settings of tags (2.2). No secrets. As of one moment, and streamed.
 */
export const exportAccount = async ({ store, world }: PageTools, { id, name, createdAt }: User): Promise<Download> => {
  const view = await store.read(id)
  const [listing, tags = {}] = await Promise.all([view.list({ after: 0 }), showTags(view.listTags(0))])
  const document = {
    format: 'thingsync account',
    version: 1,
    exported: Math.floor(world.now() / 1000),
    username: name,
    date: createdAt,
    pos: view.position,
    tags,
    things: showRuns(listing.changed()),
  }
  // A name may hold anything; a file name had better not.
  const plain = name.replace(/[^\w.-]+/g, '-').replace(/^[.-]+/, '')
  return { download: `thingsync-${plain === '' ? 'account' : plain}.json`, document }
}
