import { legalConnections, legalDeliveries, legalRestarts } from './legal/connections.ts'
import type { LegalDifference } from './legal/difference.ts'
import { legalChoices, legalResponses } from './legal/responses.ts'
import { legalLimits, legalListings, legalUploads } from './legal/sync.ts'

/** Right servers that differ from ours where the interface is silent; none may fail a MUST of the profiles it names. */
export const legalDifferences: readonly LegalDifference[] = [
  ...legalListings,
  ...legalUploads,
  ...legalResponses,
  ...legalConnections,
  ...legalChoices,
  ...legalLimits,
  ...legalRestarts,
  ...legalDeliveries,
]
