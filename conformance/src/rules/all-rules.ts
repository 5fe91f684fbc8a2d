/*
 * The rules: one file for each topic, its name ends in the section of the interface. A rule is an ID, a title and a
 * check. Titles and IDs are published: `published-rules.txt` holds them, and an ID never gets another meaning. Rules
 * use the lab and the steps in `upload-steps.ts` and `operation-steps.ts`; they must not know the runner or reports.
 * Start reading at `../rule.ts` and `listings-4-3.ts`.
 */
import { historyRules } from '../histories/history-rules.ts'
import type { Rule } from '../rule.ts'
import { changedThingRules, changeRules, neighborRules, nullRules } from './changes-4-3.ts'
import { everyCharacterRules } from './characters-everywhere-2-1.ts'
import { revocationRules, severalClientRules, tokenLifetimeRules } from './clients-5-1.ts'
import { codeFlowRules } from './code-flow-5-1.ts'
import { concurrencyRules, raceListingRules, raceRules } from './concurrency-4-3.ts'
import { dateRules, jsonRules } from './dates-and-json-4-3.ts'
import { deletionRules } from './deletions-4-3.ts'
import { deviceRules, pushRules } from './devices-6.ts'
import { errorResponseRules, errorRules, steadinessRules } from './errors-7.ts'
import { frameErrorRules } from './frame-errors-7.ts'
import { isolationKindRules, isolationRules } from './isolation-1.ts'
import { sizeRules } from './large-uploads-4-3.ts'
import { linkPreviewRules } from './link-preview-4-1.ts'
import { borderPageRules, listedSettingRules } from './listing-borders-4-3.ts'
import { fullSyncRules, incrementalSyncResponseRules, incrementalSyncRules, listingRules } from './listings-4-3.ts'
import { eventRules, waitRules } from './live-6.ts'
import { localIdRules, newThingExtensionRules, newThingRules, retryRules } from './new-things-4-3.ts'
import { isolationFilterRules, isolationOperationRules, operationCaseRules } from './operation-cases-4-1.ts'
import { listingEdgeRules, pageRules, pagingRules } from './pages-4-3.ts'
import { countRules, mergedThingRules, ownUploadRules, positionRules } from './positions-4-3.ts'
import { encodingRules, transportMoreRules, transportOrderRules, transportRules } from './requests-4.ts'
import { restartCaseRules } from './restart-cases-4-3.ts'
import { restartExtensionRules, restartRules } from './restarts-4-3.ts'
import { atomicRules, singleChangeRules } from './single-changes-4-3.ts'
import { tagBracketRules, tagLikenessRules, tagNameRules } from './tag-names-2-2.ts'
import { tagSettingRules, tagSettingsRules } from './tag-settings-2-2.ts'
import { fieldRules, thingFieldRules, thingPresenceRules, thingsApartRules } from './thing-fields-2-1.ts'
import { singleThingRules, tagsGetRules, thingAddRules, thingsGetRules, userRules } from './thing-operations-4-1.ts'
import { thingCharacterRules, thingTextRules } from './thing-texts-2-1.ts'
import { thingLengthRules, thingUrlRules, thingValueRules } from './thing-values-2-1.ts'
import { todoTagRules } from './todo-tags-2-1.ts'
import { presentationRules, tokenLookalikeRules, tokenPresentationRules } from './token-presentation-5-3.ts'
import { tokenClientRules, tokenErrorRules, tokenPatternRules } from './token-requests-5-1.ts'
import {
  grantRules,
  sessionRules,
  tokenExpiryRules,
  tokenGrantRules,
  tokenRefreshRules,
} from './token-responses-5-2.ts'
import { listSpellingRules, spellingRules, tagSpellingRules, uploadByGetRules, uploadFormRules } from './uploads-4-3.ts'
import { webhookCoalescingRules, webhookEventRules, webhookMessageRules } from './webhook-messages-6.ts'
import { webhookRetryRules } from './webhook-retries-6.ts'
import { webhookListRules, webhookRules, webhookSecretRules } from './webhooks-6.ts'

/** The rules of the profile core, in the order of the interface's sections. */
export const coreRules: readonly Rule[] = [
  ...isolationRules,
  ...isolationKindRules,
  ...isolationFilterRules,
  ...thingFieldRules,
  ...thingPresenceRules,
  ...thingTextRules,
  ...thingCharacterRules,
  ...everyCharacterRules,
  ...dateRules,
  ...thingValueRules,
  ...thingLengthRules,
  ...thingUrlRules,
  ...thingsApartRules,
  ...tagSettingsRules,
  ...tagNameRules,
  ...tagLikenessRules,
  ...tagBracketRules,
  ...todoTagRules,
  ...fullSyncRules,
  ...incrementalSyncRules,
  ...incrementalSyncResponseRules,
  ...mergedThingRules,
  ...positionRules,
  ...newThingRules,
  ...localIdRules,
  ...uploadFormRules,
  ...changedThingRules,
  ...neighborRules,
  ...singleChangeRules,
  ...deletionRules,
  ...countRules,
  ...pagingRules,
  ...listingEdgeRules,
  ...listedSettingRules,
  ...borderPageRules,
  ...concurrencyRules,
  ...raceRules,
  ...raceListingRules,
  ...tokenGrantRules,
  ...tokenRefreshRules,
  ...tokenErrorRules,
  ...tokenClientRules,
  ...severalClientRules,
  ...tokenPatternRules,
  ...tokenPresentationRules,
  ...tokenLookalikeRules,
  ...errorRules,
  ...frameErrorRules,
  ...tokenExpiryRules,
  ...tokenLifetimeRules,
  ...transportRules,
  ...transportOrderRules,
  ...transportMoreRules,
  ...jsonRules,
  ...sizeRules,
  ...steadinessRules,
  ...restartRules,
  ...restartCaseRules,
]

/** The rules of the profile full: extensions of this project's contract where the interface is silent. */
const fullRules: readonly Rule[] = [
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
  ...newThingExtensionRules,
  ...retryRules,
  ...changeRules,
  ...nullRules,
  ...tagsGetRules,
  ...thingAddRules,
  ...singleThingRules,
  ...thingsGetRules,
  ...userRules,
  ...isolationOperationRules,
  ...operationCaseRules,
  ...linkPreviewRules,
  ...deviceRules,
  ...webhookRules,
  ...webhookSecretRules,
  ...webhookListRules,
  ...webhookMessageRules,
  ...webhookEventRules,
  ...webhookCoalescingRules,
  ...webhookRetryRules,
  ...eventRules,
  ...waitRules,
  ...pushRules,
  ...grantRules,
  ...sessionRules,
  ...revocationRules,
  ...codeFlowRules,
  ...presentationRules,
  ...errorResponseRules,
  ...atomicRules,
  ...restartExtensionRules,
]

/** Every rule of the suite: the profile core by the interface's sections, the random histories, the profile full. */
export const allRules: readonly Rule[] = [...coreRules, ...historyRules, ...fullRules]
