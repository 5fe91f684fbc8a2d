import type { OpenStream } from '../../client.ts'
import { expect } from '../../expect.ts'
import { asSetup, Finding } from '../../finding.ts'
import { isObject, showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import type { Replica } from '../../replica.ts'
import { readAccessToken } from '../../sessions.ts'
import { findRetryDelayMs } from '../../throttle.ts'

/** How often an opening that is throttled is sent again: more often, and it is a refusal. */
const mostRepeats = 3

/** Lets some time pass, where nothing tells when to go on. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Where events are told. */
export const eventsPath = 'sync/events'

/** A stream of events of the replica's session, which is judged to be one. */
export const openEvents = async (lab: Lab, replica: Replica, headers = {}): Promise<OpenStream> =>
  openEventsWith(lab, await replica.token(), replica.name, headers)

/** A stream, or what is answered instead; what a throttling server asks for again is sent again. */
const openUnlessThrottled = async (
  lab: Lab,
  token: string,
  who: string,
  headers: Readonly<Record<string, string>>,
): Promise<OpenStream> => {
  for (let attempt = 0; ; attempt += 1) {
    const stream = await lab.listen(token, { who, method: 'GET', path: eventsPath, headers })
    const delayMs = findRetryDelayMs(stream.status, stream.headers['retry-after'], attempt)
    if (delayMs === undefined || attempt === mostRepeats) return stream
    stream.close()
    await pause(delayMs)
  }
}

/** The same with any token. */
export const openEventsWith = async (lab: Lab, token: string, who: string, headers = {}): Promise<OpenStream> => {
  const stream = await openUnlessThrottled(lab, token, who, headers)
  const type = stream.headers['content-type'] ?? 'none'
  const isStream = stream.status === 200 && /^text\/event-stream\b/i.test(type)
  const came = `${stream.status} ${type} ${showValue(stream.text(), 200)} came`
  expect(isStream, '200 with the content type text/event-stream', came, { exchange: stream.exchange() })
  return stream
}

/** An event, and the position in its data. */
export interface Told {
  readonly id: string | undefined
  readonly pos: number
  readonly data: string
}

/** The next event of a stream; a Finding when none comes. */
export const takeEvent = async (lab: Lab, stream: OpenStream, because: string): Promise<Told> => {
  const { eventMs } = lab.options.patience
  const event = await stream.take(eventMs)
  if (event === undefined) {
    const came = `none came within ${eventMs / 1000} s, but ${showValue(stream.text().slice(-300))}`
    throw new Finding(`an event, because ${because}`, came, stream.exchange())
  }
  const json = lab.readJson(event.data)
  const pos = isObject(json) ? json.pos : undefined
  expect(typeof pos === 'number', 'an event with data {"pos": N}', `data ${event.data} came`, {
    exchange: stream.exchange(),
  })
  return { id: event.id, pos, data: event.data }
}

/** The next event with this position or a later one; a Finding when none comes. */
export const takeEventFrom = async (
  lab: Lab,
  stream: OpenStream,
  position: number,
  because: string,
): Promise<readonly Told[]> => {
  const events: Told[] = []
  for (;;) {
    const event = await takeEvent(lab, stream, `${because}, which ended at ${position}`)
    events.push(event)
    if (event.pos >= position) return events
  }
}

/** A session of its own of user 1, as a preparing step: its token, and what ends it. */
export const openSession = (lab: Lab): Promise<{ token: string; revoke: () => Promise<void> }> =>
  asSetup('a password grant', async () => {
    const token = readAccessToken(await lab.token())
    const { clientId, clientSecret } = lab.target
    const form = [['client_id', clientId] as const, ['client_secret', clientSecret] as const, ['token', token] as const]
    const revoke = async (): Promise<void> => {
      await lab.request({ path: 'revoke', form })
    }
    lab.afterwards(revoke)
    return { token, revoke }
  })
