/*
 * The requirements for servers, by section of the interface. `npm run generate` writes their texts into
 * `docs/reference/protocol.md`, and `published-requirements.txt` holds their IDs, which never get another meaning. The folder
 * must not know rules: a rule names the requirements that it observes. Start reading at `../rule.ts`.
 */
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

/** Every requirement, section by section. */
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
