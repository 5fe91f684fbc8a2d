// A tiny model server, written from the protocol. Options choose among the legal differences; `script` breaks things.
import http from 'node:http';
import zlib from 'node:zlib';

export class Server {
  constructor(o = {}) {
    this.o = { strict: true, echo: false, snapshots: true, retries: true, start: 0, gap: 1, keep: true, refreshOnce: false, dupLocal: 'error', unknown: 'deleted', tagsEvery: true, reverse: false, tombstones: false, future: 'full', ...o };
    this.reset(); this.log = []; this.script = null; this.tokens = new Map(); this.refreshes = new Map(); this.n = 0; this.grants = 0;
  }
  reset() { this.counter = this.o.start; this.things = new Map(); this.gone = new Map(); this.tags = new Map(); this.uploads = new Map(); this.snaps = new Map(); this.idn = this.idn ?? 0; }
  start() { return new Promise((r) => { this.http = http.createServer((q, s) => this.serve(q, s)); this.http.listen(0, '127.0.0.1', () => { this.base = `http://127.0.0.1:${this.http.address().port}${this.o.prefix ?? ''}/v1/`; r(this); }); }); }
  stop() { this.http.closeAllConnections(); this.http.close(); }
  tick() { return (this.counter += this.o.gap); }
  newId() { return this.o.ids?.shift() ?? (this.o.longIds ? 'T'.repeat(190) + String(++this.idn).padStart(10, '0') : (this.idn++ % 2 ? 'a' : 'A') + 'b'.repeat(22) + String(this.idn).padStart(3, '0')); }
  // Edits of another device.
  add(t, id = this.newId()) { this.things.set(id, { t: { _id: id, title: '', tags: '', date: 1700000000, ...t }, pos: this.tick(), by: 'other' }); return id; }
  edit(id, f) { const x = this.things.get(id); Object.assign(x.t, f); for (const k of Object.keys(x.t)) if (x.t[k] === null) delete x.t[k]; x.pos = this.tick(); x.by = 'other'; }
  del(id) { this.things.delete(id); this.gone.set(id, { pos: this.tick(), by: 'other' }); }
  tag(name, s) { this.tags.set(name, { s: { favorite: false, color: false, todo: false, ...this.tags.get(name)?.s, ...s }, pos: this.tick(), by: 'other' }); }
  titles() { return [...this.things.values()].map((x) => x.t.title).sort(); }
  byTitle(title) { return [...this.things.values()].find((x) => x.t.title === title)?.t; }
  out(t) { const o = { ...t }; delete o.todoStatus; if (!o.archived) delete o.archived; if (this.isTodo(t)) o.todoStatus = t.todoStatus ?? false; return this.o.decorate ? this.o.decorate(o) : o; }
  isTodo(t) { return t.tags.split(' ').some((n) => this.tags.get(n)?.s.todo); }

  async serve(q, s) {
    const parts = [];
    for await (const c of q) parts.push(c);
    const body = Buffer.concat(parts).toString('utf8');
    const url = new URL(q.url, 'http://x');
    const path = url.pathname.slice((this.o.prefix ?? '').length + 4);
    const r = { method: q.method, path, query: url.searchParams, form: new URLSearchParams(body), body, headers: q.headers, url: q.url, n: this.log.length };
    this.log.push(r);
    const act = (this.script && this.script(r)) || {};
    if (act.wait) await new Promise((x) => setTimeout(x, act.wait));
    if (act.status && !act.after) return this.send(s, act.status, act.json ?? act.raw ?? { error: 'x', error_description: 'scripted' }, act);
    if (act.reset && !act.after) return q.socket.destroy();
    let status = 200, out;
    try { out = path === 'token' ? this.token(r) : url.pathname.startsWith((this.o.prefix ?? '') + '/v1/') ? this.api(r) : fail(404, 'not_found'); } catch (e) { if (!e.code0) { console.error(e); } status = e.status0 ?? 500; out = { error: e.code0 ?? 'server_error', error_description: e.text ?? e.code0 ?? 'bug' }; }
    r.status = status; r.out = out;
    if (act.hook) await act.hook(out);
    if (act.after && act.reset) return q.socket.destroy();
    if (act.after && act.status) return this.send(s, act.status, act.json, act);
    this.send(s, status, act.map ? act.map(out) : out, act);
  }
  send(s, status, out, act) {
    let text = typeof out === 'string' ? out : act.text ? act.text(out) : JSON.stringify(out);
    let bytes = Buffer.from(text);
    const h = { 'content-type': act.type ?? this.o.type ?? 'application/json', ...act.headers };
    if (this.o.gzip || act.gzip) { bytes = zlib.gzipSync(bytes); h['content-encoding'] = 'gzip'; if (act.cutGzip) bytes = bytes.subarray(0, bytes.length - 12); }
    if (act.cut) { s.writeHead(status, { ...h, 'content-length': bytes.length }); s.write(bytes.subarray(0, Math.floor(bytes.length * act.cut))); setTimeout(() => s.destroy(), 5); return; }
    s.writeHead(status, h);
    const size = act.chunk ?? this.o.chunk;
    if (!size) return s.end(bytes);
    let i = 0;
    const next = () => { if (i >= bytes.length) return s.end(); s.write(bytes.subarray(i, i += size)); setImmediate(next); };
    next();
  }
  issue(session) {
    const k = ++this.n;
    const t = { access_token: `acc-${k}-secret`, expires_in: this.o.expires ?? 3600, request_token: `req-${k}-secret`, token_type: 'bearer', scope: null, ...(this.o.standard ? { refresh_token: `req-${k}-secret` } : {}), ...(this.o.extra ? { extra: 1 } : {}) };
    this.tokens.set(t.access_token, session); this.refreshes.set(t.request_token, session);
    return t;
  }
  token(r) {
    this.grants++;
    const f = r.form;
    if (r.method !== 'POST' || !/urlencoded/i.test(r.headers['content-type'] ?? '')) fail(400, 'invalid_request');
    if (f.get('client_id') !== 'dev' || f.get('client_secret') !== 's3c+r%et') fail(401, 'invalid_client');
    if (f.get('grant_type') === 'password') { if (f.get('username') !== 'alice' || f.get('password') !== 'w&nd=r +é') fail(400, 'invalid_grant'); return this.issue('s' + this.n); }
    if (f.get('grant_type') === 'refresh_token') {
      const s = this.refreshes.get(f.get('refresh_token'));
      if (!s) fail(400, 'invalid_grant');
      if (this.o.refreshOnce) this.refreshes.delete(f.get('refresh_token'));
      return this.issue(s);
    }
    fail(400, 'unsupported_grant_type');
  }
  expire() { this.tokens.clear(); }
  api(r) {
    const a = r.headers.authorization ?? '';
    const given = [/^Bearer (.+)$/.exec(a)?.[1] ?? /^access_token=(.+)$/.exec(a)?.[1], r.query.get('access_token'), r.form.get('access_token')].filter(Boolean);
    let json = {};
    if (/json/.test(r.headers['content-type'] ?? '') && this.o.json) json = JSON.parse(r.body);
    r.ways = given.length;
    if (!given.length) fail(401, 'invalid_request');
    const session = this.tokens.get(given[0]);
    if (!session) fail(this.o.expiredStatus ?? 401, 'invalid_grant', 'The access token provided is invalid');
    const P = r.method === 'GET' ? r.query : r.form;
    if (r.path !== 'sync') for (const [k, v] of Object.entries(json)) P.set(k, String(v));
    if (r.method === 'POST' && !/urlencoded/i.test(r.headers['content-type'] ?? '') && !this.o.json) fail(415, 'unsupported_media_type');
    switch (r.path) {
      case 'sync': return this.sync(r, P, session, json);
      case 'thing/add': { post(r); const t = {}; for (const k of ['title', 'tags', 'url', 'html']) if (P.has(k) || json[k] !== undefined) t[k] = json[k] ?? P.get(k); if (P.has('date')) t.date = Number(P.get('date')); return { ...this.out(this.things.get(this.add(t)).t), note: null }; }
      case 'thing/change': { post(r); const id = json._id ?? P.get('_id'); if (!this.things.has(id)) fail(404, 'not_found'); const t = {}; for (const k of ['title', 'tags', 'url', 'html']) if (P.has(k) || json[k] !== undefined) t[k] = json[k] ?? P.get(k); if (P.has('archived')) t.archived = P.get('archived') === 'true'; if (P.has('todoStatus')) t.todoStatus = P.get('todoStatus') === 'true'; this.edit(id, t); return this.out(this.things.get(id).t); }
      case 'thing/delete': { post(r); const id = json._id ?? P.get('_id'); if (!this.things.has(id)) fail(404, 'not_found'); this.del(id); return { deleted_thing: id }; }
      case 'things/get': return [...this.things.values()].filter((x) => !x.t.archived).map((x) => this.out(x.t));
      case 'tags/get': return { pos: this.counter, favorite: { __p: 1 }, other: JSON.parse('{"__proto__":2}') };
      case 'user/get': return { username: 'alice', date: 1, pos: this.counter, thingCount: this.things.size };
      case 'revoke': this.tokens.clear(); this.refreshes.clear(); return {};
      default: fail(404, 'not_found');
    }
  }
  num(P, k, json) { const v = json[k] ?? P.get(k); if (v === null || v === undefined) return null; if (!/^\d+(\.\d+)?$/.test(String(v))) fail(400, 'parameter_invalid', `${k} must be a number`); return Number(v); }
  items(P, name, plain, json) {
    if (json[name] !== undefined) return [].concat(json[name]);
    const out = [];
    const one = P.get(name);
    if (one !== null) { if (one.startsWith('[')) out.push(...JSON.parse(one)); else out.push(plain ? one : JSON.parse(one)); }
    for (const v of P.getAll(name + '[]')) out.push(plain ? v : JSON.parse(v));
    return out;
  }
  sync(r, P, session, json) {
    const from = this.num(P, 'from', json), skip = this.num(P, 'skip', json), limit = this.num(P, 'limit', json);
    let news = [], changes = [], deletions = [], settings = [];
    if (r.method === 'POST') {
      try { news = this.items(P, 'new_thing', false, json); changes = this.items(P, 'changed_thing', false, json); } catch { fail(400, 'parameter_invalid', 'no JSON'); }
      deletions = this.items(P, 'deleted_thing', true, json);
      for (const [k, v] of P) { const m = /^tag\[(.*)\]$/s.exec(k); if (m) settings.push([m[1], JSON.parse(v)]); }
      if (json.tag) settings.push(...Object.entries(json.tag));
    }
    r.news = news; r.changes = changes; r.deletions = deletions; r.from = from; r.limit = limit; r.skip = skip; r.settings = settings;
    const hide = new Set([...P.getAll('skip_id'), ...P.getAll('skip_id[]'), ...(json.skip_id ?? [])]);
    if (this.o.maxItems && news.length + changes.length + deletions.length > this.o.maxItems) fail(413, 'too_large');
    for (const t of [...news, ...changes]) {
      if (typeof t.title !== 'string') fail(400, 'parameter_invalid', 'title');
      for (const k of ['archived', 'todoStatus']) if (t[k] !== undefined && typeof t[k] !== 'boolean') fail(400, 'parameter_invalid', k);
      for (const k of ['tags', 'url', 'html']) if (t[k] !== undefined && typeof t[k] !== 'string') fail(400, 'parameter_invalid', k);
      if (t.date !== undefined && typeof t.date !== 'number') fail(400, 'parameter_invalid', 'date');
      if (this.o.refuse?.(t)) fail(this.o.refuseStatus ?? 400, 'parameter_invalid', 'refused');
    }
    for (const [, s] of settings) { for (const k of ['favorite', 'todo']) if (s[k] !== undefined && typeof s[k] !== 'boolean' && !(k === 'todo' && this.o.todoText && typeof s[k] === 'string')) fail(400, 'parameter_invalid', k); if (s.color !== undefined && s.color !== false && !/^#[0-9a-f]{3,6}$/i.test(s.color)) fail(400, 'parameter_invalid', 'color'); }
    for (const t of news) if (t.local_id === undefined) fail(400, 'parameter_invalid', 'local_id');
    if (new Set(news.map((t) => String(t.local_id))).size < news.length && this.o.dupLocal === 'error') fail(400, 'parameter_invalid', 'local_id');
    for (const t of changes) if (typeof t._id !== 'string' || (this.o.unknown === 'error' && !this.things.has(t._id))) fail(404, 'not_found');
    for (const d of deletions) if (this.o.unknown === 'error' && !this.things.has(d)) fail(404, 'not_found');
    const ids = Object.create(null), mine = new Set(), listGone = [];
    const fields = (t, x, isNew) => { const o = isNew || this.o.keep ? x : { _id: x._id, title: '', tags: '', date: x.date }; for (const k of ['title', 'tags', 'date', 'url', 'html', 'todoStatus']) if (t[k] !== undefined && t[k] !== null) o[k] = t[k]; o.archived = t.archived === true; for (const k of ['url', 'html']) if (o[k] === '') delete o[k]; return o; };
    for (const t of news) {
      const key = `${session} ${from} ${t.local_id}`;
      const known = this.o.retries && (P.has('from') || json.from !== undefined) ? this.uploads.get(key) : undefined;
      if (known) { ids[t.local_id] = known; if (this.things.has(known)) { const x = this.things.get(known); x.t = fields(t, x.t); x.pos = this.tick(); x.by = session; } else listGone.push(known); mine.add(known); continue; }
      if (ids[t.local_id] && this.o.dupLocal === 'last') this.things.delete(ids[t.local_id]);
      const id = this.newId();
      this.things.set(id, { t: fields(t, { _id: id, tags: '', date: 1234567 }, true), pos: this.tick(), by: session });
      ids[t.local_id] = id; mine.add(id); this.uploads.set(key, id);
    }
    for (const t of changes) { const x = this.things.get(t._id); if (!x) { if (this.o.unknown === 'revive') { this.gone.delete(t._id); this.things.set(t._id, { t: fields(t, { _id: t._id, title: '', tags: '', date: 0 }, true), pos: this.tick(), by: session }); } else listGone.push(t._id); continue; } if (from !== null && x.by !== session && x.pos > from) x.other = x.pos; x.t = fields(t, x.t); x.pos = this.tick(); x.by = session; mine.add(t._id); }
    for (const d of deletions) { if (this.things.delete(d)) this.gone.set(d, { pos: this.tick(), by: session }); mine.add(d); }
    for (const [n, s] of settings) { const old = this.tags.get(n)?.s ?? { favorite: false, color: false, todo: false }; const v = { ...old, ...s }; if (v.todo === true) v.todo = this.o.todoAs ?? 'strike'; this.tags.set(n, { s: v, pos: this.tick() }); }
    const full = !from || (from > this.counter && this.o.future === 'full');
    const after = full ? -1 : from;
    let snap;
    const key = `${session} ${from}`;
    if (limit !== null && skip && this.o.snapshots) snap = this.snaps.get(key);
    if (!snap) {
      let list = [...this.things.values()].filter((x) => x.pos > after && (this.o.echo || !mine.has(x.t._id) || (x.other ?? 0) > after)).sort((a, b) => a.pos - b.pos).map((x) => ({ c: this.out(x.t) }));
      if (this.o.reverse) list.reverse();
      if (!full || this.o.tombstones) for (const [d, g] of this.gone) if (g.pos > after && (this.o.echo || !mine.has(d))) list.push({ d });
      const tags = [...this.tags].filter(([, x]) => (full ? x.s.favorite || x.s.color || x.s.todo : x.pos > after)).map(([n, x]) => [n, x.s]);
      snap = { list, tags, pos: this.counter };
      if (limit !== null && this.o.snapshots) this.snaps.set(key, snap);
    }
    let list = snap.list.filter((x) => !hide.has(x.c?._id ?? x.d));
    for (const d of listGone) list.push({ d });
    const total = list.length + Object.keys(ids).length;
    if (skip) list = list.slice(skip);
    if (limit !== null) list = list.slice(0, this.o.pageCap ? Math.min(limit, this.o.pageCap) : limit);
    const out = this.o.posLast ? {} : { pos: snap.pos };
    const changed = list.filter((x) => x.c).map((x) => x.c), gone = list.filter((x) => x.d).map((x) => x.d);
    if (total) out.thingCount = total;
    if (snap.tags.length && (this.o.tagsEvery || !skip)) { out.tags = Object.create(null); for (const [n, s] of snap.tags) out.tags[n] = s; }
    if (this.o.nulls) { out.tags ??= null; out.hint = { changed: [{ _id: 'zz', title: 'no thing' }] }; }
    const things = {};
    if (this.o.goneFirst && gone.length) things.deleted = gone;
    if (news.length) { things.new = ids; if (this.o.reverse || this.o.reverseNew) { things.new = Object.create(null); for (const k of Object.keys(ids).reverse()) things.new[k] = ids[k]; } }
    if (changed.length) things.changed = changed;
    if (gone.length) things.deleted = gone;
    if (Object.keys(things).length) out.things = things; else if (this.o.nulls) out.things = null;
    if (this.o.posLast) out.pos = snap.pos;
    return out;
  }
}
function fail(status0, code0, text) { throw Object.assign(new Error(code0), { status0, code0, text }); }
function post(r) { if (r.method !== 'POST') fail(405, 'method_not_allowed'); }
