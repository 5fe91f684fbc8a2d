import { createHash } from 'node:crypto'
import { type Behavior, rightServer } from '../../src/model/behavior.ts'
import type { Kind } from '../../src/model/right-delivery.ts'
import { type Account, ApiError, type Hook, type Json, type JsonObject } from '../../src/model/state.ts'
import { createFaults, errors, type Fault, fault, rejecting, without } from './fault.ts'

/** Derives a secret from a text. */
const secretFrom = (text: string): string => `whsec_${createHash('sha256').update(text).digest('base64')}`

const listed = (edit: (hook: JsonObject, whole: Hook) => Json): Partial<Behavior> => ({
  listedHook: (hook) => edit(rightServer.listedHook(hook) as JsonObject, hook),
})

const hooksOf = (accounts: Iterable<Account>): readonly Hook[] =>
  [...accounts].flatMap(({ webhooks }) => [...webhooks.values()])

/** Faults against the contract on secrets, lists and URLs of webhooks. */
export const webhookFaults: readonly Fault[] = [
  fault('hook-secret-missing', 'gives a webhook no secret', { registered: () => ({ registered: true }) }),
  fault('hook-secret-plain', 'gives secrets without whsec_', {
    newSecret: (...all) => rightServer.newSecret(...all).slice('whsec_'.length),
  }),
  fault('hook-secret-short', 'gives secrets of six bytes', { newSecret: () => 'whsec_MTIzNDU2' }),
  fault('hook-secret-again', 'shows the secret each time that a webhook is registered', {
    registered: (_secret, hook) => ({ registered: true, secret: hook.secret }),
  }),
  fault('hook-secret-renewed', 'returns another secret each time that a webhook is registered', {
    registered: (secret, hook) => ({ registered: true, secret: secret ?? secretFrom(`${hook.notified}`) }),
  }),
  fault('hook-again-rejected', 'rejects a webhook that is registered already', {
    registered: (secret, hook) => {
      if (secret === undefined) throw new ApiError('parameter-invalid', 'it is registered already')
      return rightServer.registered(secret, hook)
    },
  }),
  fault('hook-secret-shared', 'gives all webhooks of a user one secret', {
    newSecret: ({ username, createdAt }) => secretFrom(`${username} ${createdAt}`),
  }),
  fault('hook-secret-every-other', 'makes a new secret for every other webhook of a user', {
    newSecret: ({ username, createdAt, memory }) => {
      const count = Number(memory.get('secrets') ?? 0)
      memory.set('secrets', count + 1)
      return secretFrom(`${username} ${createdAt} ${Math.floor(count / 2)}`)
    },
  }),
  fault('hook-secret-kept', 'gives a webhook that was unregistered the same secret again', {
    newSecret: ({ username }, { target, event }) => secretFrom(`${username} ${target} ${event}`),
  }),
  fault('hook-secret-of-address', 'gives the same URL the same secret, for every user', {
    newSecret: (_account, { target, event }) => secretFrom(`${target} ${event}`),
  }),
  fault('hook-secret-other-app', 'shows one application the secret of another', {
    newSecret: (account, hook, state) => {
      const other = hooksOf([account]).find(({ target, event }) => target === hook.target && event === hook.event)
      return other?.secret ?? rightServer.newSecret(account, hook, state)
    },
  }),
  fault('hook-taken-by-other-app', 'keeps the webhooks of all applications together', {
    hookKey: ({ target, event }) => `${event} ${target}`,
  }),
  fault('hook-taken-by-other-user', 'keeps the webhooks of all users together', {
    knownHook: (_account, key, state) =>
      [...state.accounts.values()].flatMap(({ webhooks }) => webhooks.get(key) ?? [])[0],
  }),
  fault(
    'hook-list-missing',
    'does not list webhooks',
    rejecting(({ path }) => path === 'webhook/list'),
  ),
  fault(
    'hook-list-with-secrets',
    'lists webhooks with their secrets',
    listed((hook, { secret }) => ({ ...hook, secret })),
  ),
  fault(
    'hook-list-without-event',
    'lists webhooks without their event',
    listed((hook) => without(hook, 'event')),
  ),
  fault('hook-list-of-all-users', 'lists the webhooks of all users', {
    listedHooks: (_account, _client, state) => hooksOf(state.accounts.values()),
  }),
  fault(
    'hook-list-without-success',
    'does not list when a message was taken',
    listed((hook) => without(hook, 'last_success')),
  ),
  fault(
    'hook-list-without-failure',
    'does not list when a message failed',
    listed((hook) => without(hook, 'last_failure')),
  ),
  fault(
    'hook-list-success-text',
    'lists as a text when a message was taken',
    listed((hook) => (hook.last_success === undefined ? hook : { ...hook, last_success: new Date().toISOString() })),
  ),
  fault(
    'hook-list-success-of-failure',
    'also lists a try that failed as a success',
    listed((hook) => (hook.last_failure === undefined ? hook : { ...hook, last_success: 1_767_225_600 })),
  ),
  fault('hook-limit-none', 'takes any number of webhooks', { maxHooks: 10_000 }),
  fault(
    'hook-limit-other-error',
    'has a code of its own for too many webhooks',
    errors('hooks-many', (body) => ({ ...body, error: 'too_many_webhooks' })),
  ),
  fault('hook-address-unchecked', 'calls any address', { isForbidden: () => false }),
  fault('hook-address-by-text', 'checks addresses by their text', {
    isForbidden: (address) => /\/\/(169\.254|22\d|25\d|\[fe80)/.test(address),
  }),
  fault('hook-credentials-taken', 'takes addresses with credentials', { takesCredentials: true }),
  fault('hook-unregister-ignored', 'does not end a webhook that is unregistered', { endsUnregistered: false }),
  fault('hook-ended-by-other-user', "ends another user's webhook of the same address", {
    unregisters: (_account, state) => [...state.accounts.values()],
  }),
  fault('hook-ended-by-other-event', 'ends all webhooks of an address when one is unregistered', {
    isSelected: (hook, { target }) => hook.target === target,
  }),
]

/** Edits the body of messages. */
const bodies = (edit: (body: JsonObject) => JsonObject): Partial<Behavior> => ({
  messageBody: (news, now) => edit(rightServer.messageBody(news, now)),
})

/** Edits the data of messages. */
const data = (edit: (data: JsonObject) => JsonObject): Partial<Behavior> =>
  bodies((body) => ({ ...body, data: edit(body.data as JsonObject) }))

/** Faults against the contract on the form and the signature of messages to webhooks. */
export const webhookSignatureFaults: readonly Fault[] = [
  fault('hook-never-told', 'calls no webhook', { announces: () => false }),
  fault('hook-operation-untold', 'notifies of uploads only', { announces: (written) => written !== 'operation' }),
  fault('hook-put', 'sends messages by PUT', { messageMethod: 'PUT' }),
  fault('hook-content-type', 'sends messages as text', { messageHeaders: { 'content-type': 'text/plain' } }),
  fault('hook-form', 'sends messages in a form', {
    messageHeaders: { 'content-type': 'application/x-www-form-urlencoded' },
    messageText: (body) => new URLSearchParams({ payload: JSON.stringify(body) }).toString(),
  }),
  fault(
    'hook-data-flat',
    'has the members of data beside type',
    bodies(({ data, ...body }) => ({ ...body, ...(data as JsonObject) })),
  ),
  fault('hook-unsigned', 'does not sign', {
    signatureHeaders: (id, time) => ({ 'webhook-id': id, 'webhook-timestamp': time }),
  }),
  fault('hook-signs-body-alone', 'signs the body without id and time', { signed: (_id, _time, body) => body }),
  fault('hook-signature-hex', 'writes signatures in hexadecimal', {
    signature: (key, text) => `v1,${Buffer.from(rightServer.signature(key, text).slice(3), 'base64').toString('hex')}`,
  }),
  fault('hook-signature-without-version', 'writes signatures without v1', {
    signature: (key, text) => rightServer.signature(key, text).slice(3),
  }),
  fault('hook-key-undecoded', 'signs with the text of the secret', { signingKey: (secret) => Buffer.from(secret) }),
  fault('hook-header-names', 'has headers of its own', {
    signatureHeaders: (...all) =>
      Object.fromEntries(
        Object.entries(rightServer.signatureHeaders(...all)).map(([name, value]) => [`x-${name}`, value]),
      ),
  }),
  fault('hook-secret-of-other-hook', "signs all messages with the secret of the user's first webhook", {
    signingSecret: (hook, account) => hooksOf([account])[0]?.secret ?? hook.secret,
  }),
  fault('hook-signed-for-other-user', 'signs with the secret of the user who registered the URL first', {
    signingSecret: (hook, _account, state) =>
      hooksOf(state.accounts.values()).find(({ target }) => target === hook.target)?.secret ?? hook.secret,
  }),
  fault('hook-timestamp-milliseconds', 'writes webhook-timestamp in milliseconds', {
    signingTime: () => `${Date.now()}`,
  }),
  fault('hook-timestamp-local', 'takes local time for Unix time', {
    signingTime: () => `${Math.floor(Date.now() / 1000) + 7200}`,
  }),
  fault('hook-id-of-hook', 'gives all messages of a webhook the same id', {
    messageId: ({ target }) => createHash('sha256').update(target).digest('hex'),
  }),
  fault(
    'hook-type-other',
    'calls every event change',
    bodies((body) => ({ ...body, type: 'change' })),
  ),
  fault(
    'hook-body-timestamp-number',
    'writes the timestamp of a message as a number',
    bodies((body) => ({ ...body, timestamp: 1_767_225_600 })),
  ),
]

/** Faults against the contract on the content of messages to webhooks. */
export const webhookBodyFaults: readonly Fault[] = [
  ...createFaults(
    data,
    ['hook-pos-missing', 'sends no position', (all) => without(all, 'pos')],
    ['hook-pos-early', 'sends the position before the change', (all) => ({ ...all, pos: Number(all.pos) - 1 })],
    ['hook-pos-beyond', 'sends a position that is not reached yet', (all) => ({ ...all, pos: Number(all.pos) + 1 })],
    ['hook-ids-missing', 'sends no ids', (all) => without(all, 'ids')],
  ),
  fault('hook-ids-of-everything', 'sends the ids of all things', {
    messageBody: (news, now) => {
      const body = rightServer.messageBody(news, now)
      return { ...body, data: { ...(body.data as JsonObject), ids: news.all.map(({ id }) => id) } }
    },
  }),
  fault(
    'hook-ids-of-one',
    'sends one id of each upload',
    data((all) => ({ ...all, ids: (all.ids as Json[]).slice(-1) })),
  ),
  fault('hook-ids-of-other-events', 'sends in ids whatever changed, and not only what the event names', {
    messageBody: (news, now) => {
      const body = rightServer.messageBody(news, now)
      const ids = news.all.filter(({ position }) => position > news.hook.notified).map(({ id }) => id)
      return { ...body, data: { ...(body.data as JsonObject), ids } }
    },
  }),
  fault(
    'hook-type-new-thing',
    'calls every event new_thing',
    bodies((body) => ({ ...body, type: 'new_thing' })),
  ),
  fault('hook-things-first-state', 'sends things as they were created', {
    messageBody: (news, now) =>
      rightServer.messageBody({ ...news, returned: (thing) => news.returned({ ...thing, fields: thing.first }) }, now),
  }),
  fault(
    'hook-things-missing',
    'sends no things',
    data((all) => without(all, 'things')),
  ),
  fault(
    'hook-things-unlike-listing',
    'sends things without their dates',
    data((all) => ({
      ...all,
      ...(all.things === undefined
        ? {}
        : { things: (all.things as JsonObject[]).map((thing) => without(thing, 'date')) }),
    })),
  ),
  fault('hook-things-however-large', 'sends things however large they are', {
    messageBody: (news, now) => {
      const body = rightServer.messageBody(news, now)
      return { ...body, data: { ...(body.data as JsonObject), things: news.things.map(news.returned) } }
    },
  }),
  fault(
    'hook-large-without-ids',
    'sends no ids where it leaves the things out',
    data((all) => (all.things === undefined ? { ...all, ids: [] } : all)),
  ),
  fault('hook-ids-all', 'sends any number of ids', {
    messageBody: (news, now) => {
      const body = rightServer.messageBody(news, now)
      return { ...body, data: { ...(body.data as JsonObject), ids: news.things.map(({ id }) => id) } }
    },
  }),
  ...createFaults(
    data,
    ['hook-truncation-unsaid', 'does not say that ids are left out', (all) => without(all, 'truncated')],
    ['hook-truncated-always', 'says of every message that ids are left out', (all) => ({ ...all, truncated: true })],
    ['hook-tags-missing', 'sends no tag settings', (all) => without(all, 'tags')],
  ),
  fault('hook-things-of-deletions', 'sends deleted things in full', {
    messageBody: (news, now) => {
      const body = rightServer.messageBody(news, now)
      const things = [...news.things, ...news.deleted].map(news.returned)
      return { ...body, data: { ...(body.data as JsonObject), things } }
    },
  }),
]

/** Makes webhooks for an event (any by default) want a kind of change (any by default), or not. */
const kinds = (wants: boolean, forEvent?: string, ofKind?: Kind): Partial<Behavior> => ({
  wantsKind: (event, kind) => {
    const applies = (forEvent ?? event) === event && (ofKind ?? kind) === kind
    return applies ? wants : rightServer.wantsKind(event, kind)
  },
})

/** Faults against the contract on which webhook is notified of which change. */
export const webhookEventFaults: readonly Fault[] = [
  ...createFaults(
    kinds,
    ['hook-event-ignored', 'notifies every webhook of everything', true],
    ['hook-new-told-of-changes', 'notifies webhooks for new things of changes', true, 'new_thing', 'changed_thing'],
    ['hook-new-told-of-deletions', 'notifies webhooks for new things of deletions', true, 'new_thing', 'deleted_thing'],
    ['hook-new-told-of-tags', 'notifies webhooks for new things of tag settings', true, 'new_thing', 'tag'],
    ['hook-changed-told-of-new', 'takes new things for changed ones', true, 'changed_thing', 'new_thing'],
    ['hook-changed-told-of-deletions', 'takes deletions for changes', true, 'changed_thing', 'deleted_thing'],
    [
      'hook-deleted-told-of-changes',
      'notifies webhooks for deletions of changes',
      true,
      'deleted_thing',
      'changed_thing',
    ],
    ['hook-tag-told-of-things', 'notifies webhooks for tags of things', true, 'tag', 'changed_thing'],
    ['hook-changes-untold', 'notifies no webhook for changed things', false, 'changed_thing'],
    ['hook-deletions-untold', 'notifies no webhook for deletions', false, 'deleted_thing'],
    ['hook-tags-untold', 'notifies no webhook for tags', false, 'tag'],
    ['hook-any-without-changes', 'leaves changes out of any', false, 'any', 'changed_thing'],
    ['hook-any-without-deletions', 'leaves deletions out of any', false, 'any', 'deleted_thing'],
    ['hook-any-without-tags', 'leaves tags out of any', false, 'any', 'tag'],
  ),
  fault('hook-told-of-the-past', 'notifies a new webhook of everything that there is', { notifiedAtFirst: () => 0 }),
  fault(
    'hook-told-again',
    'repeats in each message what the previous message held',
    (() => {
      const before = new WeakMap<Hook, Json[]>()
      return {
        messageBody: (news, now) => {
          const body = rightServer.messageBody(news, now)
          const all = body.data as JsonObject
          const ids = all.ids as Json[]
          const again = before.get(news.hook) ?? []
          before.set(news.hook, ids)
          return { ...body, data: { ...all, ids: [...again, ...ids] } }
        },
      } satisfies Partial<Behavior>
    })(),
  ),
  fault('hook-told-with-other-users', "sends other users' things with the next change of its own user", {
    newsOf: (account, { accounts }) =>
      [...accounts.values()].map((each) => {
        const { position } = account
        const things = [...each.things].map(([id, thing]) => [id, { ...thing, position, created: position }] as const)
        return each === account ? account : { ...each, position, things: new Map(things) }
      }),
  }),
  fault('hook-told-of-all-users', 'notifies webhooks of the changes of all users', {
    notifiedOf: (_account, state) => [...state.accounts.values()],
    newsOf: (_account, state) => [...state.accounts.values()],
  }),
]

/** Counts during the life of a fault. */
const createCounter = (): (() => number) => {
  let count = 0
  return () => {
    count += 1
    return count
  }
}

const countMessage = createCounter()

/** Faults against the contract on coalescing and retries. */
export const webhookSendingFaults: readonly Fault[] = [
  fault('hook-parallel', 'sends a webhook one request beside the other', { maySend: () => true }),
  fault('hook-parallel-when-many-wait', 'sends a webhook a second request when four changes wait behind the first', {
    maySend: ({ here, behind }) => here === 0 || (here === 1 && behind >= 4),
  }),
  fault('hook-queue', 'sends a message for each change, one after the other', {
    cut: (news) => {
      const [first] = news.things
      return first === undefined ? news : { ...news, things: [first], position: first.position }
    },
  }),
  fault('hook-merge-keeps-last', 'sends only the last change of all that waited', {
    cut: (news) => ({ ...news, things: news.things.slice(-1) }),
  }),
  fault('hook-merge-keeps-first', 'sends only the first change of all that waited', {
    cut: (news) => ({ ...news, things: news.things.slice(0, 1) }),
  }),
  fault('hook-merge-drops', 'forgets what changes while a request is under way', {
    notifiedBy: (_message, { position }) => position,
  }),
  fault('hook-merge-tells-first-position', 'sends the position of the first change of all that waited', {
    messageBody: (news, now) =>
      rightServer.messageBody({ ...news, position: news.things[0]?.position ?? news.position }, now),
  }),
  fault('hook-positions-go-back', 'sends older positions after newer ones', {
    messageBody: (news, now) =>
      rightServer.messageBody({ ...news, position: news.position - (countMessage() % 2) * 1000 }, now),
  }),
  fault('hook-one-for-all', 'sends to one webhook at a time', {
    maySend: ({ anywhere, here }) => anywhere === 0 && here === 0,
  }),
  fault('hook-never-again', 'tries once', { retryMs: () => undefined }),
  fault('hook-error-is-success', 'takes every response for success', { isTaken: (status) => status !== 'nothing' }),
  fault('hook-again-as-another', 'gives each try an id of its own', {
    again: (message, hook) => ({ ...message, id: rightServer.messageId(hook) }),
  }),
  fault('hook-again-with-other-bytes', 'writes the current time into each try', {
    again: (message) => ({
      ...message,
      body: message.body.replace(/"timestamp":"[^"]*"/, '"timestamp":"2026-11-22T00:00:00Z"'),
    }),
  }),
  fault('hook-again-with-news', 'puts what is new into the next try of an old message', {
    again: (message, _hook, rebuild) => ({ ...(rebuild() ?? message), id: message.id, tries: message.tries }),
  }),
  fault('hook-again-badly-signed', 'signs each further try by its body alone', {
    signed: (id, time, body, tries) => (tries > 0 ? body : rightServer.signed(id, time, body, tries)),
  }),
  fault('hook-again-at-once', 'tries again at once', { retryMs: () => 20 }),
  fault('hook-redirect-followed', 'follows redirects', { followsRedirects: true }),
  fault('hook-redirect-followed-in-vain', 'follows a redirect, and takes it for a failure', {
    followsRedirects: true,
    afterRedirect: (first) => first,
  }),
  fault('hook-redirect-is-success', 'takes a redirect for success', {
    isTaken: (status) => status !== 'nothing' && status < 400,
  }),
  fault('hook-close-is-success', 'takes a missing response for success', {
    isTaken: (status) => status === 'nothing' || rightServer.isTaken(status),
  }),
  fault('hook-close-is-forgotten', 'does not try again without a response', {
    retryMs: (tries, after, status) => (status === 'nothing' ? undefined : rightServer.retryMs(tries, after, status)),
  }),
  fault('hook-overtakes-failures', 'sends what is new before what failed', { waitsBehindFailures: false }),
  fault('hook-forgets-behind-failure', 'forgets what changes while a message waits for its next try', {
    notifiedBy: (message, { position }) => (message.tries > 0 ? position : message.to),
  }),
  fault('hook-retry-after-ignored', 'does not look at Retry-After', {
    retryMs: (tries, _after, status) => rightServer.retryMs(tries, undefined, status),
  }),
  fault('hook-gone-kept', 'takes 410 for a failure like any other', { goneEnds: false }),
  fault('hook-gone-listed', 'goes on listing a webhook that responded with 410', {
    endGone: (_account, hook) => {
      hook.notified = Number.MAX_SAFE_INTEGER
    },
  }),
  fault(
    'hook-gone-told',
    'goes on notifying a webhook that responded with 410, and lists it no more',
    (() => {
      const removed = new WeakSet<Hook>()
      return {
        endGone: (_account, hook) => {
          removed.add(hook)
          hook.sending = undefined
        },
        listedHooks: (...all) => rightServer.listedHooks(...all).filter((hook) => !removed.has(hook)),
      } satisfies Partial<Behavior>
    })(),
  ),
  fault('hook-202-is-failure', 'takes 202 for a failure', {
    isTaken: (status) => status !== 202 && rightServer.isTaken(status),
  }),
  fault('hook-only-200-is-success', 'takes 200 alone for success', { isTaken: (status) => status === 200 }),
]
