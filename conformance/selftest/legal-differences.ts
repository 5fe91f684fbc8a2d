import { legalAnswers } from './legal/answer.ts'
import { legalChoices } from './legal/choice.ts'
import { legalConnections } from './legal/connection.ts'
import { legalDeliveries } from './legal/delivery.ts'
import type { LegalDifference } from './legal/difference.ts'
import { legalLimits } from './legal/limit.ts'
import { legalListings } from './legal/listing.ts'
import { legalRestarts } from './legal/restart.ts'
import { legalUploads } from './legal/upload.ts'

/** Right servers that differ from ours where the interface is silent; none may fail a MUST of the profiles it names. */
export const legalDifferences: readonly LegalDifference[] = [
  ...legalListings,
  ...legalUploads,
  ...legalAnswers,
  ...legalConnections,
  ...legalChoices,
  ...legalLimits,
  ...legalRestarts,
  ...legalDeliveries,
]
