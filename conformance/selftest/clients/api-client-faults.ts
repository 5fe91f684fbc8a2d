/**
 * The faults of the self-test for clients in the profile `api`, and what a fault is. Each fault is `right-client.mjs`
 * with one piece of its text replaced, and names the rule that must find it.
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

/** Writes down one fault. */
export const fault = (id: string, rule: string, from: string, to: string): ClientFault => ({ id, rule, from, to })

const readBody = 'text = await response.text()'
const onlyExpired = "if (error.code !== 'invalid_grant') throw error"
const lostInSend = "throw new ClientError('network', String(error.cause ?? error))\n      }\n      const waitMs"
const writeThing = '[]`, asText(each)])'
const writeSettings = '...Object.entries(tag).map(([name, settings]) => ['
const dropNulls = 'Object.entries(value).filter(([, member]) => member !== null)'

/** A client that replaces the dates of a listing. */
const roundedDates = (date: string): string =>
  `for (const each of body.things?.changed ?? []) each.date = ${date}\n    return withoutNulls(body)`

/** A client that follows redirects on this condition. */
const following = (condition: string): string =>
  `if (${condition}) {
        url.href = new URL(response.headers.get('location'), url).href
        continue
      }
      const waitMs = readRetryAfter(response)`

/** Every faulty client of the profile `api`. */
export const apiClientFaults: readonly ClientFault[] = [
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
  fault('short-page-ends-the-list', 'CLIENT-LIST-08', 'skip === before ||', 'skip < before + limit ||'),
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
    "if (error.kind !== 'rejected' || error.isTemporary || error.status >= 500) throw error\n      pair = undefined",
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
  fault(
    'false-taken-for-absent',
    'CLIENT-VALUE-07',
    dropNulls,
    'Object.entries(value).filter(([, member]) => member !== null && member !== false)',
  ),
  fault(
    'created-ids-by-order',
    'CLIENT-VALUE-07',
    'return withoutNulls(body)',
    `if (body.things?.new) {
      const sent = parameters.new_thing.map((each, index) => [each.local_id, Object.values(body.things.new)[index]])
      body.things.new = Object.fromEntries(sent)
    }
    return withoutNulls(body)`,
  ),
  fault(
    'upload-dropped-with-a-token',
    'CLIENT-REFRESH-12',
    onlyExpired,
    `${onlyExpired}\n      if (request.form !== undefined) return { pos: 0 }`,
  ),
  fault(
    'cut-gzip-completed',
    'CLIENT-READ-10',
    readBody,
    `const decoder = new TextDecoder()
      text = ''
      for await (const each of response.body ?? []) text += decoder.decode(each, { stream: true })
      if (!text.endsWith('}')) text = text.slice(0, text.lastIndexOf('},{')) + '}]}}'`,
  ),
  fault(
    'chunks-decoded-alone',
    'CLIENT-READ-11',
    'splitListing(response.body, take)',
    `splitListing(
          response.body.pipeThrough(
            new TransformStream({
              transform: (chunk, to) => to.enqueue(new TextEncoder().encode(new TextDecoder().decode(chunk))),
            }),
          ),
          take,
        )`,
  ),
  fault(
    'dates-as-whole-seconds',
    'CLIENT-VALUE-08',
    'return withoutNulls(body)',
    roundedDates('Math.trunc(each.date)'),
  ),
  fault('dates-of-32-bits', 'CLIENT-VALUE-08', 'return withoutNulls(body)', roundedDates('each.date % 2 ** 32')),
  fault(
    'dates-of-things-get-rounded',
    'CLIENT-VALUE-08',
    '{ items: body }',
    '{ items: body.map((each) => ({ ...each, date: Math.round(each.date) })) }',
  ),
  fault(
    'urls-normalized',
    'CLIENT-VALUE-09',
    'return withoutNulls(body)',
    `for (const each of body.things?.changed ?? []) if (URL.canParse(each.url)) each.url = new URL(each.url).href
    return withoutNulls(body)`,
  ),
  fault(
    'colors-in-lower-case',
    'CLIENT-VALUE-09',
    'return withoutNulls(body)',
    `for (const each of Object.values(body.tags ?? {})) if (each.color) each.color = each.color.toLowerCase()
    return withoutNulls(body)`,
  ),
  fault('position-zero-taken-for-none', 'CLIENT-VALUE-09', "typeof body.pos !== 'number'", '!body.pos'),
  fault(
    'dates-rounded-by-operations',
    'CLIENT-UPLOAD-12',
    'return [[name, String(value)]]',
    "return [[name, String(name === 'date' ? Math.floor(value) : value)]]",
  ),
  fault('names-without-brackets', 'CLIENT-UPLOAD-13', writeThing, '`, asText(each)])'),
  fault(
    'ids-joined-by-commas',
    'CLIENT-UPLOAD-13',
    'if (!Array.isArray(value)) return',
    "if (name === 'deleted_thing') return [[name, value.join(',')]]\n        if (!Array.isArray(value)) return",
  ),
  fault(
    'limit-added-to-skip',
    'CLIENT-SYNC-05',
    'const form = toForm(parameters)',
    "const form = toForm('skip' in parameters ? { limit: 1000, ...parameters } : parameters)",
  ),
  fault(
    'archived-false-with-each-change',
    'CLIENT-OPERATION-05',
    "call('thing/change', { form: toForm(thing) })",
    "call('thing/change', { form: toForm({ archived: false, ...thing }) })",
  ),
  fault(
    'tags-with-each-addition',
    'CLIENT-OPERATION-05',
    "call('thing/add', { form: toForm(thing) })",
    "call('thing/add', { form: toForm({ tags: '', ...thing }) })",
  ),
  fault(
    'location-unchecked',
    'CLIENT-REDIRECT-01',
    'const waitMs = readRetryAfter(response)',
    following("[302, 307, 308].includes(response.status) && new URL(response.headers.get('location')) === url"),
  ),
  fault(
    'redirects-without-end',
    'CLIENT-REDIRECT-02',
    'const waitMs = readRetryAfter(response)',
    following('response.status === 302 && count < 80'),
  ),
  fault(
    'another-port-trusted',
    'CLIENT-SECRET-04',
    'const waitMs = readRetryAfter(response)',
    following(
      "response.status === 307 && new URL(response.headers.get('location')).hostname === url.hostname && count < 5",
    ),
  ),
  fault(
    'first-redirect-checked-only',
    'CLIENT-SECRET-04',
    'const waitMs = readRetryAfter(response)',
    following(
      "response.status === 307 && (count > 0 || new URL(response.headers.get('location')).origin === url.origin)",
    ),
  ),
  fault(
    'validity-in-milliseconds',
    'CLIENT-REFRESH-13',
    '    return pair.access_token\n',
    `    pair.at ??= Date.now()
    if (Date.now() - pair.at > pair.expires_in * 0.9) await obtain(refreshNow)
    return pair.access_token\n`,
  ),
  fault(
    'timer-above-its-maximum',
    'CLIENT-REFRESH-13',
    '    saveTokens(pair)\n    return body',
    '    saveTokens(pair)\n    setTimeout(() => obtain(refreshNow).catch(() => {}), body.expires_in * 900).unref()\n    return body',
  ),
  fault('session-ends-with-status-500', 'CLIENT-REFRESH-09', ' || error.status >= 500) throw error', ') throw error'),
  fault('password-instead-of-a-refresh', 'CLIENT-REFRESH-14', 'await obtain(refreshNow)\n', 'await obtain(signIn)\n'),
  fault(
    'date-required-in-retry-after',
    'CLIENT-WAIT-06',
    'Math.max(0, Date.parse(text) -',
    'Math.max(0, Date.parse(new Date(text).toISOString()) -',
  ),
  fault(
    'rejections-repeated',
    'CLIENT-ERROR-10',
    '(response.status !== 429 && response.status !== 503)',
    '(response.status < 402)',
  ),
  fault(
    'rejected-changes-taken-for-success',
    'CLIENT-OPERATION-06',
    "call('thing/change', { form: toForm(thing) })",
    `call('thing/change', { form: toForm(thing) }).catch((error) => {
        if (error.code === 'invalid_grant' || error.status !== 409) throw error
        return thing
      })`,
  ),
  fault(
    'no-json-taken-for-an-empty-list',
    'CLIENT-OPERATION-06',
    'const body = await call(path, {})',
    'const body = await call(path, {}).catch(() => [])',
  ),
  fault(
    'errors-by-status-only',
    'CLIENT-OPERATION-09',
    "if (typeof body?.error === 'string')",
    "if (typeof body?.error === 'string' && (response.status >= 400 || /sync|token/.test(response.url)))",
  ),
  fault(
    'line-ends-normalized-by-operations',
    'CLIENT-OPERATION-07',
    'return [[name, String(value)]]',
    "return [[name, String(value).replaceAll('\\r\\n', '\\n')]]",
  ),
  fault(
    'ids-as-numbers',
    'CLIENT-OPERATION-07',
    "form: [['_id', _id]]",
    "form: [['_id', /^\\d+$/.test(_id) ? String(Number(_id)) : _id]]",
  ),
  fault(
    'redirected-change-taken-for-success',
    'CLIENT-OPERATION-08',
    "call('thing/change', { form: toForm(thing) })",
    `call('thing/change', { form: toForm(thing) }).catch((error) => {
        if (error.status !== 302) throw error
        return thing
      })`,
  ),
  fault(
    'change-dropped-with-a-token',
    'CLIENT-OPERATION-08',
    onlyExpired,
    `${onlyExpired}\n      if (path === 'thing/change') return {}`,
  ),
]
