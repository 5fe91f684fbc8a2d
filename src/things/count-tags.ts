import type { TagCounts, View } from '../store/store.ts'

const nothing: TagCounts = {
  async *favorite() {},
  async *other() {},
}

/**
 * How many things, archived ones too, carry each tag (tags/get: contract, the other operations); none when `from` is the
 * account's position, because then nothing has changed.
 */
export const countTags = async (view: View, from?: number): Promise<TagCounts> =>
  from === view.position ? nothing : view.countTags()
