import type { Upload } from '../server/right-uploads.ts'

/** What an upload can hold. */
export type Part = 'new' | 'change' | 'delete' | 'tag'

/** Every part, in the order of the ids of faults. */
export const parts: readonly Part[] = ['new', 'change', 'delete', 'tag']

/** How the titles of faults name each part. */
export const words: Readonly<Record<Part, string>> = {
  new: 'a creation',
  change: 'a change',
  delete: 'a deletion',
  tag: 'tag settings',
}

/** Whether an upload holds the part. */
export function has({ created, changed, deleted, tags }: Upload, part: Part): boolean {
  return { new: created, change: changed, delete: deleted, tag: [...tags] }[part].length > 0
}
