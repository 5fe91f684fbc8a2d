import { borderPageFaults, fullSkipFaults, listedTagFaults, uploadCountFaults } from './faults/borders.ts'
import { halfRequestFaults, mixedNotationFaults, singleChangeFaults } from './faults/changes.ts'
import { lifetimeFaults, revocationFaults, severalClientFaults } from './faults/clients.ts'
import type { Fault } from './faults/fault.ts'
import { frameErrorFaults } from './faults/frame-errors.ts'
import { deletedThingFaults, idFaults, localIdFaults, twinFaults } from './faults/ids.ts'
import { concurrencyFaults, isolationFaults, isolationKindFaults } from './faults/isolation.ts'
import { fullSyncListingFaults, incrementalSyncFaults, listingEdgeFaults, positionFaults } from './faults/listings.ts'
import { deviceFaults, liveFaults, pushFaults } from './faults/live.ts'
import { isolationFilterFaults, isolationOperationFaults, operationCaseFaults } from './faults/operation-cases.ts'
import { fullOperationFaults, fullSyncFaults, linkPreviewFaults, pagingFaults } from './faults/pages-and-operations.ts'
import { raceFaults, raceListingFaults } from './faults/races.ts'
import { fullRequestFaults, getUploadFaults, parameterOrderFaults, transportFaults } from './faults/requests.ts'
import { fullRestartFaults, restartFaults, restartValueFaults } from './faults/restarts.ts'
import { codeFlowFaults, expiryFaults, fullTokenFaults, sessionFaults } from './faults/sessions.ts'
import {
  tagApartFaults,
  tagBracketFaults,
  tagFaults,
  tagLikenessFaults,
  tagNameFaults,
  tagTodoFaults,
} from './faults/tags.ts'
import { dateClassFaults, jsonFaults, textClassFaults } from './faults/text-classes.ts'
import { apartFaults, changeFaults, creationFaults, presenceFaults } from './faults/thing-fields.ts'
import { characterFaults, encodingFaults, lengthFaults, urlFaults, valueFaults } from './faults/thing-values.ts'
import { todoMatchFaults, todoStateFaults } from './faults/todos.ts'
import { lookalikeFaults, presentationFaults, tokenFaults } from './faults/token-presentation.ts'
import { clientFaults, patternFaults, rejectedAndDoneFaults } from './faults/token-requests.ts'
import { sizeFaults, uploadArrayFaults, uploadBesideFaults, uploadFormFaults } from './faults/uploads.ts'
import {
  webhookBodyFaults,
  webhookEventFaults,
  webhookFaults,
  webhookSendingFaults,
  webhookSignatureFaults,
} from './faults/webhooks.ts'

/** Wrong servers of one kind. */
export interface FaultFamily {
  readonly name: string
  readonly faults: readonly Fault[]
  /** Whether the rules mostly wait: then the self-test can check several of these servers at the same time. */
  readonly waits?: true
}

/** Servers that violate the interface, by kind. Profile `core` must find each of them. */
export const coreFamilies: readonly FaultFamily[] = [
  { name: 'token', faults: tokenFaults },
  { name: 'presentation', faults: presentationFaults },
  { name: 'full sync', faults: fullSyncListingFaults },
  { name: 'incremental sync', faults: incrementalSyncFaults },
  { name: 'position', faults: positionFaults },
  { name: 'upload form', faults: uploadFormFaults },
  { name: 'creation', faults: creationFaults },
  { name: 'change', faults: changeFaults },
  { name: 'things that are gone', faults: deletedThingFaults },
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
  { name: 'tokens that are rejected', faults: rejectedAndDoneFaults },
  { name: 'transport', faults: transportFaults },
  { name: 'order of parameters', faults: parameterOrderFaults },
  { name: 'uploads by GET', faults: getUploadFaults },
  { name: 'values', faults: valueFaults },
  { name: 'lengths', faults: lengthFaults },
  { name: 'URLs', faults: urlFaults },
  { name: 'characters', faults: characterFaults },
  { name: 'fields apart', faults: apartFaults },
  { name: 'tags apart', faults: tagApartFaults },
  { name: 'todos by tags', faults: tagTodoFaults },
  { name: 'names of tags', faults: tagNameFaults },
  { name: 'tags that look alike', faults: tagLikenessFaults },
  { name: 'client-assigned IDs', faults: localIdFaults },
  { name: 'arrays of uploads', faults: uploadArrayFaults },
  { name: 'uploads beside parameters', faults: uploadBesideFaults },
  { name: 'twins', faults: twinFaults },
  { name: 'ids', faults: idFaults },
  { name: 'sizes', faults: sizeFaults },
  { name: 'edges of listings', faults: listingEdgeFaults },
  { name: 'kinds of isolation', faults: isolationKindFaults },
  { name: 'races', faults: raceFaults },
  { name: 'races that are listed', faults: raceListingFaults },
  { name: 'restarts', faults: restartFaults },
  { name: 'classes of characters', faults: textClassFaults },
  { name: 'classes of dates', faults: dateClassFaults },
  { name: 'spellings of JSON', faults: jsonFaults },
  { name: 'searches for todo tags', faults: todoMatchFaults },
  { name: 'settings of todo tags', faults: todoStateFaults },
  { name: 'changes of one thing', faults: singleChangeFaults },
  { name: 'mixtures of notations', faults: mixedNotationFaults },
  { name: 'settings in listings', faults: listedTagFaults },
  { name: 'borders of pages', faults: borderPageFaults },
  { name: 'counts of uploads', faults: uploadCountFaults },
  { name: 'skip_id in full syncs', faults: fullSkipFaults },
  { name: 'several clients', faults: severalClientFaults },
  { name: 'lifetimes of tokens', faults: lifetimeFaults, waits: true },
  { name: 'errors of the frame', faults: frameErrorFaults },
  { name: 'values after a restart', faults: restartValueFaults },
  { name: 'brackets in tag names', faults: tagBracketFaults },
  { name: 'isolation in every form of sync', faults: isolationFilterFaults },
]

/** Servers that violate only the contract. Profile `full` must find each of them, and `core` must pass them. */
export const fullFamilies: readonly FaultFamily[] = [
  { name: 'request', faults: fullRequestFaults },
  { name: 'isolation of operations', faults: isolationOperationFaults },
  { name: 'cases of operations', faults: operationCaseFaults },
  { name: 'revocation', faults: revocationFaults },
  { name: 'halves of requests', faults: halfRequestFaults },
  { name: 'token extensions', faults: fullTokenFaults },
  { name: 'authorization code flow', faults: codeFlowFaults },
  { name: 'sync extensions', faults: fullSyncFaults },
  { name: 'other operations', faults: fullOperationFaults },
  { name: 'link previews', faults: linkPreviewFaults },
  { name: 'restart extensions', faults: fullRestartFaults },
  { name: 'webhooks', faults: webhookFaults },
  { name: 'signatures of webhooks', faults: webhookSignatureFaults, waits: true },
  { name: 'messages to webhooks', faults: webhookBodyFaults, waits: true },
  { name: 'events of webhooks', faults: webhookEventFaults, waits: true },
  { name: 'sending to webhooks', faults: webhookSendingFaults, waits: true },
  { name: 'streams and waiting', faults: liveFaults, waits: true },
  { name: 'devices', faults: deviceFaults },
  { name: 'push', faults: pushFaults, waits: true },
]

/** All faults of `coreFamilies`. */
export const coreFaults: readonly Fault[] = coreFamilies.flatMap(({ faults }) => faults)

/** All faults of `fullFamilies`. */
export const fullFaults: readonly Fault[] = fullFamilies.flatMap(({ faults }) => faults)

/** The faults of all families that wait. */
export const waitingFaults: readonly Fault[] = [...coreFamilies, ...fullFamilies].flatMap(({ faults, waits }) =>
  waits === true ? faults : [],
)

/** All wrong servers that the suite must find. */
export const allFaults: readonly Fault[] = [...coreFaults, ...fullFaults]
