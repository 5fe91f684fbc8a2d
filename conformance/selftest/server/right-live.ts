import { Refusal } from './refusal.ts'
import { publicKey } from './right-push.ts'
import type { Account, Device, Json, JsonObject, Session, World } from './world.ts'

/** A key or a secret of Web Push: base64url that holds so many bytes. */
const holds = (text: string, bytes: number): boolean =>
  /^[\w-]+=*$/.test(text) && Buffer.from(text, 'base64url').length === bytes

/** Streams, waiting, and devices (contract, delivery). */
export const rightLive = {
  streamHeaders: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } as Record<string, string>,
  /** The text of one event. */
  event: (position: number, _isFirst: boolean): string =>
    `id: ${position}\ndata: ${JSON.stringify({ pos: position })}\n\n`,
  /** Whether a stream begins with an event. */
  tellsAtOnce: (_lastEventId: string | undefined): boolean => true,
  /** Whether whoever waits is told of a write. */
  wakes: (waiting: Session, writer: Session, _account: Account): boolean => waiting !== writer,
  /** The watchers of an account, after one more came. */
  addWatcher: ({ watchers }: Account, watcher: (writer: Session) => void): void => void watchers.add(watcher),
  mostWaiting: 10,
  /** Whose waiting requests count against the limit. */
  countsWaiting: (all: readonly Session[], session: Session): readonly Session[] =>
    all.filter((each) => each === session),
  /** Requests that wait are counted while they last. */
  forgetsWaiting: true,
  /** Milliseconds between two looks whether a stream's token is still good; 0: no looks. */
  tokenLookMs: 200,
  readsWait: true,
  /** Whether an answer is held back, given what there is. */
  holdsBack: (account: Account, from: number | undefined): boolean => from !== undefined && from >= account.position,
  waitMs: (seconds: number): number => seconds * 1000,
  isGoodWait: (seconds: number): boolean => Number.isInteger(seconds) && seconds >= 1 && seconds <= 60,
  deviceKey: (_world: World): Json => publicKey,
  deviceOwner: ({ type, id }: Device): string => `${type} ${id}`,
  registeredDevice: ({ type }: Device): JsonObject => ({
    registered: true,
    ...(type === 'webpush' ? {} : { delivered: false }),
  }),
  /** What of a webpush device is wrong. */
  wrongDevice: ({ endpoint, p256dh, auth }: Readonly<Record<string, string>>): string | undefined => {
    if (!URL.canParse(endpoint ?? '') || !/^https?:$/.test(new URL(endpoint ?? '').protocol)) return 'endpoint'
    if (!holds(p256dh ?? '', 65)) return 'p256dh'
    return holds(auth ?? '', 16) ? undefined : 'auth'
  },
  listedDevices: (account: Account, clientId: string, _world: World): readonly Device[] =>
    [...account.devices.values()].filter(({ session }) => session.clientId === clientId),
  listedDevice: ({ type, id, session }: Device, asking: Session): Json => ({
    ...{ type, id, current: session === asking, delivered: type === 'webpush' },
  }),
  forgetsDevices: true,
  /** Devices go with the session that registered them. */
  endsDevices: true,
  tooManyWaiting: (): Refusal => new Refusal('waiting-many', 'too many requests wait', { 'retry-after': '5' }),
}
