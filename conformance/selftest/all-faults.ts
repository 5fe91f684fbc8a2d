import { changeFaults } from './faults/change.ts'
import { concurrencyFaults, isolationFaults } from './faults/concurrency.ts'
import { creationFaults } from './faults/creation.ts'
import { deltaFaults } from './faults/delta.ts'
import { encodingFaults } from './faults/encoding.ts'
import type { Fault } from './faults/fault.ts'
import { fullListingFaults } from './faults/full-listing.ts'
import { fullOperationFaults } from './faults/full-operation.ts'
import { fullRequestFaults } from './faults/full-request.ts'
import { fullSyncFaults } from './faults/full-sync.ts'
import { fullTokenFaults } from './faults/full-token.ts'
import { pagingFaults } from './faults/paging.ts'
import { positionFaults } from './faults/position.ts'
import { presenceFaults } from './faults/presence.ts'
import { presentationFaults } from './faults/presentation.ts'
import { tagFaults } from './faults/tag.ts'
import { tokenFaults } from './faults/token.ts'
import { uploadFormFaults } from './faults/upload-form.ts'

/** Servers that break the interface; profile `core` must find them out. */
export const coreFaults: readonly Fault[] = [
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

/** Servers that only break decisions of the contract; profile `full` must find them out, and `core` must not mind. */
export const fullFaults: readonly Fault[] = [
  ...fullRequestFaults,
  ...fullTokenFaults,
  ...fullSyncFaults,
  ...fullOperationFaults,
]

/** Every wrong server that the suite must find out. */
export const allFaults: readonly Fault[] = [...coreFaults, ...fullFaults]
