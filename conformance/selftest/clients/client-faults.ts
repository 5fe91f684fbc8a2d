/**
 * The faults of the self-test for clients: those of the profile `api`, and those of the profile `replica`, which stand
 * here. `ClientFault` says what a fault is.
 */
import { apiClientFaults, type ClientFault, fault } from './api-client-faults.ts'

const readPage = 'const page = await api.sync({ from: state.pos, skip, limit: pageSize })'
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

/** How the client stores its state. */
const storeFile = `try {
    state = { ...state, ...JSON.parse(readFileSync(file, 'utf8')) }
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  // A tag may be called \`__proto__\`.
  state.tags = bare(state.tags)
  state.tagEdits = bare(state.tagEdits)
  const save = () => {
    writeFileSync(\`\${file}.new\`, JSON.stringify(state))
    renameSync(\`\${file}.new\`, file)
  }`

/** Every faulty client. */
export const clientFaults: readonly ClientFault[] = [
  ...apiClientFaults,
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
  fault('short-page-is-the-end', 'CLIENT-SHORT-01', 'if (count === 0 ||', 'if (count < pageSize ||'),
  fault('skip-by-limit', 'CLIENT-SHORT-01', 'skip += count\n', 'skip += pageSize\n'),
  fault(
    'edits-dropped-when-the-server-went-back',
    'CLIENT-RESTORED-01',
    'state.sent ??= buildUpload(max)',
    `if ((await api.sync({ from: state.pos, limit: 1 })).pos < state.pos)
      for (const thing of Object.values(state.things)) if (thing.id !== null) thing.edits = {}
    state.sent ??= buildUpload(max)`,
  ),
  fault(
    'settings-dropped-when-the-server-went-back',
    'CLIENT-RESTORED-01',
    'takeResponse(response, sent)\n      state.pos = response.pos',
    `takeResponse(response, sent)
      if (response.pos < state.pos) state.tagEdits = bare({})
      state.pos = response.pos`,
  ),
  fault(
    'only-the-last-page-kept-when-the-server-went-back',
    'CLIENT-RESTORED-02',
    'if (state.pos === 0) removeUnlisted(listed, names)',
    `if (state.pos === 0) removeUnlisted(listed, names)
    if (pos < state.pos)
      for (const { id } of Object.values(state.things).slice(300)) if (id !== null) takeDeleted(id)`,
  ),
  fault(
    'things-of-an-incomplete-full-sync-kept',
    'CLIENT-FULL-01',
    'if (id !== null && !listed.has(id)) takeDeleted(id)',
    'if (id === null && listed.has(id)) takeDeleted(id)',
  ),
  fault(
    'settings-of-an-incomplete-full-sync-kept',
    'CLIENT-FULL-01',
    'if (!names.has(name)) delete state.tags[name]',
    'if (names.has(undefined)) delete state.tags[name]',
  ),
  fault(
    'rejected-edits-win-over-newer-ones',
    'CLIENT-MEANWHILE-01',
    'if (countOf(sent) > 1) return upload',
    `for (const [ref, edits] of Object.entries(sent.edits)) if (state.things[ref]) Object.assign(state.things[ref].edits, edits)
      if (countOf(sent) > 1) return upload`,
  ),
  fault(
    'edits-cleared-by-a-response',
    'CLIENT-MEANWHILE-01',
    'if (thing.edits[name] === value) delete thing.edits[name]',
    'delete thing.edits[name]',
  ),
  fault(
    'settings-cleared-by-a-response',
    'CLIENT-MEANWHILE-02',
    'if (state.tagEdits[name] === settings || JSON.stringify(state.tagEdits[name]) === JSON.stringify(settings))',
    '',
  ),
  fault(
    'second-edit-replaces-the-first',
    'CLIENT-AGAIN-01',
    'Object.assign(find(ref).edits, isUrlOrHtml(fields))',
    `const thing = find(ref)
      thing.edits = { ...(thing.id === null ? thing.edits : {}), ...isUrlOrHtml(fields) }`,
  ),
  fault(
    'second-setting-replaces-the-first',
    'CLIENT-AGAIN-02',
    'state.tagEdits[name] = { ...state.tagEdits[name], ...settings }',
    'state.tagEdits[name] = { ...settings }',
  ),
  fault(
    'appended-behind-a-torn-line',
    'CLIENT-TORN-01',
    storeFile,
    `try {
    for (const line of readFileSync(file, 'utf8').split('\\n')) {
      if (line !== '') state = { ...state, ...parseLine(line) }
    }
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  function parseLine(line) {
    try {
      return JSON.parse(line)
    } catch {
      return {}
    }
  }
  // A tag may be called \`__proto__\`.
  state.tags = bare(state.tags)
  state.tagEdits = bare(state.tagEdits)
  const save = () => {
    writeFileSync(file, JSON.stringify(state) + '\\n', { flag: 'a' })
  }`,
  ),
  fault(
    'file-overwritten-in-place',
    'CLIENT-TORN-02',
    `writeFileSync(\`\${file}.new\`, JSON.stringify(state))
    renameSync(\`\${file}.new\`, file)`,
    "writeFileSync(file, '')\n    writeFileSync(file, JSON.stringify(state))",
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
    'rejected-deletions-dropped',
    'CLIENT-OUTCOME-08',
    'const held = new Set(',
    `const gone = sent.deleted.map((ref) => state.things[ref]?.id)
    const isLeft = ({ _id }) => !gone.includes(_id)
    if (response.things?.changed) response.things.changed = response.things.changed.filter(isLeft)
    const held = new Set(`,
  ),
  fault(
    'rejected-deletions-undone-silently',
    'CLIENT-OUTCOME-08',
    'state.lost.push({ title: show(thing).title })\n      thing.isDeleted',
    'thing.isDeleted',
  ),
  fault(
    'rejected-deletions-reported-but-hidden',
    'CLIENT-OUTCOME-08',
    'if (!isDeletion) state.pos = response.pos',
    `if (!isDeletion) state.pos = response.pos
    for (const ref of sent.deleted) delete state.things[ref]`,
  ),
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
  fault(
    'later-pages-without-from',
    'CLIENT-PAGE-01',
    'api.sync({ from: state.pos, skip, limit: pageSize })',
    'api.sync({ ...(skip === 0 && { from: state.pos }), skip, limit: pageSize })',
  ),
  fault(
    'edits-during-a-download-dropped',
    'CLIENT-DOWNLOAD-01',
    'const page = await api.sync({ from: state.pos, skip, limit: pageSize })',
    `const before = structuredClone(state.things)
      const page = await api.sync({ from: state.pos, skip, limit: pageSize })
      for (const [ref, { edits }] of Object.entries(before)) if (state.things[ref]) state.things[ref].edits = edits`,
  ),
  fault(
    'second-sync-does-nothing',
    'CLIENT-DOWNLOAD-02',
    `while (await upload(max)) max = maxUpload
        await download()`,
    `if (api.isBusy) return {}
        api.isBusy = true
        try {
          while (await upload(max)) max = maxUpload
          await download()
        } finally {
          api.isBusy = false
        }`,
  ),
  fault(
    'dates-in-milliseconds',
    'CLIENT-DATE-01',
    'fields.date ?? Math.floor(Date.now() / 1000)',
    'fields.date ?? Date.now()',
  ),
  fault(
    'todo-sent-with-each-setting',
    'CLIENT-SETTING-01',
    'state.tagEdits[name] = { ...state.tagEdits[name], ...settings }',
    'state.tagEdits[name] = { todo: Boolean(state.tags[name]?.todo), ...state.tagEdits[name], ...settings }',
  ),
  fault(
    'rejected-edits-shown',
    'CLIENT-DROPPED-01',
    'else thing.edits = {}',
    'else Object.assign(thing, { base: { ...thing.base, ...thing.edits }, edits: {} })',
  ),
]
