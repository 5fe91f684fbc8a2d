import { Inapplicable } from '../../finding.ts'
import type { Lab } from '../../lab.ts'
import type { SyncParameters } from '../../sync-request.ts'

/**
 * Sends an upload once for a look. Limits are the server's choice (interface 8), so a refusal makes the rule
 * inapplicable; keeping it otherwise than sent does not.
 */
export const stopIfRefused = async (lab: Lab, what: string, upload: SyncParameters): Promise<void> => {
  const phone = await lab.replica('phone')
  const reply = await phone.trySync({ from: await phone.position(), ...upload })
  if (reply.error !== undefined) throw new Inapplicable(`the server refuses ${what}: ${reply.status} ${reply.error}`)
}
