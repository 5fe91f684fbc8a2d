import type { Rule } from '../../rule.ts'
import { changeRules } from './changes.ts'
import { deviceRules } from './devices.ts'
import { encodingRules } from './encodings.ts'
import { eventRules } from './events.ts'
import { fieldRules } from './fields.ts'
import { grantRules } from './grants.ts'
import { listSpellingRules } from './list-spellings.ts'
import { listingRules } from './listings.ts'
import { newThingRules } from './new-things.ts'
import { nullRules } from './nulls.ts'
import { ownUploadRules } from './own-uploads.ts'
import { pageRules } from './pages.ts'
import { presentationRules } from './presentation.ts'
import { pushRules } from './push.ts'
import { refusalRules } from './refusals.ts'
import { decidedRestartRules } from './restarts.ts'
import { retryRules } from './retries.ts'
import { sessionRules } from './session-ends.ts'
import { singleThingRules } from './single-things.ts'
import { spellingRules } from './spellings.ts'
import { tagSettingRules } from './tag-settings.ts'
import { tagSpellingRules } from './tag-spellings.ts'
import { tagsGetRules } from './tags-get.ts'
import { thingAddRules } from './thing-add.ts'
import { thingsGetRules } from './things-get.ts'
import { uploadByGetRules } from './uploads-by-get.ts'
import { userRules } from './user.ts'
import { waitRules } from './wait.ts'
import { webFlowRules } from './web-flow.ts'
import { webhookEventRules } from './webhook-events.ts'
import { webhookListRules } from './webhook-lists.ts'
import { webhookMergingRules } from './webhook-merging.ts'
import { webhookMessageRules } from './webhook-messages.ts'
import { webhookRetryRules } from './webhook-retries.ts'
import { webhookSecretRules } from './webhook-secrets.ts'
import { webhookRules } from './webhooks.ts'

/** The rules of the profile full: what this project's contract decides where the interface is silent. */
export const fullRules: readonly Rule[] = [
  ...fieldRules,
  ...tagSettingRules,
  ...encodingRules,
  ...uploadByGetRules,
  ...spellingRules,
  ...listSpellingRules,
  ...tagSpellingRules,
  ...listingRules,
  ...pageRules,
  ...ownUploadRules,
  ...newThingRules,
  ...retryRules,
  ...changeRules,
  ...nullRules,
  ...tagsGetRules,
  ...thingAddRules,
  ...singleThingRules,
  ...thingsGetRules,
  ...userRules,
  ...deviceRules,
  ...webhookRules,
  ...webhookSecretRules,
  ...webhookListRules,
  ...webhookMessageRules,
  ...webhookEventRules,
  ...webhookMergingRules,
  ...webhookRetryRules,
  ...eventRules,
  ...waitRules,
  ...pushRules,
  ...grantRules,
  ...sessionRules,
  ...webFlowRules,
  ...presentationRules,
  ...refusalRules,
  ...decidedRestartRules,
]
