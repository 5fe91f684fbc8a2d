// An offline replica: it holds everything in a folder, records edits at once, and syncs.
import { randomBytes } from 'node:crypto';
import { F, H, sleep, timing } from './switch.mjs';
import { ClientError } from './http.mjs';
import { Client } from './api.mjs';
import { Store } from './store.mjs';
import { EDITABLE, complete, settingsOf, settingsUpload, shown, view } from './model.mjs';

const PAGE = () => (H('page-1') ? 1 : H('page-1000') ? 1000 : H('unpaged') ? undefined : 100);
const BATCH = () => (H('one-edit-per-request') ? 1 : H('batch-200') ? 200 : 50);

export class Replica {
  constructor(options) {
    this.options = options;
    this.things = new Map();      // k → entity
    this.byId = new Map();        // _id → entity
    this.tags = new Map();        // name → { base, sent, patch }
    this.lost = []; this.pos = null; this.outbox = null; this.error = null;
    this.next = 1; this.name = randomBytes(4).toString('hex'); this.lid = 1;
    this.batch = BATCH(); this.dirty = new Set(); this.meta = []; this.queue = Promise.resolve(); this.stored = null; this.seed = null;
    this.store = new Store(options.folder);
  }

  open() {
    const fresh = this.name;
    this.name = null;
    this.store.open((r) => this.replay(r));
    if (!this.name) { this.name = fresh; this.store.append([{ op: 'name', name: fresh }]); }
    const o = this.options;
    let tokens = this.stored;
    if (o.tokens && o.tokens.access_token !== this.seed) {
      tokens = { ...o.tokens, at: Date.now() };
      this.store.append([{ op: 'seed', seed: o.tokens.access_token }, { op: 'tokens', tokens }]);
    }
    this.client = new Client({ ...o, tokens: tokens ?? undefined });
    // A new pair is on the disk before it is used: with its first use the old one may end.
    this.client.auth.onTokens = (t) => {
      if (F('r-tokens-not-stored') && this.stored) return;
      this.stored = t;
      if (F('r-tokens-stored-late')) { setTimeout(() => { try { this.store.append([{ op: 'tokens', tokens: t }]); } catch {} }, 800); return; }
      this.store.append([{ op: 'tokens', tokens: t }]);
      if (!t && F('r-signed-out-wipes')) { for (const e of this.things.values()) { e.patch = e.id ? null : e.patch; if (e.id) this.touch(e); else this.remove(e); } this.commit(); }
      if (!t && F('r-signed-out-empties')) { for (const e of [...this.things.values()]) this.remove(e); this.set('pos', null); this.outbox = null; this.commit(); }
    };
    return this;
  }

  // ---- the journal ----
  replay(r) {
    if (r.op === 'thing') {
      const old = this.things.get(r.e.k);
      if (F('r-ack-not-stored') && r.acked && old?.sent) { old.patch = { ...old.sent, ...old.patch }; old.sent = null; old.lid = undefined; return; }
      if (old?.id) this.byId.delete(this.key(old.id));
      this.things.set(r.e.k, r.e);
      if (r.e.id) this.byId.set(this.key(r.e.id), r.e);
      r.e.ref = 'r' + r.e.k;
      this.next = Math.max(this.next, r.e.k + 1);
    } else if (r.op === 'gone') {
      const e = this.things.get(r.k);
      if (e) { this.things.delete(r.k); if (e.id) this.byId.delete(this.key(e.id)); }
      this.next = Math.max(this.next, r.k + 1);
    } else if (r.op === 'tag') this.tags.set(r.name, r.t);
    else if (r.op === 'no-tag') this.tags.delete(r.name);
    else if (r.op === 'lost') this.lost.push(r.lost);
    else if (r.op === 'tokens') this.stored = r.tokens;
    else if (r.op === 'outbox') {
      this.outbox = F('r-outbox-in-memory') ? null : r.outbox;
      if (F('r-outbox-in-memory') && r.outbox) this.forgotten = r.outbox;
    } else this[r.op] = r[r.op];          // pos, lid, name, seed
    if (r.op === 'outbox' && F('r-outbox-in-memory')) for (const e of this.things.values()) if (e.sent) { e.patch = { ...e.sent, ...e.patch }; e.sent = null; e.lid = undefined; }
  }
  key(id) { return F('r-id-case') ? id.toLowerCase() : F('r-id-24') ? id.slice(0, 24) : id; }
  touch(e) { this.dirty.add(e); }
  set(op, value) { this[op] = value; this.meta.push({ op, [op]: value }); }
  commit(acked = false) {
    const out = [];
    for (const e of this.dirty) {
      if (!this.things.has(e.k)) out.push({ op: 'gone', k: e.k });
      else { const { ref, ...rest } = e; out.push(acked ? { op: 'thing', e: rest, acked } : { op: 'thing', e: rest }); }
    }
    out.push(...this.meta);
    this.dirty.clear(); this.meta = [];
    this.store.append(out);
  }
  everything() {
    const out = [{ op: 'name', name: this.name }, { op: 'lid', lid: this.lid }, { op: 'pos', pos: this.pos }, { op: 'tokens', tokens: this.stored }, { op: 'seed', seed: this.seed }];
    for (const e of this.things.values()) { const { ref, ...rest } = e; out.push({ op: 'thing', e: rest }); }
    for (const [name, t] of this.tags) out.push({ op: 'tag', name, t });
    for (const l of this.lost) out.push({ op: 'lost', lost: l });
    out.push({ op: 'outbox', outbox: this.outbox });
    return out;
  }
  add(fields) { const k = this.next++; const e = { k, ref: 'r' + k, id: null, base: null, sent: null, patch: null, del: false, ...fields }; this.things.set(k, e); if (e.id) this.byId.set(this.key(e.id), e); this.touch(e); return e; }
  remove(e) { this.things.delete(e.k); if (e.id && this.byId.get(this.key(e.id)) === e) this.byId.delete(this.key(e.id)); this.touch(e); }
  report(e, title, reason) {
    if (F('r-lost-not-reported')) return;
    const lost = { title: F('r-lost-server-title') ? (e?.base?.title ?? '') : title, _id: e?.id ?? null, reason };
    if (F('r-lost-once') && this.lost.length) return;
    this.lost.push(lost);
    if (!F('r-lost-in-memory')) this.meta.push({ op: 'lost', lost });
  }

  // ---- edits ----
  byRef(ref) {
    const e = [...(F('r-ref-changes') ? [...this.things.values()].filter((x) => (x.id ?? x.ref) === ref) : [this.things.get(Number(String(ref).slice(1)))])][0];
    if (!e || e.del) throw new ClientError('rejected', 'no such thing here', { code: 'not_found' });
    return e;
  }
  pick(members, isNew) {
    const out = {};
    for (const k of EDITABLE) if (members[k] !== undefined && members[k] !== null) out[k] = members[k];
    if (F('r-edit-falsy') && !isNew) for (const k of Object.keys(out)) if (!out[k]) delete out[k];
    if (F('r-tags-dedupe') && out.tags) out.tags = [...new Set(out.tags.split(' '))].join(' ');
    if (F('r-tags-reordered') && out.tags) out.tags = out.tags.split(' ').reverse().join(' ');
    if (F('r-tags-lower') && out.tags) out.tags = out.tags.toLowerCase();
    if (F('r-title-one-line') && out.title) out.title = out.title.replace(/\s+/g, ' ');
    if (F('r-url-normalized') && out.url) try { out.url = new URL(out.url).href; } catch {}
    if (F('r-html-sanitized') && out.html) out.html = out.html.replace(/<script[^>]*>.*?<\/script>/gs, '');
    if (F('r-html-stripped') && out.html) out.html = out.html.replace(/<[^>]*>/g, '');
    if (F('r-title-empty') && out.title === '') out.title = 'Untitled';
    if (F('r-date-int') && out.date !== undefined) out.date = Math.round(out.date);
    return out;
  }
  create(members) {
    const t = this.pick(members, true);
    const now = Math.floor(Date.now() / 1000);
    if (F('r-date-now')) t.date = now; else if (F('r-date-falsy')) t.date ||= now; else if (F('r-date-ms')) t.date ??= Date.now(); else if (!F('r-no-date')) t.date ??= now;
    t.tags ??= '';
    const e = this.add({ patch: t });
    if (F('r-create-not-stored')) { this.dirty.clear(); return e.ref; }
    this.commit();
    return e.ref;
  }
  change(ref, members) {
    const e = this.byRef(ref);
    const p = this.pick(members, false);
    if (F('r-second-edit-replaces') && e.id) e.patch = { ...p };
    else if (F('r-first-edit-wins') && e.patch && e.id) e.patch = { ...p, ...e.patch };
    else e.patch = { ...e.patch, ...p };
    if (F('r-edit-under-way-merged') && e.sent) { e.sent = { ...e.sent, ...e.patch }; e.patch = null; }
    this.touch(e);
    if (F('r-change-not-stored')) { this.dirty.clear(); return; }
    this.commit();
  }
  delete(ref) {
    const e = this.byRef(ref);
    if (!e.id && !e.sent && !F('r-delete-new-uploaded')) this.remove(e);
    else { e.del = true; this.touch(e); }
    if (F('r-delete-local-only')) { e.del = false; this.remove(e); }
    if (F('r-delete-under-way-lost') && e.sent && !e.id) { this.remove(e); }
    if (F('r-delete-not-stored')) { this.dirty.clear(); return; }
    this.commit();
  }
  setTag(name, settings) {
    const t = this.tags.get(name) ?? { base: null, sent: null, patch: null };
    const p = {};
    for (const k of ['favorite', 'color', 'todo']) if (settings[k] !== undefined && settings[k] !== null) p[k] = settings[k];
    t.patch = F('r-tag-second-replaces') ? p : { ...t.patch, ...p };
    this.tags.set(name, t);
    if (F('r-tag-not-stored')) return;
    this.store.append([{ op: 'tag', name, t }]);
  }

  // ---- reading ----
  settings() { const m = new Map(); for (const [name, t] of this.tags) m.set(name, settingsOf(t)); return m; }
  read() {
    const settings = this.settings();
    let all = [...this.things.values()].filter((e) => !e.del || F('r-read-deleted'));
    if (F('r-read-no-new')) all = all.filter((e) => e.id);
    if (F('r-read-no-archived')) all = all.filter((e) => !view(e).archived);
    const things = all.map((e) => { const o = shown(e, settings); if (F('r-ref-changes') && e.id) o.ref = e.id; return o; });
    const tags = F('r-tags-proto') ? {} : Object.create(null);
    for (const [name, s] of settings) tags[name] = s;
    return { things, tags };
  }
  state() {
    let pending = 0;
    for (const e of this.things.values()) if (e.patch || e.del || (e.sent && !F('r-pending-without-sent'))) pending++;
    if (F('r-pending-new-only')) pending = [...this.things.values()].filter((e) => !e.id).length;
    if (F('r-pending-no-deletions')) pending = [...this.things.values()].filter((e) => e.patch || e.sent).length;
    if (!F('r-pending-no-tags')) for (const t of this.tags.values()) if (t.patch || t.sent) pending++;
    const e = F('r-error-not-kept') ? null : this.error;
    return { pending: F('r-pending-zero') ? 0 : pending, lost: this.lost, error: e };
  }

  // ---- sync ----
  sync() {
    if (F('r-sync-parallel')) return this.guard();
    if (F('r-sync-joins') && this.busy) return Promise.resolve();
    const run = () => this.guard();
    const p = this.queue.then(run, run);
    this.queue = p.catch(() => {});
    return p;
  }
  async guard() {
    this.busy = true;
    try { await this.run(); this.error = null; } catch (e) {
      if (this.store.fd === null && e.message === 'the replica is closed') throw e;
      this.dirty.clear(); this.meta = [];
      this.error = { kind: e.kind ?? 'internal', status: e.status, code: e.code, message: e.message };
      if (F('r-error-clears-edits') && e.kind === 'network') { this.dropEdits(); }
      if (F('r-error-swallowed') || (F('r-network-swallowed') && e.kind === 'network') || (F('r-html-swallowed') && e.kind === 'unexpected_response')) return;
      throw e;
    } finally { this.busy = false; }
  }
  dropEdits() { for (const e of [...this.things.values()]) { if (!e.id) this.remove(e); else if (e.patch || e.sent) { e.patch = e.sent = null; this.touch(e); } } this.set('outbox', null); this.commit(); }

  async run() {
    if (F('r-retry-after-download') && this.outbox) { await this.download(); this.outbox.from = this.pos; }
    if (this.outbox) await this.upload();                       // again, exactly as before
    const before = F('r-edit-during-download-lost') ? new Map([...this.things.values()].map((e) => [e.k, e.patch])) : null;
    if (!(H('upload-first') && this.pos !== null && this.onlyNew())) await this.download(H('full-each-time'));
    if (before) for (const e of this.things.values()) if (e.id && e.patch !== before.get(e.k)) { e.patch = before.get(e.k) ?? null; this.touch(e); }
    let sent = 0;
    for (; sent < 10000 && this.prepare(); sent++) { await this.upload(); if (F('r-first-batch-only') || F('r-new-stays-new') || F('r-delete-kept-pending')) break; }
    if (this.needFull) { await this.download(true); this.needFull = false; }
    if (sent && H('download-after-upload')) await this.download();
    this.store.compact(this.everything());
  }
  onlyNew() { const w = [...this.things.values()].filter((e) => e.patch || e.del); return w.length > 0 && w.every((e) => !e.id) && ![...this.tags.values()].some((t) => t.patch); }

  // Takes a batch of edits into the outbox. It stays there, unchanged, until a response comes.
  prepare() {
    if (this.outbox) return true;
    const items = [], tags = [], settings = this.settings();
    let bytes = 0, full = false;
    let pending = [...this.things.values()].filter((e) => e.del || e.patch);
    pending.sort((a, b) => rank(a) - rank(b));
    for (const e of pending) {
      if (items.length >= this.batch || bytes > 200000) { full = true; break; }
      if (e.del && !e.id && !F('r-delete-new-uploaded')) { this.remove(e); continue; }
      if (e.del && (e.id || F('r-delete-new-uploaded'))) { if (e.patch) e.patch = null; items.push({ k: e.k, type: 'delete', id: e.id ?? e.lid ?? `local${e.k}` }); this.touch(e); continue; }
      if (!e.id || (F('r-id-ignored') && e.lid)) {
        if (H('local-id-per-request')) e.lid = undefined;
        e.lid ??= F('r-local-id-title') ? e.patch.title : F('r-local-id-time') ? String(Math.floor(Date.now() / 1000)) : H('local-id-number') ? this.lid : H('local-id-long') ? `${this.name}-${'x'.repeat(100)}-${this.lid}` : H('local-id-per-request') ? `n${items.length}` : `${this.name}-${this.lid}`;
        this.set('lid', this.lid + 1);
        items.push({ k: e.k, type: 'new', body: { local_id: e.lid, ...complete(e, settings, true) } });
      } else items.push({ k: e.k, type: 'change', body: { _id: F('r-change-by-local-id') && e.lid ? e.lid : e.id, ...complete(e, settings, false) } });
      bytes += JSON.stringify(items.at(-1)).length;
      e.sent = e.patch; e.patch = null;
      this.touch(e);
    }
    if (F('r-batch-drops-rest') && full) for (const e of pending) if (e.patch) { e.patch = null; if (!e.id) this.remove(e); else this.touch(e); }
    if (!full && !(H('tags-alone') && items.length) && !(F('r-tags-need-things') && !items.length)) for (const [name, t] of this.tags) {
      if (!t.patch || tags.length + items.length >= this.batch) continue;
      tags.push([name, settingsUpload(t)]);
      t.sent = t.patch; t.patch = null;
      this.meta.push({ op: 'tag', name, t });
    }
    if (!items.length && !tags.length) return false;
    this.set('outbox', { from: this.pos ?? 0, items, tags });
    if (F('r-outbox-before-response')) { for (const it of items) { const e = this.things.get(it.k); e.base = { ...e.base, ...e.sent }; e.sent = null; if (it.type === 'delete') this.remove(e); } this.commit(); return true; }
    this.commit();
    return true;
  }

  async upload() {
    const box = this.outbox;
    const of = (type) => box.items.filter((x) => x.type === type);
    const p = { from: F('r-upload-without-from') ? undefined : box.from, new_thing: of('new').map((x) => x.body), changed_thing: of('change').map((x) => x.body), deleted_thing: of('delete').map((x) => x.id), tag: Object.assign(Object.create(null), Object.fromEntries(box.tags.map(([n, s]) => [n, s]))) };
    for (const [n, s] of box.tags) p.tag[n] = s;
    if (F('r-upload-limit')) p.limit = 1;
    if (F('r-batch-local-ids-clash')) p.new_thing.forEach((t, i) => { t.local_id = String(i % 10); });
    if (F('r-changes-not-sent')) p.changed_thing = p.changed_thing.slice(0, 1);
    let changed = [], deleted = [], list;
    const cb = { start: () => { changed = []; deleted = []; }, thing: (t) => changed.push(t), deleted: (d) => deleted.push(d) };
    try { list = await this.client.sync(p, cb); } catch (e) {
      if (F('r-upload-error-ends')) { this.acknowledge(box, {}, new Set()); this.set('outbox', null); this.commit(); return; }
      if (F('r-503-clears') && e.status === 503) { this.dropEdits(); throw e; }
      const refused = e.kind === 'rejected' && e.status >= 200 && e.status < 500 && ![401, 403, 408, 429].includes(e.status) && e.code !== 'invalid_grant';
      const fresh = F('r-retry-new-ids') || F('r-retry-rebuilt');
      if (!refused || F('r-poison')) { if (fresh) { this.unsend(box, F('r-retry-new-ids')); } throw e; }
      this.refused(box, e);
      return;
    }
    const ids = list.fresh ?? {};
    for (const it of of('new')) if (typeof own(ids, it.body.local_id) !== 'string' && !F('r-new-by-order')) throw new ClientError('unexpected_response', 'the response does not name a new thing');
    this.batch = Math.min(BATCH(), this.batch * 2);
    const gone = new Set(deleted);
    if (F('r-listing-before-ids')) this.apply(changed, [], null, box);
    if (F('r-deleted-before-ids')) this.apply([], deleted, null, box);
    this.acknowledge(box, ids, gone);
    const later = H('upload-position-unused');
    if (!F('r-upload-response-ignored')) this.apply(F('r-upload-changes-ignored') ? [] : changed, F('r-upload-deletions-ignored') ? [] : deleted, F('r-upload-tags-ignored') ? null : list.tags, box);
    this.set('outbox', null);
    if (!later) this.advance(list.pos, box.from);
    this.commit(F('r-ack-not-stored'));
  }
  advance(pos, from) {
    if (from !== null && pos < from) {
      if (F('r-pos-max') || F('r-pos-back-ignored')) return;
      if (!F('r-back-no-full')) this.needFull = true;
    }
    this.set('pos', F('r-pos-plus-one') ? pos + 1 : F('r-pos-calculated') ? pos + this.things.size : pos);
  }
  acknowledge(box, ids, gone) {
    let n = 0;
    const values = Object.values(ids);
    for (const it of box.items) {
      const e = this.things.get(it.k);
      if (!e) { if (F('r-delete-under-way-lost')) n++; continue; }
      if (it.type === 'delete') {
        if (F('r-delete-kept-pending')) { continue; }
        this.remove(e);
        continue;
      }
      const sent = F('r-edit-under-way-lost') ? { ...e.sent, ...e.patch } : e.sent;
      if (F('r-edit-under-way-lost')) e.patch = null;
      e.base = { ...e.base, ...sent };
      for (const k of ['url', 'html']) if (e.base[k] === '') delete e.base[k];
      e.sent = null;
      if (it.type === 'new') {
        const id = F('r-new-by-order') ? values[n++] : own(ids, it.body.local_id);
        if (id === undefined) { this.remove(e); continue; }
        const twin = this.byId.get(this.key(id));
        if (twin && twin !== e && !F('r-listing-before-ids')) this.remove(twin);
        e.id = id; this.byId.set(this.key(id), e);
        if (F('r-new-stays-new')) { e.id = null; e.patch = e.base; e.base = null; }
        if (F('r-date-after-ack') && e.base.date !== undefined) delete e.base.date;
      } else if (gone.has(e.id)) this.report(e, it.body.title, 'deleted elsewhere');
      this.touch(e);
    }
    for (const [name] of box.tags) {
      const t = this.tags.get(name);
      if (!t) continue;
      t.base = { favorite: false, color: false, todo: false, ...t.base, ...t.sent };
      if (t.base.todo === true) t.base.todo = 'strike';
      t.sent = null;
      if (F('r-tag-edit-under-way-lost')) t.patch = null;
      this.meta.push({ op: 'tag', name, t });
    }
  }
  // The server refused the whole request, and applied nothing of it: smaller requests find what it does not take.
  refused(box, error) {
    const n = box.items.length + box.tags.length;
    const newer = new Set(box.items.filter((it) => this.things.get(it.k)?.patch).map((it) => it.k));
    this.unsend(box, false);
    if (n > 1 && !F('r-refused-batch-lost')) this.batch = Math.max(1, Math.floor(n / 2));
    else for (const it of box.items) {
      const e = this.things.get(it.k);
      if (!e || (newer.has(it.k) && it.type !== 'delete')) continue;      // edited since: it is tried again
      if (it.type !== 'delete' && e.del) { e.patch = null; if (!e.id) this.remove(e); else this.touch(e); continue; }
      if (it.type === 'delete') {
        if (error.status === 404 || error.code === 'not_found') { if (F('r-delete-404-stuck')) throw error; this.remove(e); } else { e.del = false; this.touch(e); this.report(e, view(e).title, 'rejected'); }
        continue;
      }
      if (!F('r-refused-silent')) this.report(e, it.body.title, error.code ?? 'rejected');
      if (F('r-refused-kept-as-synced') && e.id) { e.base = { ...e.base, ...e.patch }; }
      e.patch = null;
      if (!e.id || error.status === 404) this.remove(e); else this.touch(e);
    }
    if (n <= 1 || F('r-refused-batch-lost')) for (const [name] of box.tags) { const t = this.tags.get(name); t.patch = null; this.meta.push({ op: 'tag', name, t }); this.report(null, name, error.code ?? 'rejected'); }
    this.commit();
  }
  unsend(box, newIds) {
    for (const it of box.items) { const e = this.things.get(it.k); if (!e) continue; if (e.sent) { e.patch = F('r-unsend-overwrites') ? { ...e.patch, ...e.sent } : { ...e.sent, ...e.patch }; e.sent = null; } if (newIds) e.lid = undefined; this.touch(e); }
    for (const [name] of box.tags) { const t = this.tags.get(name); if (t?.sent) { t.patch = { ...t.sent, ...t.patch }; t.sent = null; this.meta.push({ op: 'tag', name, t }); } }
    this.set('outbox', null); this.commit();
  }

  // ---- download ----
  async download(whole = false) {
    for (let attempt = 0; ; attempt++) {
      const from = whole || this.pos === null ? null : this.pos;
      const full = from === null || from === 0;
      const paged = attempt < 2 ? PAGE() : undefined;
      const torn = await this.pages(from, full, paged);
      if (!torn) break;
      if (attempt > 3) throw new ClientError('unexpected_response', 'the pages of the listing do not fit together');
    }
    if (!whole && this.needFull && !this.inFull) { this.inFull = true; try { await this.download(true); this.needFull = false; } finally { this.inFull = false; } }
  }
  // Returns true when the listing moved between two pages. The position is stored with the last page only.
  async pages(from, full, size) {
    const seen = new Set(), names = new Set();
    let skip = 0, first, torn = false, got = 0, last;
    if (F('r-skip-resumed')) { skip = this.skipAt ?? 0; got = skip; }
    for (let page = 0; ; page++) {
      let changed = [], deleted = [];
      const cb = { start: () => { if (!F('r-page-retry-twice')) { changed = []; deleted = []; } }, thing: (t) => changed.push(t), deleted: (d) => deleted.push(d) };
      const p = { from: from === null ? (H('from-zero-explicit') ? 0 : undefined) : H('from-zero-left-out') && from === 0 ? undefined : F('r-page-from-first-only') && page ? undefined : from, limit: size };
      if (size !== undefined && (skip || H('skip-zero'))) p.skip = skip;
      let list;
      if (F('r-pos-when-it-arrives')) cb.pos = (n) => { this.set('pos', n); this.commit(); };
      try { list = await this.client.sync(p, cb); } catch (e) {
        if (H('partial-page-applied')) { this.apply(changed, deleted, null, null); this.commit(); }
        if (F('r-page-error-is-end') && page) { list = null; break; }
        throw e;
      }
      first ??= list.pos;
      if (list.pos !== first) torn = true;
      last = list.pos;
      for (const t of changed) seen.add(t._id);
      for (const n of Object.keys(list.tags ?? {})) names.add(n);
      if (F('r-pos-before-things')) { this.set('pos', list.pos); this.commit(); await sleep(timing.base); }
      this.apply(F('r-downloads-new-only') ? changed.filter((t) => !this.byId.has(this.key(t._id))) : changed, F('r-tombstones-on-last-page') && changed.length ? [] : deleted, F('r-tags-last-page') && size !== undefined && got + changed.length + deleted.length < list.count ? null : F('r-tags-in-full-only') && !full ? null : list.tags, null);
      if (F('r-pos-first-page') && page === 0) this.advance(list.pos, from);
      if (F('r-tags-erased') && !list.tags) { for (const n of [...this.tags.keys()]) { this.tags.delete(n); this.meta.push({ op: 'no-tag', name: n }); } }
      if (F('r-full-removes-each-page') && full) this.sweep(new Set(changed.map((t) => t._id)), null);
      this.commit();
      const n = changed.length + deleted.length;
      got += n;
      if (size === undefined || n === 0 || (F('r-short-page-ends') && n < size)) break;
      if (!H('pages-until-empty') && got >= list.count) break;
      if (F('r-last-page-missed') && page + 1 >= Math.ceil(list.count / (size + 1))) break;
      skip += F('r-skip-by-limit') ? size : F('r-skip-changed') ? changed.length : F('r-skip-off-by-one') ? n + 1 : n;
      if (F('r-skip-resumed')) { this.skipAt = skip; this.meta.push({ op: 'skipAt', skipAt: skip }); this.commit(); }
    }
    if (F('r-skip-resumed')) { this.skipAt = 0; this.meta.push({ op: 'skipAt', skipAt: 0 }); }
    if (torn && size !== undefined && !F('r-torn-accepted') && !F('r-pos-last-page')) return true;
    if (full) this.sweep(seen, names);
    if (!F('r-pos-first-page')) this.advance(F('r-pos-last-page') ? last : first, from);
    if (F('r-pos-truncated')) this.set('pos', Number(String(this.pos).slice(0, 12)));
    this.commit();
    return false;
  }
  // A full sync: what the server does not list is gone.
  sweep(seen, names) {
    if (F('r-full-keeps-gone')) return;
    for (const e of [...this.things.values()]) {
      if (!e.id) { if (F('r-full-removes-new')) this.remove(e); continue; }
      if (!seen.has(e.id)) this.vanish(e);
    }
    if (names && !F('r-full-keeps-tags')) for (const [name, t] of this.tags) if (!names.has(name) && !t.patch && !t.sent) { this.tags.delete(name); this.meta.push({ op: 'no-tag', name }); }
  }
  vanish(e) {
    if (F('r-change-beats-deletion') && e.patch) return;
    if (F('r-deleted-created-again') && e.patch) { e.patch = { ...e.base, ...e.patch }; e.base = null; this.byId.delete(this.key(e.id)); e.id = null; e.lid = undefined; this.touch(e); return; }
    if (e.patch && !e.del) this.report(e, view(e).title, 'deleted elsewhere');
    if (F('r-lost-for-own-deletion') && e.del) this.report(e, view(e).title, 'deleted elsewhere');
    this.remove(e);
  }
  apply(changed, deleted, tags, box) {
    if (F('r-tombstones-ignored')) deleted = [];
    if (F('r-tombstone-first-only')) deleted = deleted.slice(0, 1);
    const mine = new Set((box?.items ?? []).map((i) => this.things.get(i.k)?.id));
    for (const t of changed) {
      const { _id, ...fields } = t;
      if (fields.url === '') delete fields.url;
      if (fields.html === '') delete fields.html;
      let e = F('r-insert-always') && !box ? undefined : this.byId.get(this.key(_id));
      if (!e) { if (F('r-unknown-dropped') && this.pos !== null) continue; if (F('r-unknown-dropped-in-upload') && box) continue; this.add({ id: _id, base: fields }); continue; }
      if (F('r-own-not-updated') && mine.has(_id)) continue;
      if (F('r-pending-skips-remote') && e.patch) continue;
      if (F('r-remote-beats-edit')) e.patch = null;
      if (F('r-edit-lost-on-same-field') && e.patch) for (const k of Object.keys(e.patch)) if (k !== 'title') delete e.patch[k];
      if (F('r-remote-cancels-deletion')) e.del = false;
      if (fields.todoStatus === undefined && e.base?.todoStatus !== undefined && !F('r-hidden-status-lost')) fields.todoStatus = e.base.todoStatus;
      if (F('r-fields-merged')) e.base = { ...e.base, ...fields };
      else if (F('r-archived-sticks')) e.base = e.base?.archived ? { ...fields, archived: true } : fields;
      else if (F('r-empty-tags-ignored')) e.base = { ...fields, tags: fields.tags || e.base?.tags };
      else if (F('r-empty-title-ignored')) e.base = { ...fields, title: fields.title || e.base?.title };
      else if (F('r-date-fixed')) e.base = { ...fields, date: e.base?.date ?? fields.date };
      else if (F('r-html-kept')) e.base = { ...fields, html: fields.html ?? e.base?.html };
      else e.base = fields;
      this.touch(e);
    }
    for (const id of deleted) {
      const e = this.byId.get(this.key(id));
      if (!e) { if (F('r-unknown-tombstone-crash')) throw new TypeError("Cannot read properties of undefined (reading 'k')"); continue; }
      this.vanish(e);
    }
    if (tags && F('r-tags-replaced')) for (const n of [...this.tags.keys()]) if (!Object.hasOwn(tags, n)) { this.tags.delete(n); this.meta.push({ op: 'no-tag', name: n }); }
    for (const [name, s] of Object.entries(tags ?? {})) {
      if (!s || typeof s !== 'object') continue;
      const t = this.tags.get(name) ?? { base: null, sent: null, patch: null };
      const base = {};
      for (const k of ['favorite', 'color', 'todo']) if (s[k] !== undefined && s[k] !== null) base[k] = s[k];
      if (F('r-tag-falsy-ignored')) for (const k of Object.keys(base)) if (!base[k]) delete base[k];
      if (F('r-tag-unknown-dropped') && !this.tags.has(name)) continue;
      t.base = { ...t.base, ...base };
      if (F('r-tag-remote-beats-edit')) t.patch = null;
      this.tags.set(name, t);
      this.meta.push({ op: 'tag', name, t });
    }
  }

  async close() { await this.queue; this.store.close(); }
  crash() { this.store.crash(); }
}

const own = (o, k) => (Object.hasOwn(o, String(k)) ? o[String(k)] : undefined);
const rank = (e) => (e.del ? 2 : e.id ? 1 : 0);
