/*
 * A small right client with its adapter, written from the protocol alone: the suite of clients must pass it. It has both
 * profiles and every feature. `node right-client.mjs` speaks the adapter protocol.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { splitListing } from './listing.mjs'

const fieldNames = ['title', 'tags', 'date', 'url', 'html', 'archived', 'todoStatus']
const pageSize = 100
const maxUpload = 20

class ClientError extends Error {
  constructor(kind, message, details = {}) {
    super(message)
    Object.assign(this, { kind, ...details })
  }
}

/** Creates the client of the profile `api`; `saveTokens` runs before new tokens are used. */
function createApi({ base_url, client_id, client_secret, username, password, tokens }, saveTokens = () => {}) {
  let pair = tokens
  let obtaining

  async function send(path, { query = [], form, token } = {}) {
    const url = new URL(path, base_url)
    for (const [name, value] of query) url.searchParams.append(name, value)
    for (let count = 0; ; count += 1) {
      let response
      try {
        response = await fetch(url, {
          method: form === undefined ? 'GET' : 'POST',
          headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
          redirect: 'manual',
          ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
        })
      } catch (error) {
        throw new ClientError('network', String(error.cause ?? error))
      }
      const waitMs = readRetryAfter(response)
      if ((response.status !== 429 && response.status !== 503) || count === 2 || waitMs > 5000) return response
      await response.arrayBuffer()
      await wait(waitMs)
    }
  }

  function readRetryAfter({ headers }) {
    const text = headers.get('retry-after')
    if (text === null) return 200
    return /^\d+$/.test(text) ? Number(text) * 1000 : Math.max(0, Date.parse(text) - Date.now() + 1000)
  }

  async function readJson(response) {
    let text
    try {
      text = await response.text()
    } catch (error) {
      throw new ClientError('network', String(error.cause ?? error))
    }
    let body
    try {
      body = JSON.parse(text)
    } catch {
      throw new ClientError('unexpected_response', `status ${response.status} and no JSON`, { status: response.status })
    }
    if (typeof body?.error === 'string')
      throw new ClientError('rejected', body.error_description, {
        status: response.status,
        code: body.error,
        isTemporary: response.status === 429 || response.status === 503 || response.headers.has('retry-after'),
      })
    if (response.status >= 300 || body === null || typeof body !== 'object')
      throw new ClientError('unexpected_response', `status ${response.status}`, { status: response.status })
    return body
  }

  async function grant(parameters) {
    const form = [...Object.entries(parameters), ['client_id', client_id], ['client_secret', client_secret]]
    const body = await readJson(await send('token', { form }))
    if (typeof body.access_token !== 'string' || typeof body.request_token !== 'string')
      throw new ClientError('unexpected_response', 'no tokens')
    pair = { access_token: body.access_token, request_token: body.request_token, expires_in: body.expires_in }
    saveTokens(pair)
    return body
  }

  const signIn = (name = username, secret = password) =>
    grant({ grant_type: 'password', username: name, password: secret })

  async function refreshNow() {
    if (pair === undefined) throw new ClientError('signed_out', 'no tokens')
    try {
      return await grant({ grant_type: 'refresh_token', refresh_token: pair.request_token })
    } catch (error) {
      if (error.kind !== 'rejected' || error.isTemporary || error.status >= 500) throw error
      pair = undefined
      if (password !== undefined) return signIn()
      throw new ClientError('signed_out', error.message, { code: error.code, status: error.status })
    }
  }

  /** Obtains tokens once, for everyone who waits. */
  function obtain(work) {
    obtaining ??= work().finally(() => {
      obtaining = undefined
    })
    return obtaining
  }

  async function ensureToken() {
    if (obtaining !== undefined) await obtaining
    if (pair === undefined) {
      if (password === undefined) throw new ClientError('signed_out', 'no tokens')
      await obtain(signIn)
    }
    return pair.access_token
  }

  /** Sends a request with the token, and once more after a refresh; `read` reads the response. */
  async function call(path, request, read = readJson) {
    const token = await ensureToken()
    try {
      return await read(await send(path, { ...request, token }))
    } catch (error) {
      if (error.code !== 'invalid_grant') throw error
      if (pair?.access_token === token) await obtain(refreshNow)
      return read(await send(path, { ...request, token: await ensureToken() }))
    }
  }

  function toForm({ tag = {}, ...parameters }) {
    const asText = (value) => (typeof value === 'string' ? value : JSON.stringify(value))
    return [
      ...Object.entries(parameters).flatMap(([name, value]) => {
        if (!Array.isArray(value)) return [[name, String(value)]]
        return value.map((each) => [`${name}[]`, asText(each)])
      }),
      ...Object.entries(tag).map(([name, settings]) => [`tag[${name}]`, JSON.stringify(settings)]),
    ]
  }

  async function sync(parameters) {
    const form = toForm(parameters)
    const isListing = Object.keys(parameters).every((name) => ['from', 'skip', 'limit'].includes(name))
    const body = await call('sync', isListing ? { query: form } : { form })
    if (typeof body.pos !== 'number') throw new ClientError('unexpected_response', 'no pos')
    return withoutNulls(body)
  }

  async function listPage(parameters, take) {
    return call('sync', { query: toForm(parameters) }, async (response) => {
      // An error is short, and is read as a whole.
      if (response.status !== 200) return readJson(response)
      try {
        return await splitListing(response.body, take)
      } catch (error) {
        if (error instanceof SyntaxError) throw new ClientError('unexpected_response', error.message)
        throw new ClientError('network', String(error.cause ?? error))
      }
    })
  }

  async function list({ from, limit }) {
    const hash = createHash('sha256')
    let [count, deleted, pos] = [0, 0, 0]
    for (let skip = 0; ; ) {
      const page = { ...(from === undefined ? {} : { from }), ...(limit === undefined ? {} : { skip, limit }) }
      const before = count + deleted
      const rest = await listPage(page, (thing) => {
        count += 1
        hash.update(`${thing._id}\n${thing.title}\n`)
      })
      if (typeof rest.pos !== 'number') throw new ClientError('unexpected_response', 'no pos')
      deleted += rest.things?.deleted?.length ?? 0
      if (skip === 0) pos = rest.pos
      skip = count + deleted
      if (limit === undefined || skip === before || skip >= (rest.thingCount ?? 0)) break
    }
    return { count, deleted, digest: hash.digest('hex'), pos }
  }

  const items = async (path) => {
    const body = await call(path, {})
    return Array.isArray(body) ? { items: body } : body
  }
  return {
    sync,
    list,
    token: (name, secret) => obtain(() => signIn(name, secret)),
    refresh: () => obtain(refreshNow),
    add: (thing) => call('thing/add', { form: toForm(thing) }),
    change: (thing) => call('thing/change', { form: toForm(thing) }),
    remove: (_id) => call('thing/delete', { form: [['_id', _id]] }),
    get: items,
    revoke: async () => {
      const token = pair?.request_token ?? ''
      pair = undefined
      password = undefined
      await readJson(
        await send('revoke', {
          form: [
            ['token', token],
            ['client_id', client_id],
            ['client_secret', client_secret],
          ],
        }),
      )
      return {}
    },
  }
}

function withoutNulls(value) {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(([, member]) => member !== null)
  // A key may be `__proto__`.
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNulls(member)]))
}

const bare = (members) => Object.assign(Object.create(null), members)

/** Opens the replica in a folder. Everything that it knows is in one file, which each step replaces as a whole. */
function openReplica(parameters) {
  const file = join(parameters.folder, 'replica.json')
  mkdirSync(parameters.folder, { recursive: true })
  let state = {
    tokens: undefined,
    pos: 0,
    things: {},
    tags: {},
    tagEdits: {},
    sent: undefined,
    lost: [],
    error: undefined,
  }
  try {
    state = { ...state, ...JSON.parse(readFileSync(file, 'utf8')) }
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  // A tag may be called `__proto__`.
  state.tags = bare(state.tags)
  state.tagEdits = bare(state.tagEdits)
  const save = () => {
    writeFileSync(`${file}.new`, JSON.stringify(state))
    renameSync(`${file}.new`, file)
  }
  const api = createApi({ ...parameters, tokens: state.tokens ?? parameters.tokens }, (tokens) => {
    state.tokens = tokens
    save()
  })

  // A thing has `id`, `base` (as the server has it), `edits` (typed and not confirmed) and `isDeleted`.
  const isPending = (thing) => thing.isDeleted || Object.keys(thing.edits).length > 0 || thing.base === null
  const show = ({ base, edits }) => {
    const all = { ...base, ...edits }
    return Object.fromEntries(
      fieldNames.flatMap((name) => {
        const isUnset = all[name] === undefined || ((name === 'url' || name === 'html') && all[name] === '')
        return isUnset || (name === 'archived' && all[name] === false) ? [] : [[name, all[name]]]
      }),
    )
  }
  /** A setting alone changes which things are todos, and the server does not list them again. */
  const showStatus = (thing) => {
    const { tags = '', todoStatus = false } = show(thing)
    const settings = { __proto__: null, ...state.tags }
    for (const [name, edit] of Object.entries(state.tagEdits)) settings[name] = { ...settings[name], ...edit }
    return { todoStatus: tags.split(' ').some((name) => settings[name]?.todo) ? todoStatus : null }
  }
  const find = (ref) => {
    const thing = state.things[ref]
    if (thing === undefined || thing.isDeleted) throw new ClientError('rejected', 'there is no such thing')
    return thing
  }
  const refsById = new Map(Object.entries(state.things).map(([ref, { id }]) => [id, ref]))
  const refOfId = (id) => (state.things[refsById.get(id)] === undefined ? undefined : refsById.get(id))

  function takeChanged(listed) {
    const { _id, ...base } = listed
    const ref = refOfId(_id) ?? randomUUID()
    state.things[ref] = { id: _id, edits: {}, isDeleted: false, ...state.things[ref], base }
    refsById.set(_id, ref)
  }

  function takeDeleted(id) {
    const ref = refOfId(id)
    if (ref === undefined) return
    const thing = state.things[ref]
    if (!thing.isDeleted && Object.keys(thing.edits).length > 0) state.lost.push({ title: show(thing).title })
    delete state.things[ref]
  }

  /** Takes the edits that a request contained out of those that wait, unless they were typed again meanwhile. */
  function confirm(ref, sentEdits) {
    const thing = state.things[ref]
    if (thing === undefined) return
    thing.base = { ...thing.base, ...sentEdits }
    for (const [name, value] of Object.entries(sentEdits)) if (thing.edits[name] === value) delete thing.edits[name]
  }

  function takeResponse(response, sent) {
    const gone = new Set(response.things?.deleted)
    for (const [ref, edits] of Object.entries(sent?.edits ?? {})) {
      const id = response.things?.new?.[ref]
      if (state.things[ref]?.id === null) {
        if (id === undefined) throw new ClientError('unexpected_response', `things.new lacks ${ref}`)
        state.things[ref].id = id
        refsById.set(id, ref)
      }
      // The response to a change of a deleted thing lists it as deleted: the edit is lost then, not confirmed.
      if (!gone.has(state.things[ref]?.id)) confirm(ref, edits)
    }
    for (const ref of sent?.deleted ?? []) delete state.things[ref]
    for (const [name, settings] of Object.entries(sent?.tags ?? {})) {
      state.tags[name] = { favorite: false, color: false, todo: false, ...state.tags[name], ...settings }
      if (state.tagEdits[name] === settings || JSON.stringify(state.tagEdits[name]) === JSON.stringify(settings))
        delete state.tagEdits[name]
    }
    for (const thing of response.things?.changed ?? []) takeChanged(thing)
    for (const id of response.things?.deleted ?? []) takeDeleted(id)
    Object.assign(state.tags, bare(response.tags))
  }

  /** Builds the next upload from what waits: at most so many things. */
  function buildUpload(max) {
    const waiting = Object.entries(state.things)
      .filter(([, thing]) => isPending(thing))
      .slice(0, max)
    const sent = { from: state.pos, edits: {}, deleted: [], created: [], tags: {} }
    for (const [ref, thing] of waiting) {
      if (thing.isDeleted) sent.deleted.push(ref)
      else {
        sent.edits[ref] = { ...thing.edits }
        if (thing.id === null) sent.created.push(ref)
      }
    }
    if (waiting.length === 0) sent.tags = Object.fromEntries(Object.entries(state.tagEdits).slice(0, max))
    return sent
  }

  const countOf = (sent) => Object.keys(sent.edits).length + sent.deleted.length + Object.keys(sent.tags).length

  function toRequest(sent) {
    // A change carries all fields: a server may clear those that are left out. An edit wins over what is known.
    const fields = (ref) => {
      const { base } = state.things[ref]
      return Object.fromEntries(
        Object.entries({ ...base, ...sent.edits[ref] }).filter(([name]) => fieldNames.includes(name)),
      )
    }
    const refs = Object.keys(sent.edits).filter((ref) => state.things[ref] !== undefined)
    const created = refs.filter((ref) => state.things[ref].id === null)
    const changed = refs.filter((ref) => state.things[ref].id !== null)
    const ids = sent.deleted.flatMap((ref) => state.things[ref]?.id ?? [])
    return {
      from: sent.from,
      ...(created.length === 0 ? {} : { new_thing: created.map((ref) => ({ local_id: ref, ...fields(ref) })) }),
      ...(changed.length === 0
        ? {}
        : { changed_thing: changed.map((ref) => ({ _id: state.things[ref].id, ...fields(ref) })) }),
      ...(ids.length === 0 ? {} : { deleted_thing: ids }),
      ...(Object.keys(sent.tags).length === 0 ? {} : { tag: sent.tags }),
    }
  }

  const isSame = (thing, fields) =>
    thing.title === fields.title && thing.date === fields.date && (thing.url ?? '') === (fields.url ?? '')

  /** After a lost response: finds creations that the server has already. */
  async function recognize(sent) {
    const { things } = await api.sync({ from: sent.from })
    for (const ref of sent.created) {
      const thing = state.things[ref]
      if (thing === undefined || thing.id !== null) continue
      const found = (things?.changed ?? []).find(
        (each) => refOfId(each._id) === undefined && isSame(each, sent.edits[ref]),
      )
      if (found === undefined) continue
      thing.id = found._id
      refsById.set(found._id, ref)
    }
    save()
  }

  async function upload(max) {
    state.sent ??= buildUpload(max)
    save()
    const { sent } = state
    if (countOf(sent) === 0) {
      state.sent = undefined
      return false
    }
    try {
      if (sent.isUncertain) await recognize(sent)
      sent.isUncertain = true
      save()
      const response = await api.sync(toRequest(sent))
      takeResponse(response, sent)
      state.pos = response.pos
      state.sent = undefined
    } catch (error) {
      if (error.kind !== 'rejected' || error.isTemporary) throw error
      state.sent = undefined
      if (countOf(sent) > 1) return upload(Math.floor(countOf(sent) / 2))
      await giveUp(sent)
    }
    save()
    return true
  }

  /** The server rejects one edit: it is reported as lost, and what the server has stays. */
  async function giveUp(sent) {
    // An incremental sync need not list again what this client deleted itself: a full sync says what the server has.
    const isDeletion = sent.deleted.length > 0
    const response = await api.sync({ from: isDeletion ? 0 : state.pos })
    const held = new Set((response.things?.changed ?? []).map(({ _id }) => _id))
    for (const ref of sent.deleted) {
      const thing = state.things[ref]
      if (thing === undefined) continue
      if (!held.has(thing.id)) {
        delete state.things[ref]
        continue
      }
      state.lost.push({ title: show(thing).title })
      thing.isDeleted = false
    }
    takeResponse(response)
    // The position stays after a full sync, which need not list what other devices deleted since then.
    if (!isDeletion) state.pos = response.pos
    for (const name of Object.keys(sent.tags)) {
      state.lost.push({ title: name })
      delete state.tagEdits[name]
    }
    for (const ref of Object.keys(sent.edits)) {
      const thing = state.things[ref]
      if (thing === undefined) continue
      state.lost.push({ title: show(thing).title })
      if (thing.id === null) delete state.things[ref]
      else thing.edits = {}
    }
  }

  /** After a full sync: removes what an earlier one, which did not end, listed. */
  function removeUnlisted(listed, names) {
    for (const { id } of Object.values(state.things)) if (id !== null && !listed.has(id)) takeDeleted(id)
    for (const name of Object.keys(state.tags)) if (!names.has(name)) delete state.tags[name]
  }

  /** Downloads in pages. The position of the first page is stored after the last one: it covers all of them. */
  async function download() {
    let pos
    const [listed, names] = [new Set(), new Set()]
    for (let skip = 0; ; ) {
      const page = await api.sync({ from: state.pos, skip, limit: pageSize })
      pos ??= page.pos
      for (const { _id } of page.things?.changed ?? []) listed.add(_id)
      for (const name of Object.keys(page.tags ?? {})) names.add(name)
      takeResponse(page)
      save()
      const count = (page.things?.changed?.length ?? 0) + (page.things?.deleted?.length ?? 0)
      skip += count
      if (count === 0 || skip >= (page.thingCount ?? 0)) break
    }
    if (state.pos === 0) removeUnlisted(listed, names)
    state.pos = pos
    save()
  }

  const isUrlOrHtml = (fields) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => fieldNames.includes(name)))
  return {
    create: (fields) => {
      const ref = randomUUID()
      const date = fields.date ?? Math.floor(Date.now() / 1000)
      state.things[ref] = { id: null, base: null, edits: { ...isUrlOrHtml(fields), date }, isDeleted: false }
      save()
      return { ref }
    },
    change: ({ ref, ...fields }) => {
      Object.assign(find(ref).edits, isUrlOrHtml(fields))
      save()
      return {}
    },
    remove: ({ ref }) => {
      const thing = find(ref)
      const wasSent = state.sent?.created.includes(ref)
      if (thing.id === null && !wasSent) delete state.things[ref]
      else Object.assign(thing, { isDeleted: true })
      save()
      return {}
    },
    setTag: ({ name, settings }) => {
      state.tagEdits[name] = { ...state.tagEdits[name], ...settings }
      save()
      return {}
    },
    sync: async () => {
      try {
        let max = maxUpload
        // The first download comes before the first upload, so that a full sync has pages and nothing of its own.
        if (state.pos === 0 && state.sent === undefined) await download()
        while (await upload(max)) max = maxUpload
        await download()
        state.error = undefined
        save()
        return {}
      } catch (error) {
        state.error = { kind: error.kind ?? 'internal', message: error.message }
        save()
        throw error
      }
    },
    read: () => ({
      things: Object.entries(state.things)
        .filter(([, { isDeleted }]) => !isDeleted)
        .map(([ref, thing]) => ({ ref, _id: thing.id, tags: '', ...show(thing), ...showStatus(thing) })),
      tags: {
        ...state.tags,
        ...Object.fromEntries(
          Object.entries(state.tagEdits).map(([name, edit]) => [name, { ...state.tags[name], ...edit }]),
        ),
      },
    }),
    state: () => ({
      pending: Object.values(state.things).filter(isPending).length + Object.keys(state.tagEdits).length,
      lost: state.lost,
      error: state.error ?? null,
    }),
  }
}

const hello = {
  protocol: 1,
  name: 'right client',
  version: '1',
  profiles: ['api', 'replica'],
  features: ['concurrent', 'list', 'operations', 'revoke', 'tokens', 'auto-refresh', 'retries', 'paging', 'set-tag'],
}
let api
let replica
const commands = {
  hello: () => hello,
  init: (parameters) => {
    replica = undefined
    api = createApi(parameters)
    return {}
  },
  token: ({ username, password }) => api.token(username, password),
  refresh: () => api.refresh(),
  sync: (parameters) => (replica === undefined ? api.sync(parameters) : replica.sync()),
  list: (parameters) => api.list(parameters),
  'thing-add': (thing) => api.add(thing),
  'thing-change': (thing) => api.change(thing),
  'thing-delete': ({ _id }) => api.remove(_id),
  'things-get': () => api.get('things/get'),
  'tags-get': () => api.get('tags/get'),
  'user-get': () => api.get('user/get'),
  revoke: () => api.revoke(),
  open: (parameters) => {
    replica = openReplica(parameters)
    return {}
  },
  create: (fields) => replica.create(fields),
  change: (edit) => replica.change(edit),
  delete: (edit) => replica.remove(edit),
  'set-tag': (edit) => replica.setTag(edit),
  read: () => replica.read(),
  state: () => replica.state(),
  close: () => {
    replica = undefined
    return {}
  },
}

async function run({ id, command, ...parameters }) {
  try {
    const work = commands[command]
    if (work === undefined) throw new ClientError('unsupported', command)
    const result = withoutNulls(await work(parameters))
    return { id, result: command === 'read' ? addIds(result) : result }
  } catch (error) {
    const { kind = 'internal', status, code, message, stack } = error
    if (kind === 'internal') process.stderr.write(`${stack}\n`)
    return { id, error: { kind, status, code, message } }
  }
}

const addIds = ({ things, tags }) => ({ things: things.map((thing) => ({ _id: null, ...thing })), tags })

for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
  // Without waiting: several commands run at the same time.
  void run(JSON.parse(line)).then((result) => process.stdout.write(`${JSON.stringify(result)}\n`))
}
