// Forms: application/x-www-form-urlencoded in UTF-8, and the shapes of uploads in it.
import { F, H } from './switch.mjs';

export function encode(text) {
  let s = String(text).toWellFormed();
  if (F('form-escape')) return escape(s);
  if (F('form-latin1')) s = Buffer.from(s, 'latin1').toString('latin1');
  if (F('form-latin1')) return [...Buffer.from(s, 'latin1')].map((b) => '%' + b.toString(16).padStart(2, '0').toUpperCase()).join('');
  if (F('form-encode-uri')) return encodeURI(s);
  if (F('form-cesu')) {
    return s.replace(/[\ud800-\udfff]/g, (c) => {
      const n = c.charCodeAt(0);
      return '\u0000' + [0xe0 | (n >> 12), 0x80 | ((n >> 6) & 63), 0x80 | (n & 63)].map((b) => '%' + b.toString(16)).join('') + '\u0000';
    }).split('\u0000').map((p, i) => (i % 2 ? p : encodeURIComponent(p))).join('');
  }
  if (H('form-encode-all')) return [...Buffer.from(s)].map((b) => '%' + b.toString(16).padStart(2, '0').toUpperCase()).join('');
  let out = encodeURIComponent(s);
  if (F('form-plus-raw')) out = out.replaceAll('%2B', '+');
  if (F('form-percent-raw')) out = out.replaceAll('%25', '%');
  if (F('form-amp-raw')) out = out.replaceAll('%26', '&');
  if (F('form-double')) out = encodeURIComponent(out);
  if (H('form-lower-hex')) out = out.replace(/%[0-9A-F]{2}/g, (x) => x.toLowerCase());
  return H('form-space-percent') ? out : out.replaceAll('%20', '+');
}

const key = (k) => (F('form-key-raw') ? k : H('form-brackets-raw') ? encode(k).replace(/%5B/gi, '[').replace(/%5D/gi, ']') : encode(k));

export function form(pairs) {
  let list = pairs;
  if (H('param-order')) list = [...pairs].reverse();
  return list.map(([k, v]) => key(k) + '=' + encode(v)).join('&');
}

export function json(value) {
  if (F('json-by-hand') && value && typeof value === 'object' && !Array.isArray(value)) {
    return '{' + Object.entries(value).map(([k, v]) => `"${k}":${typeof v === 'string' ? '"' + v.replaceAll('"', '\\"').replaceAll('\n', '\\n') + '"' : JSON.stringify(v)}`).join(',') + '}';
  }
  let s = JSON.stringify(value, null, H('json-pretty') ? 2 : undefined);
  if (H('json-ascii')) s = s.replace(/[\u0080-\uffff]/g, (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
  if (F('json-ascii-bad')) s = s.replace(/[\u0080-\uffff]/g, (c) => '\\u00' + (c.charCodeAt(0) & 255).toString(16).padStart(2, '0'));
  return s;
}

// What a caller gave for a thing, as it is sent.
export function outgoing(thing) {
  let t = { ...thing };
  if (F('text-trim')) for (const k of ['title', 'html']) if (typeof t[k] === 'string') t[k] = t[k].trim();
  const texts = (f) => { for (const k of ['title', 'html', 'tags', 'url']) if (typeof t[k] === 'string') t[k] = f(t[k]); };
  if (F('text-nfc')) texts((s) => s.normalize('NFC'));
  if (F('text-crlf')) texts((s) => s.replace(/\r?\n/g, '\r\n'));
  if (F('text-lf')) texts((s) => s.replace(/\r\n?/g, '\n'));
  if (F('text-no-astral')) texts((s) => s.replace(/[\ud800-\udfff]{2}/g, '?'));
  if (F('text-no-control')) texts((s) => s.replace(/[\u0001-\u001f]/g, ''));
  if (F('text-html-escape')) texts((s) => s.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
  if (F('text-nbsp')) texts((s) => s.replace(/[\u00a0\u2028\u200b\ufeff]/g, ' '));
  if (F('text-max255') && typeof t.title === 'string') t.title = t.title.slice(0, 255);
  if (F('empty-dropped')) for (const k of Object.keys(t)) if (t[k] === '') delete t[k];
  if (F('todo-false-dropped') && t.todoStatus === false) delete t.todoStatus;
  if (F('date-zero-dropped') && !t.date) delete t.date;
  if (F('date-int32') && t.date !== undefined) t.date = t.date | 0;
  if (F('date-floor') && t.date !== undefined) t.date = Math.floor(t.date);
  if (F('date-text') && t.date !== undefined) t.date = String(t.date);
  if (F('date-ms') && t.date !== undefined) t.date = t.date * 1000;
  if (F('bool-text') && t.archived !== undefined) t.archived = String(t.archived);
  if (F('tags-sorted') && t.tags) t.tags = t.tags.split(' ').sort().join(' ');
  if (F('tags-comma') && t.tags) t.tags = t.tags.split(' ').join(',');
  if (F('local-id-dropped')) delete t.local_id;
  if (H('fields-reversed')) t = Object.fromEntries(Object.entries(t).reverse());
  if (H('archived-explicit') && t.title !== undefined && t.archived === undefined && t._id === undefined) t.archived = false;
  if (H('archived-false-left-out') && t.archived === false) delete t.archived;
  return t;
}

// Several things of one kind: [name, value] pairs.
export function several(name, items, value) {
  if (!items || !items.length) return [];
  if (F('batch-first-only')) return [[name, value(items[0])]];
  if (F('repeat-no-brackets') && items.length > 1) return items.map((x) => [name, value(x)]);
  if (H('repeated-params') || (H('mixed-params') && items.length > 1 && name !== 'changed_thing')) return items.map((x) => [name + '[]', value(x)]);
  if (items.length === 1 && !H('always-arrays')) return [[name, value(items[0])]];
  if (name === 'deleted_thing') {
    if (F('deleted-comma')) return [[name, items.join(',')]];
    return [[name, json(items)]];
  }
  return [[name, '[' + items.map(value).join(',') + ']']];
}

export function deletedValue(id) {
  if (F('deleted-quoted')) return JSON.stringify(id);
  if (F('deleted-object')) return JSON.stringify({ _id: id });
  return id;
}
