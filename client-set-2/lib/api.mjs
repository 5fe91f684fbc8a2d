// The client library: every call of the API, online.
import { createHash } from 'node:crypto';
import { F, H } from './switch.mjs';
import { BytesSink, ClientError, exchange } from './http.mjs';
import { form, json, outgoing, several, deletedValue } from './form.mjs';
import { Listing, incoming } from './listing.mjs';
import { Auth } from './auth.mjs';
import { limit, pause, parseError } from './retry.mjs';

class JsonSink extends BytesSink {
  value = undefined;
  end() {
    const t = this.text();
    if (t.trim() === '') return;
    try { this.value = JSON.parse(t); } catch { if (!F('html-is-empty')) throw new ClientError('unexpected_response', 'the response is no JSON'); }
  }
  failure() { return this.value && typeof this.value === 'object' && typeof this.value.error === 'string' && this.value._id === undefined ? this.value : null; }
}

export class Client {
  constructor(options) {
    let base = options.base_url;
    if (F('base-origin-only')) base = new URL(base).origin + '/v1/';
    this.base = base;
    this.auth = new Auth({ ...options, base });
  }

  // `safe`: true when a repetition does no harm after a lost response.
  async call(path, { method = 'GET', params = [], sink: makeSink = () => new JsonSink(), safe = method === 'GET', jsonBody = null }) {
    let refreshed = 0, attempt = 0;
    for (;;) {
      const token = await this.auth.access();
      const sink = makeSink();
      let error, headers;
      try {
        const r = this.request(path, method, params, token, jsonBody, refreshed);
        const res = await exchange({ ...r, sink });
        headers = res.headers;
        if (F('content-type-exact') && res.good && headers['content-type'] !== 'application/json') throw new ClientError('unexpected_response', 'wrong content type');
        if (F('content-type-json') && res.good && !/^application\/json\b/.test(headers['content-type'] ?? '')) throw new ClientError('unexpected_response', 'wrong content type');
        if (res.good) {
          const o = sink.failure?.() ?? null;
          if (!o || F('error-200-ignored')) return sink;
          error = new ClientError('rejected', String(o.error_description ?? o.error), { status: res.status, code: o.error });
        } else {
          if (F('status-ignored') && res.text.startsWith('{')) { sink.write(Buffer.from('{"pos":0}')); sink.end(); return sink; }
          error = parseError(res, F('error-shows-token') ? ` (${r.headers.authorization})` : F('error-shows-secret') ? ` (client ${this.auth.id} ${this.auth.secret})` : F('error-shows-url') ? ` ${r.url} ${r.body ?? ''} ${token}` : '');
        }
      } catch (e) { if (!(e instanceof ClientError)) throw e; error = e; if (F('error-shows-token')) e.message += ` Bearer ${token}`; }
      const tokenError = error.kind !== 'network' && (F('only-401') ? error.status === 401 : F('only-code') ? error.status === 401 && error.code === 'invalid_token' : error.status === 401 || error.code === 'invalid_grant');
      if (tokenError && (refreshed === 0 || (F('refresh-loop') && refreshed < 40))) {
        if (F('r-no-refresh')) throw error;
        refreshed++;
        await this.auth.refresh(token);
        continue;
      }
      const refused = error.status === 429 || error.status === 503;
      const again = refused ? (error.kind === 'rejected' || safe) : F('retry-400') && error.status === 400 ? true : error.kind === 'network' && safe;
      if (!again || attempt >= limit() || !(await pause(attempt, headers))) {
        if (F('network-as-rejected') && error.kind === 'network') throw new ClientError('rejected', 'failed', { status: 500 });
        throw error;
      }
      attempt++;
    }
  }

  request(path, method, params, token, jsonBody, refreshed) {
    const url = new URL(path, this.base);
    const headers = {};
    let query = method === 'GET' ? [...params] : [], body = method === 'GET' ? null : [...params];
    if (F('post-params-in-query') && body) { query = body.filter(([k]) => ['from', 'skip', 'limit'].includes(k)); body = body.filter(([k]) => !['from', 'skip', 'limit'].includes(k)); }
    if (F('get-upload') && body) { query = body; body = null; method = 'GET'; }
    if (F('refresh-drops-body') && refreshed && body) body = body.filter(([k]) => ['from', 'skip', 'limit'].includes(k));
    if (F('token-in-query')) query.push(['access_token', token]);
    else if (H('token-in-form') && body && !jsonBody) body.push(['access_token', token]);
    else if (H('header-name-value')) headers.authorization = `access_token=${token}`;
    else headers.authorization = F('header-bare-word') ? `Key ${token}` : `Bearer ${token}`;
    if (F('token-two-ways') && body) body.push(['access_token', token]);
    if (F('token-two-ways-get') && method === 'GET') query.push(['access_token', token]);
    if (query.length) url.search = form(query);
    if (body) {
      headers['content-type'] = H('content-type-charset') ? 'application/x-www-form-urlencoded; charset=UTF-8' : H('content-type-case') ? 'Application/X-WWW-Form-URLEncoded' : 'application/x-www-form-urlencoded';
      if (F('post-no-content-type')) delete headers['content-type'];
      if (F('post-json-type')) headers['content-type'] = 'application/json';
      body = form(body);
      if (jsonBody && H('json-body')) { headers['content-type'] = 'application/json'; body = JSON.stringify(jsonBody); }
    }
    return { method, url, headers, body };
  }

  // The pairs of a sync request.
  syncPairs(p) {
    const pairs = [];
    if (p.from !== undefined && !(F('from-zero-dropped') && !p.from)) pairs.push(['from', F('from-rounded') && p.from > 2 ** 31 ? p.from.toExponential(9).replace(/^(.*)e\+(\d+)$/, (m) => String(Math.round(Number(m)))) : String(p.from)]);
    if (p.skip !== undefined && !F('skip-dropped')) pairs.push(['skip', String(F('skip-as-page') && p.limit ? p.skip * p.limit : p.skip)]);
    if (p.limit !== undefined && !(F('limit-zero-dropped') && !p.limit)) pairs.push(['limit', String(p.limit)]);
    if (H('no-paging-order')) pairs.reverse();
    let news = p.new_thing;
    if (news && F('local-id-same')) news = news.map((t) => ({ ...t, local_id: 1 }));
    if (news && F('local-id-index')) news = news.map((t, i) => ({ ...t, local_id: i }));
    if (news && H('local-id-text')) news = news.map((t) => ({ ...t, local_id: String(t.local_id) }));
    pairs.push(...several('new_thing', news, (t) => json(outgoing(t))));
    pairs.push(...several('changed_thing', p.changed_thing, (t) => json(outgoing(t))));
    pairs.push(...several('deleted_thing', p.deleted_thing, deletedValue));
    if (p.skip_id?.length) {
      if (F('skip-id-comma')) pairs.push(['skip_id', p.skip_id.join(',')]);
      else if (F('skip-id-last')) pairs.push(['skip_id', p.skip_id.at(-1)]);
      else if (F('skip-id-quoted')) pairs.push(...p.skip_id.map((x) => ['skip_id', JSON.stringify(x)]));
      else pairs.push(...p.skip_id.map((x) => [p.skip_id.length === 1 ? 'skip_id' : 'skip_id[]', x]));
    }
    const tags = Object.entries(p.tag ?? {});
    if (F('tag-as-map') && tags.length) pairs.push(['tag', JSON.stringify(p.tag)]);
    else for (const [name, s] of tags) {
      const settings = F('tag-color-text') && s.color === false ? { ...s, color: 'false' } : F('tag-todo-text') && s.todo === true ? { ...s, todo: 'strike' } : F('tag-bool-number') ? { ...s, favorite: s.favorite ? 1 : 0 } : s;
      pairs.push([F('tag-name-cut') ? `tag[${name.split(']')[0]}]` : F('tag-name-encoded-twice') ? `tag[${encodeURIComponent(name)}]` : `tag[${name}]`, json(settings)]);
    }
    return pairs;
  }

  // One sync request. Things go to the callbacks if given, otherwise into the result.
  async sync(p, callbacks = null) {
    const upload = ['new_thing', 'changed_thing', 'deleted_thing'].some((k) => p[k]?.length) || Object.keys(p.tag ?? {}).length > 0;
    const method = upload || p.skip_id?.length || H('always-post') ? 'POST' : 'GET';
    // A new thing without an explicit position is not recognized when it comes again.
    const safe = !p.new_thing?.length || p.from !== undefined || F('retry-upload-no-from');
    const jsonBody = method === 'POST' && H('json-body') ? Object.fromEntries(Object.entries(p).filter(([, v]) => v !== undefined && !(v && typeof v === 'object' && !Object.keys(v).length))) : null;
    let changed, deleted;
    const list = await this.call('sync', {
      method, params: this.syncPairs(p), safe, jsonBody,
      sink: () => {
        changed = []; deleted = [];
        callbacks?.start();
        const l = new Listing(callbacks ?? { thing: (t) => changed.push(t), deleted: (d) => deleted.push(d) });
        l.failure = () => (l.members.has('error') && !l.members.has('pos') ? Object.fromEntries(l.members) : null);
        return l;
      },
    });
    if (F('error-200-ignored') && list.members.has('error')) list.members.set('pos', 0);
    if (callbacks) return list;
    const out = { pos: list.pos };
    if (list.members.has('thingCount')) out.thingCount = list.members.get('thingCount');
    if (F('count-nan')) out.thingCount = changed.length;
    if (list.tags) {
      out.tags = F('tags-proto') ? {} : Object.create(null);
      for (const [name, s] of Object.entries(list.tags)) out.tags[name] = F('tag-todo-bool') ? { ...s, todo: Boolean(s.todo) } : s;
    }
    if (list.fresh || changed.length || deleted.length) {
      out.things = {};
      if (list.fresh) {
        out.things.new = F('new-proto') ? {} : Object.create(null);
        for (const [k, id] of Object.entries(list.fresh)) out.things.new[F('new-key-number') && /^\d+$/.test(k) ? Number(k) : F('new-key-trim') ? k.trim() : k] = id;
      }
      if (F('new-as-array') && list.fresh) out.things.new = Object.fromEntries(Object.values(list.fresh).map((id, i) => [p.new_thing[i]?.local_id ?? i, id]));
      if (changed.length) out.things.changed = changed;
      if (deleted.length && !F('deleted-not-reported')) out.things.deleted = deleted;
    }
    return out;
  }

  // Reads a listing without keeping it.
  async list({ from, limit: size }) {
    let hash = createHash('sha256'), count = 0, gone = 0, pos, skip = 0, mark = null;
    const kept = F('list-keeps-all') ? (this.kept = []) : null;
    const cb = {
      start: () => { if (mark && !F('list-retry-counts-twice')) ({ hash, count, gone } = { hash: mark.hash.copy(), count: mark.count, gone: mark.gone }); },
      thing: (t) => { if (F('list-max-1000') && count >= 1000) return; count++; if (F('list-keeps-all')) kept.push({ ...t }); hash.update(`${t._id}\n${t.title}\n`); },
      deleted: () => { if (F('list-deleted-is-thing')) count++; else if (!F('list-deleted-ignored')) gone++; },
    };
    if (F('list-no-paging')) size = undefined;
    for (let page = 0; ; page++) {
      mark = { hash: hash.copy(), count, gone };
      const before = count + gone;
      const p = { from: page && F('list-from-first-only') ? undefined : from, limit: size };
      if (size !== undefined && (skip || H('skip-zero'))) p.skip = skip;
      let list;
      try { list = await this.sync(p, cb); } catch (e) { if (page && F('list-error-is-end')) break; throw e; }
      if (pos === undefined || F('list-last-pos')) pos = list.pos;
      if (size === undefined) break;
      const got = count + gone - before;
      if (got === 0 || (F('list-short-page-ends') && got < size)) break;
      if (!H('pages-until-empty') && count + gone >= list.count) break;
      skip += F('list-skip-by-limit') ? size : F('list-skip-changed') ? count - mark.count : F('list-skip-off-by-one') ? got + 1 : F('list-skip-overlap') ? got - (got > 1 ? 1 : 0) : got;
    }
    const out = { count, deleted: gone, digest: hash.digest('hex'), pos };
    return out;
  }

  token(username, password) { return this.auth.signIn(username, password); }
  refresh() { return this.auth.refresh(); }

  async operation(path, params, method = 'POST', safe = method === 'GET') {
    const pairs = Object.entries(params).filter(([, v]) => v !== undefined).map(([k, v]) => [k, typeof v === 'object' ? JSON.stringify(v) : String(v)]);
    const sink = await this.call(path, { method, params: pairs, safe, jsonBody: method === 'POST' ? params : null });
    return sink.value;
  }
  thingAdd(t) { return this.operation('thing/add', outgoing(t), 'POST', F('retry-thing-add')).then(object); }
  thingChange(t) { const o = outgoing(t); if (F('change-archived-false') && o.archived === undefined) o.archived = false; return this.operation('thing/change', o).then(object); }
  async thingDelete(id) {
    try { return (await this.operation('thing/delete', { _id: id }, F('delete-by-get') ? 'GET' : 'POST')) ?? {}; } catch (e) { if (F('delete-404-swallowed') && e.status === 404) return {}; throw e; }
  }
  async thingsGet() {
    const v = await this.operation('things/get', {}, 'GET');
    if (F('things-get-object')) return v.things.map(incoming);
    if (!Array.isArray(v)) throw new ClientError('unexpected_response', 'no array of things');
    return v.map(incoming);
  }
  tagsGet() { return this.operation('tags/get', {}, 'GET').then(object); }
  userGet() { return this.operation('user/get', {}, 'GET').then(object); }
  async revoke() {
    const t = this.auth.tokens;
    if (!t) throw new ClientError('signed_out', 'not signed in');
    await this.operation('revoke', { token: t.request_token ?? t.access_token, client_id: this.auth.id, client_secret: this.auth.secret });
    if (F('revoke-keeps-tokens')) return;
    this.auth.tokens = null; this.auth.onTokens(null);
  }
}

function object(v) {
  if (!v || typeof v !== 'object' || Array.isArray(v)) throw new ClientError('unexpected_response', 'the response is no object');
  const o = Object.create(null);
  for (const [k, x] of Object.entries(v)) if (x !== null || F('null-kept')) o[k] = x;
  return o;
}
