import { parse, stringify } from 'yaml'
import { deriveProfile } from './derive-profile.ts'

/** Where the SDK profile is kept. */
export const profilePath = 'openapi.sdk.yaml'

const firstLine = '# Made from openapi.yaml by npm run generate; edit openapi.yaml instead.\n'

/** The text of the SDK profile, from the text of the document. */
export const writeProfile = (document: string): string =>
  firstLine + stringify(deriveProfile(parse(document)), { aliasDuplicateObjects: false, lineWidth: 0 })
