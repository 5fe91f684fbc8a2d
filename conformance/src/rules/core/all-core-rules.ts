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
import { newThingRules } from './new-things-4-3.ts'
import { pagingRules } from './paging-4-3.ts'
import { positionRules } from './positions-4-3.ts'
import { steadinessRules } from './steadiness-7.ts'
import { tagSettingsRules } from './tag-settings-2-2.ts'
import { thingFieldRules } from './thing-fields-2-1.ts'
import { thingPresenceRules } from './thing-presence-2-1.ts'
import { thingTextRules } from './thing-text-2-1.ts'
import { tokenGrantRules } from './token-grants-5-2.ts'
import { tokenPresentationRules } from './token-presentation-5-3.ts'
import { tokenRefreshRules } from './token-refreshes-5-1.ts'
import { tokenRefusalRules } from './token-refusals-5-1.ts'

/** The rules of the profile core, in the order of the interface's sections. */
export const coreRules: readonly Rule[] = [
  ...isolationRules,
  ...thingFieldRules,
  ...thingPresenceRules,
  ...thingTextRules,
  ...tagSettingsRules,
  ...fullListingRules,
  ...deltaRules,
  ...deltaAnswerRules,
  ...positionRules,
  ...newThingRules,
  ...changedThingRules,
  ...deletionRules,
  ...countRules,
  ...pagingRules,
  ...concurrencyRules,
  ...tokenGrantRules,
  ...tokenRefreshRules,
  ...tokenRefusalRules,
  ...tokenPresentationRules,
  ...errorRules,
  ...steadinessRules,
]
