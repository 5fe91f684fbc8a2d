"""A small client for the things sync protocol. Standard library only."""
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
            with urllib.request.urlopen(request, timeout=self.timeout) as response:
                status, body, retry = response.status, response.read(), None
        except urllib.error.HTTPError as e:
            status, body, retry = e.code, e.read(), e.headers.get('Retry-After')
        except (urllib.error.URLError, OSError) as e:
            raise ApiError('network', str(e))
        try:
            result = json.loads(body)
        except ValueError:
            raise ApiError('bad_response', 'the server did not return JSON', status, retry)
        if isinstance(result, dict) and 'error' in result:
            raise ApiError(result['error'], result.get('error_description', ''), status, retry)
        if status >= 400:
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
        return result


class Replica:
    """The things of one user in a JSON file, with the edits that wait for upload."""

    def __init__(self, path, base_url, client_id, client_secret):
        self.path = path
        self.state = {'pos': 0, 'things': {}, 'tags': {}, 'new': {}, 'changed': {}, 'deleted': [],
                      'tag_edits': {}, 'tokens': None, 'lost': []}
        if os.path.exists(path):
            with open(path, encoding='utf-8') as f:
                self.state.update(json.load(f))
        tokens = self.state['tokens'] or [None, None]
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
        if _id in s['new']:
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
        new = [dict(thing, local_id=local_id) for local_id, thing in s['new'].items()]
        changed = []
        for _id, edit in s['changed'].items():
            thing = dict(s['things'][_id], **edit)
            thing['_id'] = _id
            changed.append(thing)
        response = self.client.sync(s['pos'], new=new, changed=changed, deleted=s['deleted'], tags=s['tag_edits'])
        things = response.get('things') or {}
        # our own uploads are on the server now
        for thing in changed:
            s['things'][thing['_id']] = thing
        for _id in s['deleted']:
            s['things'].pop(_id, None)
        for local_id, _id in (things.get('new') or {}).items():
            if local_id in s['new']:
                s['things'][_id] = dict(s['new'].pop(local_id), _id=_id)
        for name, edit in s['tag_edits'].items():
            s['tags'][name] = dict(s['tags'].get(name, {'favorite': False, 'color': False, 'todo': False}), **edit)
        lost = []
        # then what the others did
        for thing in things.get('changed') or []:
            s['things'][thing['_id']] = thing
        for _id in things.get('deleted') or []:
            s['things'].pop(_id, None)
            if _id in s['changed']:
                lost.append(_id)
        for name, settings in (response.get('tags') or {}).items():
            s['tags'][name] = settings
        s['changed'], s['deleted'], s['tag_edits'] = {}, [], {}
        s['pos'] = response['pos']
        self.save()
        return {'lost': lost}

    def pending(self):
        s = self.state
        return len(s['new']) + len(s['changed']) + len(s['deleted']) + len(s['tag_edits'])
