// What a thing looks like: layers of the server's state, of edits under way and of edits that wait.
import { F } from './switch.mjs';

export const EDITABLE = ['title', 'tags', 'date', 'url', 'html', 'archived', 'todoStatus'];

export function view(e) {
  if (F('r-read-server-only') && e.base) return { ...e.base };
  return { ...e.base, ...e.sent, ...(F('r-sent-hides-patch') && e.sent ? {} : e.patch) };
}

const words = (t) => (t.tags ?? '').split(' ').filter(Boolean);

export function isTodo(t, settings) {
  const names = F('r-todo-first-tag') ? words(t).slice(0, 1) : words(t);
  if (F('r-todo-by-color')) return names.some((n) => settings.get(n)?.todo || settings.get(n)?.color);
  if (F('r-todo-strike-only')) return names.some((n) => settings.get(n)?.todo === 'strike');
  if (F('r-todo-substring')) return [...settings].some(([n, s]) => s.todo && n && (t.tags ?? '').includes(n));
  if (F('r-todo-lower')) return names.some((n) => { const s = [...settings].find(([k]) => k.toLowerCase() === n.toLowerCase()); return s && s[1].todo; });
  return names.some((n) => { const s = settings.get(n); return s !== undefined && s.todo !== false && s.todo !== undefined; });
}

// The canonical form for `read`.
export function shown(e, settings) {
  const t = view(e);
  const out = { ref: e.ref, _id: e.id, title: t.title, tags: t.tags ?? '' };
  if (t.date !== undefined) out.date = t.date;
  if (t.url !== undefined && t.url !== '') out.url = t.url;
  if (t.html !== undefined && t.html !== '') out.html = t.html;
  if (t.archived) out.archived = true;
  const todo = F('r-todo-not-derived') ? t.todoStatus !== undefined : F('r-todo-always') ? t.todoStatus !== undefined || isTodo(t, settings) : isTodo(t, settings);
  if (todo) out.todoStatus = t.todoStatus ?? false;
  if (F('r-todo-false-hidden') && out.todoStatus === false) delete out.todoStatus;
  return out;
}

// The complete thing, as a change or a new thing uploads it. A server may clear what is left out.
export function complete(e, settings, isNew) {
  const t = view(e);
  let out = { title: t.title, tags: t.tags ?? '' };
  if (t.date !== undefined) out.date = t.date;
  for (const k of ['url', 'html']) if (t[k] !== undefined && !(t[k] === '' && (isNew || F('r-clear-left-out')))) out[k] = F('r-clear-null') && t[k] === '' ? null : t[k];
  out.archived = Boolean(t.archived);
  if (t.todoStatus !== undefined) out.todoStatus = t.todoStatus;
  else if (isTodo(t, settings) && !isNew) out.todoStatus = false;
  if (isNew) {
    if (!out.archived) delete out.archived;
    if (F('r-new-archived-lost')) delete out.archived;
    if (F('r-new-todo-lost')) delete out.todoStatus;
    if (F('r-new-tags-lost')) delete out.tags;
    if (F('r-new-html-lost') && out.url) delete out.html;
    return out;
  }
  if (F('r-change-partial')) out = { title: t.title, archived: out.archived, ...e.patch };
  if (F('r-change-no-title') && e.patch?.title === undefined) delete out.title;
  if (F('r-change-archived-left-out') && e.patch?.archived === undefined) delete out.archived;
  if (F('r-change-todo-left-out') && e.patch?.todoStatus === undefined) delete out.todoStatus;
  if (F('r-change-date-left-out')) delete out.date;
  if (F('r-change-url-left-out') && e.patch?.url === undefined) delete out.url;
  if (F('r-change-tags-left-out') && e.patch?.tags === undefined) delete out.tags;
  if (F('r-unarchive-lost') && out.archived === false) { if (e.base?.archived) out.archived = true; }
  if (F('r-undo-lost') && out.todoStatus === false) delete out.todoStatus;
  return out;
}

const DEFAULTS = { favorite: false, color: false, todo: false };

export function settingsOf(t) {
  const s = { ...DEFAULTS, ...t.base, ...t.sent, ...t.patch };
  if (s.todo === true) s.todo = 'strike';
  return s;
}

// The settings as they are uploaded: `todo` is a boolean there (2.2).
export function settingsUpload(t) {
  const s = settingsOf(t);
  const given = { ...t.sent, ...t.patch };
  const out = F('r-tag-reset') ? { ...DEFAULTS, ...given } : { favorite: s.favorite, color: s.color };
  if (F('r-tag-color-lost')) delete out.color;
  if (given.todo !== undefined) out.todo = given.todo === 'dont-strike' ? 'dont-strike' : Boolean(given.todo);
  else if (s.todo !== 'dont-strike') out.todo = Boolean(s.todo);   // true would make "strike" of it
  else if (F('r-tag-dont-strike-lost')) out.todo = true;
  if (F('r-tag-false-left-out')) for (const k of Object.keys(out)) if (out[k] === false) delete out[k];
  return out;
}
