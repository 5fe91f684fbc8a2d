import type { Requirement } from '../rule.ts'
import { authenticationRequirements, codeFlowRequirements } from './authentication.ts'
import { errorRequirements, eventRequirements, limitRequirements, versioningRequirements } from './events-and-errors.ts'
import {
  operationRequirements,
  requestRequirements,
  resourceRequirements,
  serviceRequirements,
  stateRequirements,
} from './resources.ts'
import { syncListingRequirements, syncRequestRequirements, syncUploadRequirements } from './sync.ts'

/** Every clause, section by section. */
export const allRequirements: readonly Requirement[] = [
  ...serviceRequirements,
  ...resourceRequirements,
  ...stateRequirements,
  ...requestRequirements,
  ...operationRequirements,
  ...syncRequestRequirements,
  ...syncListingRequirements,
  ...syncUploadRequirements,
  ...authenticationRequirements,
  ...codeFlowRequirements,
  ...eventRequirements,
  ...errorRequirements,
  ...limitRequirements,
  ...versioningRequirements,
]
