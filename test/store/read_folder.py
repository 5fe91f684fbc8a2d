"""Reads a closed data folder of thingsync as docs/reference/data-folder.md says, and prints what it holds as JSON."""
import json, os, sys, zlib

KEY = 'account '


def refuse(path, why):
    sys.exit(f'{path}: {why}')


def crc(data, start=0):
    return '%08x' % zlib.crc32(data, start)


def read_document(path, form, version):
    """A file that is one JSON object, with a checksum of all above its last line."""
    data = open(path, 'rb').read()
    value = json.loads(data)
    sealed = data[: data.rindex(b'\n"checksum": "')] if 'checksum' in value else None
    if sealed is not None and value['checksum'] not in ('crc32 --------', 'crc32 ' + crc(sealed)):
        refuse(path, 'its checksum does not fit')
    if value['format'] != form or value['version'] > version:
        refuse(path, 'not a file that this program knows')
    return value


def read_line(line):
    """A line as its number, its key and its steps; None when it is not whole."""
    if line[:10] != b'{"crc32":"' or line[18:20] != b'",':
        return None
    if line[10:18] != b'--------' and line[10:18].decode() != crc(line[20:]):
        return None
    value = json.loads(line)
    name = line[line.index(b',"of":') + 6 : line.index(b',"ofCrc32":')]
    return (value['write'], value['of'], value['do']) if value['ofCrc32'] == crc(name) else None


def read_thing(step):
    """The step of a thing as its fields."""
    shown = step['thing']
    thing = {name: shown[name] for name in ('title', 'tags', 'date', 'url', 'html') if name in shown}
    position, created, others = step['at']
    return {'id': shown['_id'], **thing, 'archived': shown.get('archived', False),
            'todoStatus': shown.get('todoStatus', step.get('todoStatus', False)),
            'position': position, 'createdPosition': created, 'writer': step['by'], 'othersPosition': others}


def apply(account, steps, is_base):
    for step in steps:
        (kind, item), = [('thing', read_thing(step))] if 'thing' in step else step.items()
        scope = (item.get('kind'), item.get('group')) if isinstance(item, dict) else None
        if kind in ('thing', 'tombstone', 'tag'):
            if not is_base and item['position'] != account['position'] + 1:
                refuse(account['id'], f"position {item['position']} follows {account['position']}")
            if not is_base:
                account['position'] = item['position']
            name = item['name'] if kind == 'tag' else item['id']
            if kind != 'tag':
                account['thing'].pop(name, None), account['tombstone'].pop(name, None)
            account[kind][name] = item
        elif kind == 'record':
            account['record'][(*scope, item['key'])] = item
        elif kind == 'removedRecord':
            account['record'].pop((*scope, item['key']), None)
        elif kind == 'removedRecords':
            account['record'] = {at: one for at, one in account['record'].items() if at[:2] != scope}


def empty(user):
    return {'id': user, 'position': 0, 'write': 0, 'thing': {}, 'tombstone': {}, 'tag': {}, 'record': {}}


def read_account(path, known):
    """The file of an account up to its last seal that fits."""
    whole, pending, base, checksum, done = None, [], True, 0, None
    for line in open(path, 'rb').read().split(b'\n')[:-1]:
        read = read_line(line)
        if read is None:
            break
        write, key, steps = read
        if isinstance(steps, dict) and 'sealed' in steps:
            if '%08x' % checksum != steps['sealed']:
                break
            for one in pending:
                apply(whole, one, base)
            whole['write'], done, pending, base = write, write, [], False
            continue
        checksum = zlib.crc32(line + b'\n', checksum)
        if whole is None:
            if steps['format'] != 'thingsync account' or steps['version'] != 1:
                refuse(path, 'not the file of an account')
            whole = {**empty(key[len(KEY) :]), 'position': steps['position']}
        else:
            pending.append(steps)
    if done is None or done < known:
        refuse(path, 'damaged')
    return whole


def main(folder):
    about = read_document(os.path.join(folder, 'format.json'), 'thingsync data', 1)
    known = dict(about.get('accounts', []))
    accounts = {}
    for name in sorted(known):
        paths = [os.path.join(at, name) for at, _, names in os.walk(os.path.join(folder, 'accounts')) if name in names]
        account = read_account(paths[0], known[name]) if paths else refuse(name, 'missing')
        accounts[account['id']] = account
    raises = [(one['write'], one['by']) for one in about['raises']]
    # Behind the last write of an outlier files are removed; other files hold their content.
    gaps = {one['next'] for one in about.get('outliers', [])}
    events, last = [], None
    for name in sorted(os.listdir(os.path.join(folder, 'journal'))):
        if last is not None and last + 1 in gaps:
            last = None
        for line in open(os.path.join(folder, 'journal', name), 'rb').read().split(b'\n')[:-1]:
            write, key, steps = read_line(line) or refuse(name, 'damaged')
            if last is not None and write != last + 1:
                refuse(name, f'write {write} follows {last}')
            last = write
            if key.startswith(KEY):
                accounts.setdefault(key[len(KEY) :], empty(key[len(KEY) :]))
                events.append((write, key[len(KEY) :], steps))
    for write, by in raises:
        events += [(write, user, by) for user in accounts]
    for write, user, steps in sorted(events, key=lambda event: event[0]):
        account = accounts[user]
        if write <= account['write']:
            continue
        if steps == 'removed':
            accounts[user] = empty(user)
        elif isinstance(steps, int):
            account['position'] += steps
        else:
            apply(account, steps, False)
    by_position = lambda items: sorted(items, key=lambda item: item['position'])
    print(json.dumps([
        {'id': one['id'], 'position': one['position'], 'records': len(one['record']),
         **{kind: by_position(one[kind].values()) for kind in ('thing', 'tombstone', 'tag')}}
        for _, one in sorted(accounts.items()) if one['position'] > 0 or one['record']
    ]))


main(sys.argv[1])
