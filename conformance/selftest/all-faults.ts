import { changeFaults } from './faults/change.ts'
import { concurrencyFaults, isolationFaults } from './faults/concurrency.ts'
import { creationFaults } from './faults/creation.ts'
import { encodingFaults } from './faults/encoding.ts'
import type { Fault } from './faults/fault.ts'
import { deltaFaults, fullListingFaults } from './faults/listing.ts'
import { pagingFaults } from './faults/paging.ts'
import { positionFaults } from './faults/position.ts'
import { presenceFaults } from './faults/presence.ts'
import { presentationFaults } from './faults/presentation.ts'
import { tagFaults } from './faults/tag.ts'
import { tokenFaults } from './faults/token.ts'
import { uploadFormFaults } from './faults/upload-form.ts'

/** Every wrong server that the suite must find out, by area. */
export const allFaults: readonly Fault[] = [
  ...tokenFaults,
  ...presentationFaults,
  ...fullListingFaults,
  ...deltaFaults,
  ...positionFaults,
  ...uploadFormFaults,
  ...creationFaults,
  ...changeFaults,
  ...tagFaults,
  ...presenceFaults,
  ...encodingFaults,
  ...pagingFaults,
  ...isolationFaults,
  ...concurrencyFaults,
]
