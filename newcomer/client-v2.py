"""A small client for the things sync protocol. Standard library only."""
import http.client
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid


class ApiError(Exception):
    def __init__(self, code, description, status=None, retry_after=None):
        super().__init__('%s: %s' % (code, description))
        self.code = code
        self.description = description
        self.status = status
        self.retry_after = retry_after


class SignInRequired(ApiError):
    pass


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None  # a redirect is an error: it could lose an upload or leak a token


opener = urllib.request.build_opener(NoRedirect)


def without_nulls(value):
    if isinstance(value, dict):
        return {k: without_nulls(v) for k, v in value.items() if v is not None}
    if isinstance(value, list):
        return [without_nulls(v) for v in value]
    return value


class Client:
    def __init__(self, base_url, client_id, client_secret, access_token=None, refresh_token=None,
                 on_tokens=None, timeout=30):
        self.base_url = base_url
        self.client_id = client_id
        self.client_secret = client_secret
        self.access_token = access_token
        self.refresh_token = refresh_token
        self.on_tokens = on_tokens
        self.timeout = timeout

    def _request(self, method, path, params, auth=True):
        url = self.base_url + path
        data = None
        headers = {'Accept': 'application/json'}
        if auth:
            headers['Authorization'] = 'Bearer ' + (self.access_token or '')
        encoded = urllib.parse.urlencode(params)
        if method == 'GET':
            if encoded:
                url += '?' + encoded
        else:
            data = encoded.encode()
            headers['Content-Type'] = 'application/x-www-form-urlencoded'
        request = urllib.request.Request(url, data=data, headers=headers, method=method)
        try:
            with opener.open(request, timeout=self.timeout) as response:
                status, body, retry = response.status, response.read(), None
        except urllib.error.HTTPError as e:
            status, retry = e.code, e.headers.get('Retry-After')
            try:
                body = e.read()
            except (http.client.HTTPException, OSError) as e2:
                raise ApiError('network', str(e2))
        except (http.client.HTTPException, OSError) as e:
            raise ApiError('network', str(e))
        try:
            result = json.loads(body)
        except ValueError:
            raise ApiError('bad_response', 'the server did not return JSON', status, retry)
        if isinstance(result, dict) and 'error' in result:
            raise ApiError(result['error'], result.get('error_description', ''), status, retry)
        if status >= 300:
            raise ApiError('http_%d' % status, 'the server returned status %d' % status, status, retry)
        return result

    def _grant(self, **params):
        result = self._request('POST', 'token', dict(
            params, client_id=self.client_id, client_secret=self.client_secret), auth=False)
        self.access_token = result['access_token']
        self.refresh_token = result['request_token']
        if self.on_tokens:
            self.on_tokens(self.access_token, self.refresh_token)
        return result

    def sign_in(self, username, password):
        return self._grant(grant_type='password', username=username, password=password)

    def refresh(self):
        try:
            return self._grant(grant_type='refresh_token', refresh_token=self.refresh_token)
        except ApiError as e:
            if e.code == 'invalid_grant':
                raise SignInRequired('invalid_grant', 'sign in again', e.status)
            raise

    def call(self, method, path, params):
        try:
            return self._request(method, path, params)
        except ApiError as e:
            if e.code != 'invalid_grant' or not self.refresh_token:
                raise
        self.refresh()
        return self._request(method, path, params)

    def sync(self, from_pos=None, skip=None, limit=None, new=(), changed=(), deleted=(), tags=None, skip_id=()):
        params = []
        if from_pos is not None:
            params.append(('from', from_pos))
        if skip is not None:
            params.append(('skip', skip))
        if limit is not None:
            params.append(('limit', limit))
        for i in skip_id:
            params.append(('skip_id[]', i))
        upload = bool(new or changed or deleted or tags)
        if new:
            params.append(('new_thing', json.dumps(list(new))))
        if changed:
            params.append(('changed_thing', json.dumps(list(changed))))
        if deleted:
            params.append(('deleted_thing', json.dumps(list(deleted))))
        for name, settings in (tags or {}).items():
            params.append(('tag[%s]' % name, json.dumps(settings)))
        result = self.call('POST' if upload else 'GET', 'sync', params)
        if not isinstance(result, dict) or 'pos' not in result:
            raise ApiError('bad_response', 'the response has no pos')
        return without_nulls(result)


class Replica:
    """The things of one user in a JSON file, with the edits that wait for upload."""

    def __init__(self, path, base_url, client_id, client_secret):
        self.path = path
        self.state = {'pos': 0, 'things': {}, 'tags': {}, 'new': {}, 'changed': {}, 'deleted': [],
                      'tag_edits': {}, 'tokens': None, 'lost': [],
                      'sent': {}, 'deleted_new': []}
        if os.path.exists(path):
            with open(path, encoding='utf-8') as f:
                self.state.update(json.load(f))
        tokens = self.state['tokens'] or [None, None]
        self.ids = {}  # local_id -> _id of what was uploaded by this process
        self.client = Client(base_url, client_id, client_secret, tokens[0], tokens[1], self._store_tokens)

    def _store_tokens(self, access, refresh):
        self.state['tokens'] = [access, refresh]
        self.save()

    def save(self):
        tmp = self.path + '.tmp'
        with open(tmp, 'w', encoding='utf-8') as f:
            json.dump(self.state, f)
        os.replace(tmp, self.path)

    def sign_in(self, username, password):
        self.client.sign_in(username, password)

    # reading

    def todo_tags(self):
        tags = dict(self.state['tags'])
        for name, edit in self.state['tag_edits'].items():
            tags[name] = dict(tags.get(name, {}), **edit)
        return {name for name, s in tags.items() if s.get('todo')}

    def things(self):
        result = {}
        for _id, thing in self.state['things'].items():
            if _id in self.state['deleted']:
                continue
            result[_id] = dict(thing, **self.state['changed'].get(_id, {}))
        for local_id, thing in self.state['new'].items():
            if local_id not in self.state['deleted_new']:
                result[local_id] = dict(thing)
        todo = self.todo_tags()
        for thing in result.values():
            if todo & set(thing.get('tags', '').split(' ')):
                thing.setdefault('todoStatus', False)
            else:
                thing.pop('todoStatus', None)
        return result

    def tags(self):
        tags = {name: dict(s) for name, s in self.state['tags'].items()}
        for name, edit in self.state['tag_edits'].items():
            tags[name] = dict({'favorite': False, 'color': False, 'todo': False}, **dict(tags.get(name, {}), **edit))
        return tags

    # editing

    def create(self, **fields):
        local_id = uuid.uuid4().hex
        fields.setdefault('date', int(time.time()))
        self.state['new'][local_id] = fields
        self.save()
        return local_id

    def change(self, _id, **fields):
        s = self.state
        if _id in s['new']:
            s['new'][_id].update(fields)
        elif _id in s['things'] and _id not in s['deleted']:
            s['changed'].setdefault(_id, {}).update(fields)
        else:
            raise KeyError(_id)
        self.save()

    def delete(self, _id):
        s = self.state
        if _id in s['sent']:
            s['deleted_new'].append(_id)  # the server may have it
        elif _id in s['new']:
            del s['new'][_id]
        elif _id in s['things']:
            s['changed'].pop(_id, None)
            if _id not in s['deleted']:
                s['deleted'].append(_id)
        else:
            raise KeyError(_id)
        self.save()

    def set_tag(self, name, **settings):
        self.state['tag_edits'].setdefault(name, {}).update(settings)
        self.save()

    # syncing

    def sync(self):
        s = self.state
        if s['sent']:
            # the response to an upload was lost: look first what arrived
            self._apply(self.client.sync(s['pos']), {}, find_sent=True)
        edits = ([('new', i) for i in s['new'] if i not in s['deleted_new']] + [('changed', i) for i in s['changed']]
                 + [('deleted', i) for i in s['deleted']] + [('tag_edits', i) for i in s['tag_edits']])
        self._upload(edits, True)
        lost, s['lost'] = s['lost'], []
        self.save()
        return {'lost': lost}

    def _upload(self, edits, first=False):
        s = self.state
        edits = [(kind, i) for kind, i in edits if i in s[kind]]  # a listing may have settled some
        if not edits and not first:
            return
        batch = {'new': {}, 'changed': {}, 'deleted': {}, 'tag_edits': {}}
        for kind, i in edits:
            if kind == 'changed':
                batch[kind][i] = dict(s['things'][i], **s['changed'][i])
                batch[kind][i]['_id'] = i
            else:
                batch[kind][i] = True if kind == 'deleted' else dict(s[kind][i])
        if batch['new']:
            s['sent'] = {i: dict(t) for i, t in batch['new'].items()}
            self.save()
        try:
            response = self.client.sync(
                s['pos'], new=[dict(t, local_id=i) for i, t in batch['new'].items()],
                changed=list(batch['changed'].values()), deleted=list(batch['deleted']), tags=batch['tag_edits'])
        except SignInRequired:
            raise
        except ApiError as e:
            if e.code in ('network', 'bad_response') or not e.status or e.status in (401, 429) or e.status >= 500:
                raise
            if not edits or e.status < 400:
                raise
            s['sent'] = {}
            self.save()
            if first:  # perhaps something was deleted elsewhere
                self._apply(self.client.sync(s['pos']), {})
            if len(edits) > 1:
                half = len(edits) // 2
                self._upload(edits[:half])
                self._upload(edits[half:])
            else:
                self._reject(*edits[0])
            return
        self._apply(response, batch)

    def _reject(self, kind, i):
        s = self.state
        if i not in s[kind]:
            return
        if kind == 'deleted':
            s['deleted'].remove(i)
            if i in s['things']:
                s['things'].pop(i)
        else:
            s['lost'].append(s[kind].pop(i))
        self.save()

    def _apply(self, response, batch, find_sent=False):
        s = self.state
        things = response.get('things', {})
        listed = things.get('changed', [])
        created = dict(things.get('new', {}))
        if find_sent:
            free = {t['_id']: t for t in listed if t['_id'] not in s['things']}
            for keys in (('title', 'date', 'url', 'html', 'tags'), ('title', 'date'), ('date', 'url', 'html')):
                for local_id, sent in s['sent'].items():
                    if local_id in created:
                        continue
                    for _id, t in free.items():
                        if all((t.get(k) or '') == (sent.get(k) or '') for k in keys):
                            created[local_id] = _id
                            del free[_id]
                            break
        uploaded = batch.get('new') or s['sent']
        # our own uploads are on the server now
        for _id, thing in batch.get('changed', {}).items():
            s['things'][_id] = thing
            lost = s['changed'].pop(_id)
            if _id in things.get('deleted', []):
                s['lost'].append(lost)
        for _id in batch.get('deleted', {}):
            s['things'].pop(_id, None)
            s['deleted'].remove(_id)
        for local_id, _id in created.items():
            if local_id not in s['new']:
                continue
            now, sent = s['new'].pop(local_id), uploaded.get(local_id, {})
            s['things'][_id] = dict(sent, _id=_id)
            self.ids[local_id] = _id
            if local_id in s['deleted_new']:
                s['deleted'].append(_id)
            else:
                edit = {k: v for k, v in now.items() if sent.get(k) != v}
                if edit:
                    s['changed'][_id] = edit
        # what did not arrive and was deleted
        for local_id in s['deleted_new']:
            s['new'].pop(local_id, None)
        s['deleted_new'], s['sent'] = [], {}
        for name, edit in batch.get('tag_edits', {}).items():
            s['tags'][name] = dict(s['tags'].get(name, {'favorite': False, 'color': False, 'todo': False}), **edit)
            s['tag_edits'].pop(name)
        # then what the others did
        for thing in listed:
            s['things'][thing['_id']] = thing
        for _id in things.get('deleted', []):
            s['things'].pop(_id, None)
            if _id in s['changed']:
                s['lost'].append(s['changed'].pop(_id))
            if _id in s['deleted']:
                s['deleted'].remove(_id)
        s['tags'].update(response.get('tags', {}))
        s['pos'] = response['pos']
        self.save()

    def pending(self):
        s = self.state
        return len(s['new']) + len(s['changed']) + len(s['deleted']) + len(s['tag_edits'])
