import type { Rule } from '../../rule.ts'
import { changedThingRules } from './changed-things-4-3.ts'
import { concurrencyRules } from './concurrency-4-3.ts'
import { countRules } from './counts-4-3.ts'
import { deletionRules } from './deletions-4-3.ts'
import { deltaRules } from './delta-4-3.ts'
import { deltaAnswerRules } from './delta-answers-4-3.ts'
import { errorRules } from './errors-7.ts'
import { fullListingRules } from './full-listing-4-3.ts'
import { isolationRules } from './isolation-1.ts'
import { isolationKindRules } from './isolation-more-1.ts'
import { listingEdgeRules } from './listings-more-4-3.ts'
import { localIdRules } from './local-ids-2-1.ts'
import { mergedThingRules } from './merged-things-4-3.ts'
import { neighbourRules } from './neighbours-4-3.ts'
import { newThingRules } from './new-things-4-3.ts'
import { pagingRules } from './paging-4-3.ts'
import { positionRules } from './positions-4-3.ts'
import { raceRules } from './races-4-3.ts'
import { raceToldRules } from './races-told-4-3.ts'
import { restartRules } from './restarts-4-3.ts'
import { sizeRules } from './sizes-4-3.ts'
import { steadinessRules } from './steadiness-7.ts'
import { tagLikenessRules } from './tag-likeness-2-2.ts'
import { tagNameRules } from './tag-names-2-2.ts'
import { tagSettingsRules } from './tag-settings-2-2.ts'
import { thingCharacterRules } from './thing-characters-2-1.ts'
import { thingFieldRules } from './thing-fields-2-1.ts'
import { thingLengthRules } from './thing-lengths-2-1.ts'
import { thingPresenceRules } from './thing-presence-2-1.ts'
import { thingTextRules } from './thing-text-2-1.ts'
import { thingUrlRules } from './thing-urls-2-1.ts'
import { thingValueRules } from './thing-values-2-1.ts'
import { thingsApartRules } from './things-apart-2-1.ts'
import { tokenClientRules } from './token-clients-5-1.ts'
import { tokenExpiryRules } from './token-expiry-8.ts'
import { tokenGrantRules } from './token-grants-5-2.ts'
import { tokenLookalikeRules } from './token-lookalikes-5-3.ts'
import { tokenPatternRules } from './token-patterns-5-1.ts'
import { tokenPresentationRules } from './token-presentation-5-3.ts'
import { tokenRefreshRules } from './token-refreshes-5-1.ts'
import { tokenRefusalRules } from './token-refusals-5-1.ts'
import { transportRules } from './transport-4-3.ts'
import { transportMoreRules } from './transport-more-4-3.ts'
import { transportOrderRules } from './transport-order-4-3.ts'
import { uploadFormRules } from './upload-forms-4-3.ts'

/** The rules of the profile core, in the order of the interface's sections. */
export const coreRules: readonly Rule[] = [
  ...isolationRules,
  ...isolationKindRules,
  ...thingFieldRules,
  ...thingPresenceRules,
  ...thingTextRules,
  ...thingCharacterRules,
  ...thingValueRules,
  ...thingLengthRules,
  ...thingUrlRules,
  ...thingsApartRules,
  ...tagSettingsRules,
  ...tagNameRules,
  ...tagLikenessRules,
  ...fullListingRules,
  ...deltaRules,
  ...deltaAnswerRules,
  ...mergedThingRules,
  ...positionRules,
  ...newThingRules,
  ...localIdRules,
  ...uploadFormRules,
  ...changedThingRules,
  ...neighbourRules,
  ...deletionRules,
  ...countRules,
  ...pagingRules,
  ...listingEdgeRules,
  ...concurrencyRules,
  ...raceRules,
  ...raceToldRules,
  ...tokenGrantRules,
  ...tokenRefreshRules,
  ...tokenRefusalRules,
  ...tokenClientRules,
  ...tokenPatternRules,
  ...tokenPresentationRules,
  ...tokenLookalikeRules,
  ...errorRules,
  ...tokenExpiryRules,
  ...transportRules,
  ...transportOrderRules,
  ...transportMoreRules,
  ...sizeRules,
  ...steadinessRules,
  ...restartRules,
]
