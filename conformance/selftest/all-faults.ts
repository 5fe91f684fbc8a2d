import { apartFaults } from './faults/apart.ts'
import { changeFaults } from './faults/change.ts'
import { characterFaults } from './faults/characters.ts'
import { clientFaults } from './faults/client.ts'
import { concurrencyFaults, isolationFaults } from './faults/concurrency.ts'
import { creationFaults } from './faults/creation.ts'
import { deltaFaults } from './faults/delta.ts'
import { encodingFaults } from './faults/encoding.ts'
import { expiryFaults } from './faults/expiry.ts'
import type { Fault } from './faults/fault.ts'
import { fullListingFaults } from './faults/full-listing.ts'
import { fullOperationFaults } from './faults/full-operation.ts'
import { fullRequestFaults } from './faults/full-request.ts'
import { fullSyncFaults } from './faults/full-sync.ts'
import { fullTokenFaults } from './faults/full-token.ts'
import { getUploadFaults } from './faults/get-upload.ts'
import { goneFaults } from './faults/gone.ts'
import { idFaults } from './faults/id.ts'
import { isolationKindFaults } from './faults/isolation-kind.ts'
import { tagLikenessFaults } from './faults/likeness.ts'
import { listingEdgeFaults } from './faults/listing-edge.ts'
import { deviceFaults, liveFaults } from './faults/live.ts'
import { localIdFaults } from './faults/local-id.ts'
import { lookalikeFaults } from './faults/lookalike.ts'
import { pagingFaults } from './faults/paging.ts'
import { parameterOrderFaults } from './faults/parameter-order.ts'
import { patternFaults } from './faults/pattern.ts'
import { positionFaults } from './faults/position.ts'
import { presenceFaults } from './faults/presence.ts'
import { presentationFaults } from './faults/presentation.ts'
import { pushFaults } from './faults/push.ts'
import { raceFaults } from './faults/race.ts'
import { raceToldFaults } from './faults/race-told.ts'
import { refusedAndDoneFaults } from './faults/refused-and-done.ts'
import { fullRestartFaults, restartFaults } from './faults/restart.ts'
import { sessionFaults } from './faults/session.ts'
import { sizeFaults } from './faults/size.ts'
import { tagFaults } from './faults/tag.ts'
import { tagApartFaults } from './faults/tag-apart.ts'
import { tagNameFaults } from './faults/tag-name.ts'
import { tagTodoFaults } from './faults/tag-todo.ts'
import { lengthFaults, urlFaults, valueFaults } from './faults/text-values.ts'
import { tokenFaults } from './faults/token.ts'
import { transportFaults } from './faults/transport.ts'
import { twinFaults } from './faults/twin.ts'
import { uploadArrayFaults } from './faults/upload-array.ts'
import { uploadBesideFaults } from './faults/upload-beside.ts'
import { uploadFormFaults } from './faults/upload-form.ts'
import { webFlowFaults } from './faults/web-flow.ts'
import { webhookFaults } from './faults/webhook.ts'
import { webhookBodyFaults } from './faults/webhook-body.ts'
import { webhookEventFaults } from './faults/webhook-event.ts'
import { webhookSendingFaults } from './faults/webhook-sending.ts'
import { webhookSignatureFaults } from './faults/webhook-signature.ts'

/** Wrong servers of one kind. */
export interface FaultFamily {
  readonly name: string
  readonly faults: readonly Fault[]
  /** Most of the time goes into waiting: several of them can be judged at the same time. */
  readonly waits?: true
}

/** Servers that break the interface, by what they break; profile `core` must find them out. */
export const coreFamilies: readonly FaultFamily[] = [
  { name: 'token', faults: tokenFaults },
  { name: 'presentation', faults: presentationFaults },
  { name: 'full listing', faults: fullListingFaults },
  { name: 'delta', faults: deltaFaults },
  { name: 'position', faults: positionFaults },
  { name: 'upload form', faults: uploadFormFaults },
  { name: 'creation', faults: creationFaults },
  { name: 'change', faults: changeFaults },
  { name: 'things that are gone', faults: goneFaults },
  { name: 'tag', faults: tagFaults },
  { name: 'presence', faults: presenceFaults },
  { name: 'encoding', faults: encodingFaults },
  { name: 'paging', faults: pagingFaults },
  { name: 'isolation', faults: isolationFaults },
  { name: 'concurrency', faults: concurrencyFaults },
  { name: 'client authentication', faults: clientFaults },
  { name: 'sessions', faults: sessionFaults },
  { name: 'patterns for credentials', faults: patternFaults },
  { name: 'expiry', faults: expiryFaults, waits: true },
  { name: 'tokens that are none', faults: lookalikeFaults },
  { name: 'tokens that are refused', faults: refusedAndDoneFaults },
  { name: 'transport', faults: transportFaults },
  { name: 'order of parameters', faults: parameterOrderFaults },
  { name: 'uploads by GET', faults: getUploadFaults },
  { name: 'values', faults: valueFaults },
  { name: 'lengths', faults: lengthFaults },
  { name: 'addresses', faults: urlFaults },
  { name: 'characters', faults: characterFaults },
  { name: 'fields apart', faults: apartFaults },
  { name: 'tags apart', faults: tagApartFaults },
  { name: 'todos by tags', faults: tagTodoFaults },
  { name: 'names of tags', faults: tagNameFaults },
  { name: 'tags that look alike', faults: tagLikenessFaults },
  { name: 'local ids', faults: localIdFaults },
  { name: 'arrays of uploads', faults: uploadArrayFaults },
  { name: 'uploads beside parameters', faults: uploadBesideFaults },
  { name: 'twins', faults: twinFaults },
  { name: 'ids', faults: idFaults },
  { name: 'sizes', faults: sizeFaults },
  { name: 'edges of listings', faults: listingEdgeFaults },
  { name: 'kinds of isolation', faults: isolationKindFaults },
  { name: 'races', faults: raceFaults },
  { name: 'races that are told of', faults: raceToldFaults },
  { name: 'restarts', faults: restartFaults },
]

/** Servers that only break decisions of the contract; profile `full` must find them out, and `core` must not mind. */
export const fullFamilies: readonly FaultFamily[] = [
  { name: 'request', faults: fullRequestFaults },
  { name: 'token, decided', faults: fullTokenFaults },
  { name: 'web flow', faults: webFlowFaults },
  { name: 'sync, decided', faults: fullSyncFaults },
  { name: 'other operations', faults: fullOperationFaults },
  { name: 'restarts, decided', faults: fullRestartFaults },
  { name: 'webhooks', faults: webhookFaults },
  { name: 'signatures of webhooks', faults: webhookSignatureFaults, waits: true },
  { name: 'messages to webhooks', faults: webhookBodyFaults, waits: true },
  { name: 'events of webhooks', faults: webhookEventFaults, waits: true },
  { name: 'sending to webhooks', faults: webhookSendingFaults, waits: true },
  { name: 'streams and waiting', faults: liveFaults, waits: true },
  { name: 'devices', faults: deviceFaults },
  { name: 'push', faults: pushFaults, waits: true },
]

/** Every fault of `coreFamilies`. */
export const coreFaults: readonly Fault[] = coreFamilies.flatMap(({ faults }) => faults)

/** Every fault of `fullFamilies`. */
export const fullFaults: readonly Fault[] = fullFamilies.flatMap(({ faults }) => faults)

/** Those of the families that wait. */
export const waitingFaults: readonly Fault[] = [...coreFamilies, ...fullFamilies].flatMap(({ faults, waits }) =>
  waits === true ? faults : [],
)

/** Every wrong server that the suite must find out. */
export const allFaults: readonly Fault[] = [...coreFaults, ...fullFaults]
