import type { DeliveryFailure } from '../../generated/types.ts'
import type { Webhook } from '../delivery/webhooks.ts'

/** The last failure of a webhook or a device, as its app is told. */
export const showFailure = ({ at, reason }: NonNullable<Webhook['lastFailure']>): DeliveryFailure => ({
  date: at,
  reason,
})
