import type { Rule } from '../../rule.ts'
import { encodingRules } from './encodings.ts'
import { fieldRules } from './fields.ts'
import { grantRules } from './grants.ts'
import { listingRules } from './listings.ts'
import { notificationRules } from './notifications.ts'
import { presentationRules } from './presentation.ts'
import { refusalRules } from './refusals.ts'
import { singleThingRules } from './single-things.ts'
import { spellingRules } from './spellings.ts'
import { tagsGetRules } from './tags-get.ts'
import { thingAddRules } from './thing-add.ts'
import { thingsGetRules } from './things-get.ts'
import { uploadRules } from './uploads.ts'
import { userRules } from './user.ts'

/** The rules of the profile full: what this project's contract decides where the interface is silent. */
export const fullRules: readonly Rule[] = [
  ...fieldRules,
  ...encodingRules,
  ...spellingRules,
  ...listingRules,
  ...uploadRules,
  ...tagsGetRules,
  ...thingAddRules,
  ...singleThingRules,
  ...thingsGetRules,
  ...userRules,
  ...notificationRules,
  ...grantRules,
  ...presentationRules,
  ...refusalRules,
]
