import { legalConnections, legalDeliveries, legalRestarts } from './legal/connections.ts'
import type { LegalDifference } from './legal/difference.ts'
import { legalChoices, legalResponses } from './legal/responses.ts'
import { legalLimits, legalListings, legalUploads } from './legal/sync.ts'

/** Right servers that differ from `server/` where the interface permits it. None may fail a MUST of its profile. */
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
