// The response of sync as a stream: bytes come in pieces of any size, things go out one by one.
// Only `things.changed` and `things.deleted` are walked; every other value is small, and is captured whole.
import { F } from './switch.mjs';
import { ClientError } from './http.mjs';

const bad = (why) => new ClientError('unexpected_response', `the response is no sync response (${why})`);
const WS = (c) => c === 32 || c === 10 || c === 13 || c === 9;

export class Listing {
  constructor({ thing, deleted, pos }) {
    this.onPos = pos;
    this.onThing = thing; this.onDeleted = deleted;
    this.members = new Map();          // pos, thingCount, tags, error …
    this.fresh = null;                 // things.new
    this.frames = []; this.expect = 'value'; this.key = null;
    this.cap = null; this.started = false; this.whole = F('list-memory') ? [] : null;
    this.closedThings = false;
  }
  write(chunk) {
    if (F('html-is-empty') && (this.page ||= !this.started && chunk[0] === 60)) { this.members.set('pos', 0); this.expect = 'end'; return; }
    if (F('decode-chunk-utf8')) chunk = Buffer.from(chunk.toString('utf8'), 'utf8');
    if (F('decode-latin1')) chunk = Buffer.from(chunk.toString('latin1'), 'utf8');
    if (this.whole) this.whole.push(Buffer.from(chunk)); else this.feed(chunk);
  }
  feed(chunk) {
    let i = 0;
    const n = chunk.length;
    if (!this.started && n) { this.started = true; if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) i = 3; }
    if (this.cap && F('decode-escape-border')) this.cap.esc = false;
    while (i < n) {
      if (this.cap) { i = this.capture(chunk, i); continue; }
      const c = chunk[i];
      if (WS(c)) { i++; continue; }
      i = this.structure(c, chunk, i);
    }
    if (F('decode-number-border') && this.cap && this.cap.kind === 'scalar' && this.cap.what === 'value') { this.finish(); this.skipScalar = true; }
    if (F('decode-element-border') && this.top() === 'changed' && !this.cap && this.expect === 'comma') this.swallow = true;
  }
  top() { return this.frames[this.frames.length - 1]; }
  structure(c, chunk, i) {
    if (this.skipScalar) { if (c !== 44 && c !== 125 && c !== 93) return i + 1; this.skipScalar = false; }
    switch (this.expect) {
      case 'key-or-end': if (c === 125) return this.close(i);   // falls through
      case 'key':
        if (c !== 34) throw bad('a name is missing');
        this.begin('key', 'string', i); return i;
      case 'colon': if (c !== 58) throw bad('a colon is missing'); this.expect = 'value'; return i + 1;
      case 'comma':
        if (c === 44) { const f = this.top(); this.expect = f === 'root' || f === 'things' ? 'key' : 'value'; return i + 1; }
        if (c === 125 || c === 93) return this.close(i, c);
        throw bad('a comma is missing');
      case 'value-or-end': if (c === 93) return this.close(i);   // falls through
      case 'value': return this.value(c, i);
      default: throw bad('it goes on after its end');
    }
  }
  value(c, i) {
    const f = this.top();
    if (!f) { if (c !== 123) throw bad('no object'); this.frames.push('root'); this.expect = 'key-or-end'; return i + 1; }
    if (f === 'root' && this.key === 'things' && c === 123) { this.frames.push('things'); this.expect = 'key-or-end'; return i + 1; }
    if (f === 'things' && c === 91 && (this.key === 'changed' || this.key === 'deleted')) { this.frames.push(this.key); this.expect = 'value-or-end'; return i + 1; }
    this.begin('value', c === 34 ? 'string' : c === 123 || c === 91 ? 'composite' : 'scalar', i);
    return i;
  }
  close(i, c) {
    const f = this.frames.pop();
    if (c !== undefined && (c === 93) !== (f === 'changed' || f === 'deleted')) throw bad('brackets do not match');
    if (f === 'things') this.closedThings = true;
    this.expect = this.frames.length ? 'comma' : 'end';
    return i + 1;
  }
  begin(what, kind) { this.cap = { what, kind, parts: [], depth: 0, str: false, esc: false, first: true }; }
  capture(chunk, start) {
    const cap = this.cap;
    let i = start, { depth, str, esc } = cap;
    const n = chunk.length;
    if (cap.kind === 'scalar') {
      while (i < n) { const c = chunk[i]; if (c === 44 || c === 125 || c === 93 || WS(c)) break; i++; }
      cap.parts.push(chunk.subarray(start, i));
      if (i < n) this.finish();
      return i;
    }
    for (; i < n; i++) {
      const c = chunk[i];
      if (str) {
        if (esc) esc = false;
        else if (c === 92) esc = true;
        else if (c === 34) { str = false; if (cap.kind === 'string') { i++; break; } }
      } else if (c === 34) str = true;
      else if (c === 123 || c === 91) depth++;
      else if (c === 125 || c === 93) { if (--depth === 0) { i++; break; } }
    }
    cap.parts.push(chunk.subarray(start, i));
    const ended = cap.kind === 'string' ? !str : depth === 0 && !str;
    cap.depth = depth; cap.str = str; cap.esc = esc;
    if (ended) this.finish();
    else if (i >= n) cap.parts[cap.parts.length - 1] = Buffer.from(cap.parts[cap.parts.length - 1]);
    return i;
  }
  finish() {
    const { what, parts } = this.cap;
    this.cap = null;
    let text = (parts.length === 1 ? parts[0] : Buffer.concat(parts)).toString('utf8');
    if (F('decode-surrogates')) text = text.replace(/\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/g, '\\ufffd\\ufffd');
    if (F('decode-entities')) text = text.replaceAll('&amp;', '&').replaceAll('&lt;', '<');
    let value;
    try { value = JSON.parse(text); } catch { throw bad('broken JSON'); }
    if (what === 'key') { this.key = value; this.expect = 'colon'; return; }
    this.expect = 'comma';
    const f = this.top();
    if (f === 'root') {
      if (F('unknown-strict') && !['pos', 'thingCount', 'tags', 'things', 'error', 'error_description'].includes(this.key)) throw bad('unknown member');
      if (F('path-ignored') && value && typeof value === 'object' && Array.isArray(value.changed)) value.changed.forEach((t) => this.deliver(t));
      if (F('null-things-crash') && value === null) throw new TypeError("Cannot read properties of null");
      if (value !== null) this.members.set(this.key, value);
      if (this.key === 'pos') this.onPos?.(value);
    } else if (f === 'things') { if (this.key === 'new' && value !== null) this.fresh = value; } else if (f === 'changed') {
      if (this.swallow) { this.swallow = false; return; }
      this.deliver(value);
    } else {
      if (typeof value !== 'string') throw bad('an id is no text');
      if (!(F('order-fixed') && !this.members.has('pos'))) this.onDeleted(incomingId(value));
    }
  }
  deliver(t) {
    if (!t || typeof t !== 'object' || typeof t._id !== 'string') throw bad('a thing without _id');
    if (F('order-fixed') && !this.members.has('pos')) return;
    if (F('unknown-strict') && Object.keys(t).some((k) => !FIELDS.includes(k))) throw bad('unknown field');
    this.onThing(incoming(t));
  }
  end() {
    if (this.whole) { const all = Buffer.concat(this.whole); const o = JSON.parse(all.toString('utf8')); this.keep = o; this.feed(all); }
    if (this.expect !== 'end') {
      if (F('truncated-accepted')) return this.finishAnyway();
      throw new ClientError(this.frames.length ? 'network' : 'unexpected_response', 'the response ends too early');
    }
    if (this.members.has('error') && !this.members.has('pos')) return;
    const pos = this.members.get('pos');
    if (typeof pos !== 'number') throw bad('no position');
    if (F('count-required') && typeof this.members.get('thingCount') !== 'number') throw bad('no thingCount');
    if (F('things-required') && !this.closedThings) throw new TypeError("Cannot read properties of undefined (reading 'changed')");
  }
  finishAnyway() { if (!this.members.has('pos')) this.members.set('pos', 0); }
  get pos() {
    const p = this.members.get('pos');
    if (F('pos-int32')) return p | 0;
    if (F('pos-float32')) return Math.fround(p);
    if (F('pos-15-digits')) return Number(p.toPrecision(15));
    return p;
  }
  get count() { const c = this.members.get('thingCount'); return typeof c === 'number' ? c : 0; }
  get tags() { const t = this.members.get('tags'); return t && typeof t === 'object' ? t : null; }
}

export const FIELDS = ['_id', 'title', 'tags', 'date', 'url', 'html', 'archived', 'todoStatus'];

function incomingId(id) {
  if (F('id-number') && /^[0-9]+$/.test(id)) return String(Number(id));
  if (F('id-lower')) return id.toLowerCase();
  if (F('id-64')) return id.slice(0, 64);
  return id;
}

// A thing of a response: the known fields that are there.
export function incoming(t) {
  const out = {};
  for (const k of FIELDS) {
    if (F('null-text') && t[k] === null) { out[k] = String(t[k]); continue; }
    if (F('null-crash') && t[k] === null) throw new TypeError("Cannot read properties of null (reading 'length')");
    if (F('false-is-absent') && t[k] === false) continue;
    if (t[k] !== undefined && t[k] !== null) out[k] = t[k];
  }
  out._id = incomingId(out._id);
  if (F('archived-not-read')) delete out.archived;
  if (F('read-trim') && typeof out.title === 'string') out.title = out.title.trim();
  if (F('read-date-int') && out.date !== undefined) out.date = Math.trunc(out.date);
  if (F('read-date-int32') && out.date !== undefined) out.date = out.date | 0;
  if (F('read-line-ends')) for (const k of ['title', 'html']) if (out[k]) out[k] = out[k].replace(/\r\n?/g, '\n');
  if (F('read-nfc')) for (const k of ['title', 'html']) if (out[k]) out[k] = out[k].normalize('NFC');
  return out;
}
