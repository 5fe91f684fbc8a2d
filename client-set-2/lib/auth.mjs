// Tokens: sign in, refresh (one at a time), expiry.
import { F, H } from './switch.mjs';
import { ClientError, BytesSink, exchange } from './http.mjs';
import { form } from './form.mjs';
import { limit, pause, parseError } from './retry.mjs';

export class Auth {
  constructor({ base, client_id, client_secret, username, password, tokens, onTokens = () => {} }) {
    this.base = base; this.id = client_id; this.secret = client_secret; this.onTokens = onTokens;
    this.credentials = username === undefined ? null : { username, password };
    this.tokens = tokens ? { ...tokens, at: tokens.at ?? Date.now() } : null;
    this.running = null; this.refusedOnce = false;
  }
  url() {
    if (F('token-double-slash')) return new URL(this.base + '/token');
    return new URL('token', this.base);
  }
  async grant(params) {
    const pairs = [['grant_type', params.grant_type], ['client_id', this.id], ['client_secret', this.secret], ...Object.entries(params).slice(1)].filter(([, v]) => v !== undefined);
    let headers = { 'content-type': H('content-type-charset') ? 'application/x-www-form-urlencoded; charset=utf-8' : 'application/x-www-form-urlencoded' };
    let body = form(pairs), url = this.url(), method = 'POST';
    if (F('grant-json')) { headers = { 'content-type': 'application/json' }; body = JSON.stringify(Object.fromEntries(pairs)); }
    if (F('grant-in-query')) { url.search = body; body = ''; }
    if (F('client-basic-only')) {
      headers.authorization = 'Basic ' + Buffer.from(`${this.id}:${this.secret}`).toString('base64');
      body = form(pairs.filter(([k]) => !k.startsWith('client_')));
    }
    if (F('grant-no-secret')) body = form(pairs.filter(([k]) => k !== 'client_secret'));
    if (F('grant-no-content-type')) headers = {};
    for (let attempt = 0; ; attempt++) {
      const sink = new BytesSink();
      let error;
      try {
        const res = await exchange({ method, url, headers, body, sink });
        if (res.good) return this.read(sink.text());
        error = parseError(res, F('error-shows-password') ? ` (request: ${body})` : '');
        if (F('log-token')) console.error('token request failed:', body);
        if (error.status !== 429 && error.status !== 503) throw error;
      } catch (e) {
        error = e;
        if (F('error-shows-password')) error.message += ` (${body})`;
        if (e.kind !== 'network' && e.status !== 429 && e.status !== 503) throw e;
      }
      if (attempt >= limit() || !(await pause(attempt, error.headers))) throw error;
    }
  }
  read(text) {
    let o;
    try { o = JSON.parse(text); } catch { throw new ClientError('unexpected_response', 'the token response is no JSON'); }
    if (F('scope-required') && typeof o?.scope !== 'string') throw new ClientError('unexpected_response', 'no scope');
    if (F('token-fields-strict') && Object.keys(o).some((k) => !['access_token', 'expires_in', 'request_token', 'token_type', 'scope'].includes(k))) throw new ClientError('unexpected_response', 'unknown field');
    if (o && typeof o.error === 'string' && o.access_token === undefined) throw new ClientError('rejected', String(o.error_description ?? o.error), { code: o.error });
    if (!o || typeof o.access_token !== 'string' || !o.access_token) throw new ClientError('unexpected_response', 'the token response has no access_token');
    if (F('refresh-field-name')) o.request_token = o.refresh_token;
    if (F('refresh-by-access')) o.request_token = o.access_token;
    if (F('refresh-first-kept') && this.tokens) o.request_token = this.tokens.request_token;
    const used = this.tokens?.access_token;
    this.tokens = { access_token: o.access_token, request_token: o.request_token, expires_in: o.expires_in, token_type: o.token_type, at: Date.now() };
    if (F('token-after-refresh-old') && used) this.tokens.access_token = used;
    if (F('log-token')) console.error('new tokens', JSON.stringify(this.tokens));
    this.onTokens(this.tokens);
    return this.result();
  }
  result() { const { at, ...r } = this.tokens; return Object.fromEntries(Object.entries(r).filter(([, v]) => v !== undefined && v !== null)); }

  signIn(username = this.credentials?.username, password = this.credentials?.password) {
    return this.one(async () => {
      const r = await this.grant({ grant_type: 'password', username, password });
      this.credentials = null;     // no longer needed (5.2)
      return r;
    });
  }
  one(f) {
    if (F('refresh-parallel')) return f();
    if (!this.running) this.running = f().finally(() => { this.running = null; });
    return this.running;
  }
  // `used`: the access token that was refused; without it, a refresh in any case.
  refresh(used) {
    if (used && this.tokens && this.tokens.access_token !== used && !F('refresh-each-401')) return Promise.resolve(this.result());
    return this.one(async () => {
      if (!this.tokens?.request_token) {
        if (this.credentials) return this.grant({ grant_type: 'password', ...this.credentials }).then((r) => { this.credentials = null; return r; });
        throw new ClientError('signed_out', 'not signed in');
      }
      try {
        return await this.grant({ grant_type: 'refresh_token', refresh_token: this.tokens.request_token });
      } catch (e) {
        if (F('refresh-hammer')) for (let i = 0; i < 8; i++) await this.grant({ grant_type: 'refresh_token', refresh_token: this.tokens.request_token }).catch(() => {});
        const refused = e.kind === 'rejected' && e.status !== 429 && e.status !== 408 && !(e.status >= 500);
        if (!refused && !(F('refresh-503-signs-out') && e.status === 503) && !(F('refresh-lost-signs-out') && e.kind === 'network') && !(F('refresh-429-signs-out') && e.status === 429)) throw e;
        if (F('signed-out-as-rejected')) throw new ClientError('network', 'refresh failed');
        this.tokens = null; this.onTokens(null);
        if (this.credentials) { const r = await this.grant({ grant_type: 'password', ...this.credentials }); this.credentials = null; return r; }
        throw new ClientError('signed_out', 'the session has ended; the user must sign in again', { status: e.status, code: e.code });
      }
    });
  }
  async access() {
    if (this.running && !F('refresh-parallel')) await this.running.catch(() => {});
    if (!this.tokens) {
      if (!this.credentials) throw new ClientError('signed_out', 'not signed in');
      await this.signIn();
    } else if (typeof this.tokens.expires_in === 'number' && !H('lazy-refresh')) {
      const life = this.tokens.expires_in * (F('expires-ms') ? 1 : 1000), age = Date.now() - this.tokens.at;
      if (age >= life * (H('eager-refresh') ? 0.5 : 0.9) || (F('refresh-each-request'))) {
        try { await this.refresh(this.tokens.access_token); } catch (e) { if (e.kind === 'signed_out' || age >= life) throw e; }
      }
    }
    return this.tokens.access_token;
  }
}
