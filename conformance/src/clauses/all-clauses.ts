import { authenticationClauses } from './authentication-5.ts'
import type { Clause } from './clause.ts'
import { errorClauses } from './errors-7.ts'
import { eventClauses } from './events-6.ts'
import { limitClauses } from './limits-8.ts'
import { operationClauses } from './operations-4-1.ts'
import { requestClauses } from './requests-4.ts'
import { resourceClauses } from './resources-2.ts'
import { serviceClauses } from './service-1.ts'
import { stateClauses } from './states-3.ts'
import { syncListingClauses } from './sync-listings-4-3.ts'
import { syncRequestClauses } from './sync-requests-4-3.ts'
import { syncUploadClauses } from './sync-uploads-4-3.ts'
import { versioningClauses } from './versioning-9.ts'
import { webFlowClauses } from './web-flow-5.ts'

/** Every clause, section by section. */
export const allClauses: readonly Clause[] = [
  ...serviceClauses,
  ...resourceClauses,
  ...stateClauses,
  ...requestClauses,
  ...operationClauses,
  ...syncRequestClauses,
  ...syncListingClauses,
  ...syncUploadClauses,
  ...authenticationClauses,
  ...webFlowClauses,
  ...eventClauses,
  ...errorClauses,
  ...limitClauses,
  ...versioningClauses,
]
