/*
 * The rules for clients, profile by profile. Titles and IDs are published: `published-client-rules.txt` holds them, and an
 * ID never gets another meaning. A rule uses `client-lab.ts`; it must not know the runner or reports.
 */
import type { ClientRule } from './client-rule.ts'
import { listRules } from './rules/api-listings.ts'
import { leakRules, redirectRules } from './rules/api-redirects.ts'
import { operationRules, parameterRules, uploadRules } from './rules/api-requests.ts'
import { errorRules, limitRules, responseRules, throttleRules } from './rules/api-responses.ts'
import { grantRules, presentationRules, refreshRules } from './rules/api-tokens.ts'
import { transportRules } from './rules/api-transport.ts'
import { givenFieldRules, listedValueRules, sentValueRules } from './rules/api-values.ts'
import { historyRules } from './rules/histories.ts'
import { legalServerRules } from './rules/legal-servers.ts'
import { duringDownloadRules, filledInRules, givenUpRules } from './rules/replica-downloads.ts'
import { heldUploadRules, offlineRules, rejectedEditRules } from './rules/replica-edits.ts'
import { conflictRules, listingRules, pageRules, positionRules } from './rules/replica-listings.ts'
import { hiddenStatusRules, outcomeRules } from './rules/replica-outcomes.ts'
import {
  editedAgainRules,
  fullSyncAgainRules,
  meanwhileRules,
  restoredServerRules,
  shortPageRules,
  tornWriteRules,
} from './rules/replica-positions.ts'
import { killRules, lostRules, replicaTokenRules, strangeRules } from './rules/replica-recovery.ts'
import {
  failedSyncRules,
  partialEditRules,
  severalEditsRules,
  stateRules,
  uploadResponseRules,
} from './rules/replica-sync.ts'
import { textRules } from './rules/replica-texts.ts'
import { deletionRules, fieldRules, mixedPageRules, todoRules, waitingRules } from './rules/replica-values.ts'

/** Every rule for clients. */
export const allClientRules: readonly ClientRule[] = [
  ...transportRules,
  ...responseRules,
  ...listedValueRules,
  ...operationRules,
  ...givenFieldRules,
  ...parameterRules,
  ...uploadRules,
  ...sentValueRules,
  ...listRules,
  ...grantRules,
  ...refreshRules,
  ...presentationRules,
  ...leakRules,
  ...errorRules,
  ...redirectRules,
  ...throttleRules,
  ...limitRules,
  ...offlineRules,
  ...rejectedEditRules,
  ...listingRules,
  ...conflictRules,
  ...positionRules,
  ...pageRules,
  ...lostRules,
  ...killRules,
  ...replicaTokenRules,
  ...strangeRules,
  ...heldUploadRules,
  ...fieldRules,
  ...todoRules,
  ...waitingRules,
  ...deletionRules,
  ...mixedPageRules,
  ...uploadResponseRules,
  ...severalEditsRules,
  ...partialEditRules,
  ...failedSyncRules,
  ...stateRules,
  ...shortPageRules,
  ...restoredServerRules,
  ...fullSyncAgainRules,
  ...meanwhileRules,
  ...editedAgainRules,
  ...tornWriteRules,
  ...outcomeRules,
  ...hiddenStatusRules,
  ...textRules,
  ...duringDownloadRules,
  ...filledInRules,
  ...givenUpRules,
  ...legalServerRules,
  ...historyRules,
]
