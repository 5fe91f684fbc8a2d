import type { AccountDocument } from '../image/account-document.ts'
import { encodeStep } from './write-steps.ts'

/** The steps that make an account of nothing, each as JSON; tags first, because they say how things are shown. */
export function* listSteps({ tags, things, thingsJson, tombstones, records }: AccountDocument): Generator<string> {
  for (const tag of tags) yield encodeStep({ tag })
  if (thingsJson === undefined) for (const thing of things) yield encodeStep({ thing })
  else for (const json of thingsJson) yield `{"thing":${json}}`
  for (const tombstone of tombstones) yield encodeStep({ tombstone })
  for (const record of records) yield encodeStep({ record })
}
