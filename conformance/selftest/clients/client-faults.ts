/**
 * The faults of the self-test for clients: each is `right-client.mjs` with one piece of its text replaced, and names the
 * rule that must find it.
 */

/** One faulty client. */
export interface ClientFault {
  readonly id: string
  /** The rule that must fail. */
  readonly rule: string
  /** A text that occurs once in the right client. */
  readonly from: string
  readonly to: string
}

const fault = (id: string, rule: string, from: string, to: string): ClientFault => ({ id, rule, from, to })

const readBody = 'text = await response.text()'
const onlyExpired = "if (error.code !== 'invalid_grant') throw error"
const lostInSend = "throw new ClientError('network', String(error.cause ?? error))\n      }\n      const waitMs"
const writeThing = '[]`, asText(each)])'
const writeSettings = '...Object.entries(tag).map(([name, settings]) => ['
const readPage = 'const page = await api.sync({ from: state.pos, skip, limit: pageSize })'
const dropNulls = 'Object.entries(value).filter(([, member]) => member !== null)'

const writeChange = 'changed.map((ref) => ({ _id: state.things[ref].id, ...fields(ref) }))'
const showThing = "({ ref, _id: thing.id, tags: '', ...show(thing), ...showStatus(thing) }))"
const takeLists = `for (const thing of response.things?.changed ?? []) takeChanged(thing)
    for (const id of response.things?.deleted ?? []) takeDeleted(id)`

/** A client that leaves a member out of each change, when it has this value. */
const withoutMember = (name: string, value: string): string =>
  `changed.map((ref) => ({ _id: state.things[ref].id, ...fields(ref),
          ...(fields(ref).${name} === ${value} ? { ${name}: undefined } : {}) }))`

/** A client that derives todos by a rule of its own: `makesTodo` is about `name` and `each`, the settings of a tag. */
const deriving = (makesTodo: string): string =>
  `{
          const shown = show(thing)
          const tags = shown.tags ?? ''
          const isTodo = Object.entries(state.tags).some(([name, each]) => ${makesTodo})
          return { ref, _id: thing.id, ...shown, tags, todoStatus: isTodo ? (shown.todoStatus ?? false) : null }
        })`

/** Every faulty client. */
export const clientFaults: readonly ClientFault[] = [
  fault(
    'time-limit-of-four-seconds',
    'CLIENT-READ-04',
    "redirect: 'manual',",
    "redirect: 'manual', signal: AbortSignal.timeout(4000),",
  ),
  fault(
    'latin-1-without-charset',
    'CLIENT-READ-05',
    readBody,
    "text = Buffer.from(await response.arrayBuffer()).toString(/charset/.test(response.headers.get('content-type')) ? 'utf8' : 'latin1')",
  ),
  fault(
    'deflate-accepted-but-unread',
    'CLIENT-READ-08',
    readBody,
    "text = response.headers.get('content-encoding') === 'deflate' ? '' : await response.text()",
  ),
  fault(
    'position-expected-first',
    'CLIENT-READ-09',
    'body = JSON.parse(text)',
    'body = text.startsWith(\'{"things"\') ? {} : JSON.parse(text)',
  ),
  fault(
    'one-response-for-all',
    'CLIENT-CONCURRENT-01',
    '    sync,\n    list,',
    '    sync: (given) => (sync.running ??= sync(given).finally(() => (sync.running = undefined))),\n    list,',
  ),
  fault(
    'null-as-text',
    'CLIENT-VALUE-06',
    dropNulls,
    "Object.entries(value).map(([name, member]) => [name, member === null ? 'null' : member])",
  ),
  fault(
    'absent-tags-added',
    'CLIENT-UPLOAD-11',
    writeThing,
    "[]`, asText(typeof each === 'string' ? each : { tags: '', ...each })])",
  ),
  fault(
    'settings-in-one-parameter',
    'CLIENT-UPLOAD-08',
    writeSettings,
    "...(Object.keys(tag).length === 0 ? [] : [['tag', JSON.stringify(tag)]]),\n      ...[].map(([name, settings]) => [",
  ),
  fault(
    'settings-filled-with-null',
    'CLIENT-UPLOAD-08',
    'JSON.stringify(settings)]),',
    'JSON.stringify({ favorite: null, color: null, ...settings })]),',
  ),
  fault(
    'booleans-as-words',
    'CLIENT-OPERATION-04',
    'return [[name, String(value)]]',
    "return [[name, typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)]]",
  ),
  fault('things-required', 'CLIENT-LIST-03', 'rest.things?.deleted?.length', 'rest.things.deleted?.length'),
  fault('pages-of-its-own-size', 'CLIENT-LIST-04', '{ skip, limit }) }', '{ skip, limit: 1000 }) }'),
  fault('deletions-not-skipped', 'CLIENT-LIST-05', 'skip = count + deleted\n', 'skip = count\n'),
  fault('position-of-the-last-page', 'CLIENT-LIST-06', 'if (skip === 0) pos = rest.pos', 'pos = rest.pos'),
  fault(
    'page-lost-with-a-token',
    'CLIENT-LIST-07',
    onlyExpired,
    `${onlyExpired}
      if (request.query?.some(([name, value]) => name === 'skip' && value !== '0')) return { pos: 1 }`,
  ),
  fault(
    'password-trimmed',
    'CLIENT-TOKEN-06',
    'username: name, password: secret })',
    'username: name, password: secret.trim() })',
  ),
  fault('secret-in-an-error', 'CLIENT-SECRET-05', 'and no JSON`, {', 'and no JSON` + client_secret, {'),
  fault(
    'tokens-in-the-log',
    'CLIENT-SECRET-06',
    '    saveTokens(pair)\n    return body',
    '    saveTokens(pair)\n    process.stderr.write(pair.access_token)\n    return body',
  ),
  fault('refreshed-again', 'CLIENT-REFRESH-07', 'if (pair?.access_token === token) await', 'await'),
  fault(
    'refreshed-each-time',
    'CLIENT-REFRESH-08',
    '    return pair.access_token\n',
    '    else if (pair.expires_in < 300) await obtain(refreshNow)\n    return pair.access_token\n',
  ),
  fault(
    'session-ends-with-a-lost-response',
    'CLIENT-REFRESH-09',
    "if (error.kind !== 'rejected' || error.isTemporary) throw error\n      pair = undefined",
    'pair = undefined',
  ),
  fault('never-refreshed', 'CLIENT-REFRESH-10', onlyExpired, 'throw error'),
  fault('expiry-by-status', 'CLIENT-REFRESH-11', onlyExpired, 'if (error.status !== 401) throw error'),
  fault('redirects-followed-by-get', 'CLIENT-ERROR-07', "redirect: 'manual',", "redirect: 'follow',"),
  fault(
    'upload-repeated-without-from',
    'CLIENT-ERROR-08',
    lostInSend,
    `if (count < 2) continue\n        ${lostInSend}`,
  ),
  fault(
    'addition-repeated',
    'CLIENT-ERROR-09',
    '(response.status !== 429 && response.status !== 503)',
    '![429, 503, 504].includes(response.status)',
  ),
  fault('date-as-a-crash', 'CLIENT-WAIT-01', 'Math.max(0, Date.parse(text) -', 'Math.max(0, Number(BigInt(text)) -'),
  fault('repeated-without-a-pause', 'CLIENT-WAIT-05', 'if (text === null) return 200', 'if (text === null) return 0'),
  fault('date-zero-replaced', 'CLIENT-FIELD-01', 'fields.date ?? Math', 'fields.date || Math'),
  fault(
    'dates-rounded-in-uploads',
    'CLIENT-FIELD-01',
    'value : JSON.stringify(value))',
    "value : JSON.stringify(value, (name, each) => (name === 'date' ? Math.trunc(each) : each)))",
  ),
  fault(
    'tags-in-lower-case',
    'CLIENT-FIELD-01',
    '...isUrlOrHtml(fields), date }',
    "...isUrlOrHtml(fields), date, tags: (fields.tags ?? '').toLowerCase() }",
  ),
  fault('empty-tags-left-out', 'CLIENT-FIELD-02', writeChange, withoutMember('tags', "''")),
  fault('todo-false-left-out', 'CLIENT-FIELD-02', writeChange, withoutMember('todoStatus', 'false')),
  fault(
    'listed-dates-rounded',
    'CLIENT-FIELD-03',
    'const { _id, ...base } = listed',
    'const { _id, ...base } = { ...listed, date: Math.round(listed.date) }',
  ),
  fault(
    'archived-by-presence',
    'CLIENT-FIELD-04',
    'return withoutNulls(body)',
    "for (const each of body.things?.changed ?? []) each.archived = 'archived' in each\n    return withoutNulls(body)",
  ),
  fault('todo-by-part-of-a-tag', 'CLIENT-TODO-01', showThing, deriving('each.todo && tags.includes(name)')),
  fault(
    'todo-by-color',
    'CLIENT-TODO-01',
    showThing,
    deriving("(each.todo || each.color) && tags.split(' ').includes(name)"),
  ),
  fault(
    'todo-only-when-struck',
    'CLIENT-TODO-01',
    showThing,
    deriving("each.todo === 'strike' && tags.split(' ').includes(name)"),
  ),
  fault(
    'waiting-deletions-shown',
    'CLIENT-WAITING-01',
    '.filter(([, { isDeleted }]) => !isDeleted)',
    '.filter(() => true)',
  ),
  fault(
    'waiting-changes-hidden',
    'CLIENT-WAITING-01',
    'const all = { ...base, ...edits }',
    'const all = base ?? edits',
  ),
  fault(
    'sent-creation-deleted-here-only',
    'CLIENT-WAITING-02',
    'if (thing.id === null && !wasSent)',
    'if (thing.id === null)',
  ),
  fault(
    'deletion-forgotten-meanwhile',
    'CLIENT-WAITING-02',
    'thing.base = { ...thing.base, ...sentEdits }',
    'Object.assign(thing, { base: { ...thing.base, ...sentEdits }, isDeleted: false })',
  ),
  fault(
    'listed-upload-replaces-later-edits',
    'CLIENT-WAITING-02',
    '...state.things[ref], base }',
    '...state.things[ref], base, edits: {} }',
  ),
  fault(
    'deletions-ignored-after-an-upload',
    'CLIENT-DELETION-01',
    'const gone = new Set(response.things?.deleted)',
    `if (sent && response.things) response.things.deleted = []
    const gone = new Set(response.things?.deleted)`,
  ),
  fault(
    'deleted-things-stay-away',
    'CLIENT-DELETION-02',
    takeLists,
    `state.gone = [...(state.gone ?? []), ...gone]
    for (const thing of response.things?.changed ?? []) if (!state.gone.includes(thing._id)) takeChanged(thing)
    for (const id of response.things?.deleted ?? []) takeDeleted(id)`,
  ),
  fault('changed-beats-deleted', 'CLIENT-DELETION-03', takeLists, takeLists.split('\n').reverse().join('\n')),
  fault(
    'page-of-deletions-is-the-end',
    'CLIENT-PAGE-06',
    '(page.things?.changed?.length ?? 0) + (page.things?.deleted?.length ?? 0)',
    'page.things?.changed?.length ?? 0',
  ),
  fault(
    'later-pages-without-position',
    'CLIENT-PAGE-06',
    'from: state.pos, skip, limit: pageSize',
    'from: skip === 0 ? state.pos : 0, skip, limit: pageSize',
  ),
  fault(
    'settings-of-the-last-page',
    'CLIENT-PAGE-07',
    '      takeResponse(page)',
    '      state.tags = bare({})\n      takeResponse(page)',
  ),
  fault('positions-never-go-back', 'CLIENT-POSITION-02', 'state.pos = pos\n', 'state.pos = Math.max(state.pos, pos)\n'),
  fault(
    'listing-of-an-upload-unread',
    'CLIENT-RESPONSE-01',
    'takeResponse(response, sent)\n',
    'takeResponse({ things: { new: response.things?.new }, tags: response.tags }, sent)\n',
  ),
  fault(
    'settings-of-an-upload-unread',
    'CLIENT-RESPONSE-01',
    'takeResponse(response, sent)\n',
    'takeResponse({ ...response, tags: {} }, sent)\n',
  ),
  fault(
    'own-changes-excluded',
    'CLIENT-RESPONSE-01',
    'from: sent.from,',
    'from: sent.from, skip_id: changed.map((ref) => state.things[ref].id),',
  ),
  fault(
    'ids-in-order',
    'CLIENT-RESPONSE-02',
    'response.things?.new?.[ref]',
    'Object.values(response.things?.new ?? {})[sent.created.indexOf(ref)]',
  ),
  fault('one-deletion-at-once', 'CLIENT-SEVERAL-01', '{ deleted_thing: ids }', '{ deleted_thing: ids.slice(0, 1) }'),
  fault('repeated-without-a-look', 'CLIENT-SEVERAL-02', 'if (sent.isUncertain) await recognize(sent)\n', ''),
  fault(
    'never-less-at-once',
    'CLIENT-SEVERAL-03',
    'if (countOf(sent) > 1) return',
    'if (error.status === 413) throw error\n      if (countOf(sent) > 1) return',
  ),
  fault(
    'status-reset-by-a-change',
    'CLIENT-PART-01',
    'Object.entries({ ...base, ...sent.edits[ref] })',
    'Object.entries({ ...base, ...(base?.todoStatus && { todoStatus: false }), ...sent.edits[ref] })',
  ),
  fault(
    'settings-filled-with-false',
    'CLIENT-PART-02',
    '= { ...state.tagEdits[name], ...settings }',
    '= { favorite: false, color: false, todo: false, ...state.tagEdits[name], ...settings }',
  ),
  fault(
    'known-tags-not-uploaded',
    'CLIENT-PART-03',
    'Object.entries(state.tagEdits).slice(0, max)',
    'Object.entries(state.tagEdits).filter(([name]) => state.tags[name] === undefined).slice(0, max)',
  ),
  fault(
    'names-in-lower-case',
    'CLIENT-PART-04',
    'setTag: ({ name, settings }) => {',
    'setTag: ({ name: given, settings }) => {\n      const name = given.toLowerCase()',
  ),
  fault(
    'creations-dropped-after-no-json',
    'CLIENT-FAILED-01',
    'throw error\n      state.sent = undefined',
    `{
        if (error.kind === 'unexpected_response') for (const ref of sent.created) delete state.things[ref]
        throw error
      }
      state.sent = undefined`,
  ),
  fault(
    'no-json-as-an-empty-listing',
    'CLIENT-FAILED-02',
    readPage,
    `${readPage}.catch((error) => {
        if (error.kind !== 'unexpected_response') throw error
        return { pos: state.pos }
      })`,
  ),
  fault(
    'last-page-by-an-error',
    'CLIENT-FAILED-03',
    readPage,
    `${readPage}.catch((error) => {
        if (skip === 0) throw error
        return { pos }
      })`,
  ),
  fault(
    'deletions-not-pending',
    'CLIENT-STATE-01',
    'filter(isPending).length',
    'filter((thing) => isPending(thing) && !thing.isDeleted).length',
  ),
  fault('settings-not-pending', 'CLIENT-STATE-01', ' + Object.keys(state.tagEdits).length', ''),
  fault(
    'error-not-kept',
    'CLIENT-STATE-02',
    "state.error = { kind: error.kind ?? 'internal', message: error.message }",
    'state.error = undefined',
  ),
  fault('error-kept-after-a-success', 'CLIENT-STATE-02', 'state.error = undefined\n', ''),
  fault(
    'password-in-the-folder',
    'CLIENT-STATE-03',
    'state.tokens = tokens\n',
    'state.tokens = { ...tokens, password: parameters.password }\n',
  ),
  fault(
    'deletions-of-new-things-uploaded',
    'CLIENT-OUTCOME-01',
    'if (thing.id === null && !wasSent) delete state.things[ref]',
    'if (thing.id === null && !wasSent) Object.assign(thing, { id: ref, isDeleted: true })',
  ),
  fault(
    'rejected-deletions-stay',
    'CLIENT-OUTCOME-02',
    'await giveUp(sent)',
    'if (sent.deleted.length > 0) throw error\n      await giveUp(sent)',
  ),
  fault(
    'own-deletions-reported',
    'CLIENT-OUTCOME-03',
    'for (const ref of sent?.deleted ?? []) delete',
    `for (const ref of sent?.deleted ?? []) if (gone.has(state.things[ref]?.id)) state.lost.push(show(state.things[ref]))
    for (const ref of sent?.deleted ?? []) delete`,
  ),
  fault(
    'edits-sent-again-reported',
    'CLIENT-OUTCOME-04',
    'if (sent.isUncertain) await',
    'if (sent.isUncertain) state.lost.push({ title: "sent again" })\n      if (sent.isUncertain) await',
  ),
  fault(
    'one-lost-edit-only',
    'CLIENT-OUTCOME-05',
    'state.lost.push({ title: show(thing).title })\n    delete',
    'state.lost = [{ title: show(thing).title }]\n    delete',
  ),
  fault(
    'one-rejected-edit-only',
    'CLIENT-OUTCOME-06',
    'state.lost.push({ title: show(thing).title })\n      if',
    'state.lost = [{ title: show(thing).title }]\n      if',
  ),
  fault('rejected-settings-dropped', 'CLIENT-OUTCOME-07', 'state.lost.push({ title: name })', ''),
  fault(
    'status-forgotten-when-hidden',
    'CLIENT-HIDDEN-01',
    'Object.assign(state.tags, bare(response.tags))',
    `Object.assign(state.tags, bare(response.tags))
    for (const { base } of Object.values(state.things))
      if (base?.tags?.split(' ').some((name) => state.tags[name]?.todo === false)) delete base.todoStatus`,
  ),
  fault('status-as-listed', 'CLIENT-HIDDEN-01', ', ...showStatus(thing) }))', ' }))'),
  fault(
    'unknown-status-uploaded-as-false',
    'CLIENT-HIDDEN-02',
    writeChange,
    writeChange.replace('...fields', 'todoStatus: false, ...fields'),
  ),
  fault(
    'status-of-others-not-stored',
    'CLIENT-HIDDEN-03',
    'Object.assign(find(ref).edits, isUrlOrHtml(fields))',
    `if (showStatus(find(ref)).todoStatus === null) delete fields.todoStatus
      Object.assign(find(ref).edits, isUrlOrHtml(fields))`,
  ),
  ...[
    ['html-without-scripts', 'html', 'replace(/<script.*?<\\/script>/g, "")'],
    ['html-without-comments', 'html', 'replace(/<!--.*?-->/g, "")'],
    ['line-ends-unified', 'html', 'replaceAll("\\r\\n", "\\n")'],
    ['blank-title-trimmed', 'title', 'replace(/^ +$/, "")'],
    ['empty-title-named', 'title', 'replace(/^$/, "Untitled")'],
    ['url-trimmed', 'url', 'trim()'],
  ].map(([id = '', name = '', repair = '']) =>
    fault(
      id,
      'CLIENT-TEXT-01',
      'const date = fields.date ??',
      `if (fields.${name} !== undefined) fields.${name} = fields.${name}.${repair}
      const date = fields.date ??`,
    ),
  ),
  fault(
    'changed-title-trimmed',
    'CLIENT-TEXT-02',
    'Object.assign(find(ref).edits, isUrlOrHtml(fields))',
    `if (fields.title !== undefined) fields.title = fields.title.trim()
      Object.assign(find(ref).edits, isUrlOrHtml(fields))`,
  ),
  fault(
    'creations-doubled-when-sent-again',
    'CLIENT-LOST-08',
    'if (sent.isUncertain) await recognize(sent)',
    `if (sent.isUncertain)
        for (const ref of sent.created) state.things[\`2\${ref}\`] = structuredClone(state.things[ref])`,
  ),
]
