import { expect, test } from 'vitest'
import { readArguments, readRunSettings, readSelection, readTarget, UsageError } from './arguments.ts'

const connection = [
  '--base-url',
  'http://localhost:8080/v1',
  '--client-id',
  'dev',
  '--client-secret',
  's3cret',
  '--user',
  'alice:won:der',
]

test('run is the default command, and the command line wins over the variables', () => {
  const given = readArguments([...connection, '--profile=full'], {
    THINGSYNC_PROFILE: 'core',
    THINGSYNC_RULE: 'SYNC\nTOKEN',
    THINGSYNC_WIPE: '1',
    THINGSYNC_SEED: '',
  })

  expect({
    command: given.command,
    target: readTarget(given),
    selection: readSelection(given),
    settings: readRunSettings(given),
  }).toEqual({
    command: 'run',
    target: {
      baseUrl: 'http://localhost:8080/v1/',
      clientId: 'dev',
      clientSecret: 's3cret',
      users: [{ username: 'alice', password: 'won:der' }],
    },
    selection: { profile: 'full', rules: ['SYNC', 'TOKEN'], level: 'must' },
    settings: { wipe: true, isRestartedManually: false, verbose: false, reports: [] },
  })
})

test('a repeated option keeps every value in order', () => {
  const given = readArguments(
    [
      ...connection,
      '--user=bob:b',
      '--auth-header',
      'Bearer {token}',
      '--report',
      'json=a=b.json',
      '--report',
      'junit=c.xml',
    ],
    {},
  )

  expect(readTarget(given).users.map((user) => user.username)).toEqual(['alice', 'bob'])
  expect(readTarget(given).authHeaders).toEqual(['Bearer {token}'])
  expect(readRunSettings(given).reports).toEqual([
    { kind: 'json', file: 'a=b.json' },
    { kind: 'junit', file: 'c.xml' },
  ])
})

test('a password may begin with dashes', () => {
  expect(readTarget(readArguments([...connection.slice(0, 6), '--user', 'alice:--x'], {})).users).toEqual([
    { username: 'alice', password: '--x' },
  ])
})

test('all missing options are named at once, with their variables', () => {
  const given = readArguments(['--client-id', 'dev'], {})

  expect(() => readTarget(given)).toThrow(
    new UsageError(
      'missing --base-url, --client-secret, --user; give them on the command line or as THINGSYNC_BASE_URL, THINGSYNC_CLIENT_SECRET, THINGSYNC_USER',
    ),
  )
})

const usageErrors: [words: string[], sentence: RegExp][] = [
  [['rnu'], /no command rnu; did you mean run\?/],
  [['--bas-url', 'x'], /no option --bas-url; did you mean --base-url/],
  [['--profil', 'core'], /no option --profil; did you mean --profile\?/],
  [['-x'], /no option -x/],
  [['list', '--wipe'], /--wipe does not belong to list but to run/],
  [['run', 'SYNC-INCREMENTAL-01'], /run takes options only, but SYNC-INCREMENTAL-01 was given/],
  [['--coverage'], /--coverage does not belong to run but to list/],
  [['--rule'], /--rule needs a value; write --rule ID/],
  [['--rule', '--wipe'], /--rule needs a value/],
  [['--wipe=yes'], /--wipe takes no value/],
  [['--seed', '1', '--seed', '2'], /--seed was given twice/],
]

test.each(usageErrors)('%j is rejected in one sentence', (words, sentence) => {
  expect(() => readArguments(words, {})).toThrow(sentence)
  expect(() => readArguments(words, {})).toThrow(UsageError)
})

const wrongValues: [words: string[], sentence: RegExp][] = [
  [['--base-url', 'localhost:8080'], /--base-url must be an absolute http or https URL.*not localhost:8080/],
  [['--base-url', 'http://a:geheim@host/'], /^--base-url contains a user name or password; give them with --user$/],
  [['--base-url', 'http://host/v1/?x=1'], /--base-url must not contain \?x=1/],
  [['--user', 'geheim'], /^--user must be NAME:PASSWORD, the name up to the first colon$/],
  [['--user', 'alice:'], /--user must be NAME:PASSWORD/],
  [['--auth-header', 'Bearer'], /--auth-header must contain \{token\}/],
  [['--profile', 'all'], /--profile must be core or full, not all/],
  [['--level', 'may'], /--level must be must or should, not may/],
  [['--seed', '-1'], /--seed must be a whole number from 0 to 4294967295, not -1/],
  [['--jobs', '0'], /--jobs must be a whole number from 1/],
  [['--histories', 'many'], /--histories must be a whole number/],
  [['--report', 'xml=a'], /--report supports json, junit, tap, html, text, not xml/],
  [['--report', 'json'], /--report json needs a file/],
  [['--webhook-listen', '8080'], /--webhook-listen must be HOST:PORT, such as 127\.0\.0\.1:0, not 8080/],
  [['--webhook-listen', 'localhost:99999'], /--webhook-listen must be HOST:PORT/],
  [['--webhook-url', 'http://me.example/'], /--webhook-url also needs --webhook-listen/],
  [['--webhook-listen', 'localhost:1', '--webhook-url', 'me'], /--webhook-url must be an absolute http or https URL/],
  [['--other-client', 'geheim'], /^--other-client must be ID:SECRET, the id up to the first colon$/],
  [['--other-client', 'dev:x'], /--other-client names dev, which --client-id also names/],
]

test.each(wrongValues)('%j is rejected in one sentence that repeats no password', (words, sentence) => {
  const rest = connection.filter((_, index) => connection[index - (index % 2)] !== words[0])
  const given = readArguments([...rest, ...words], {})

  expect(() => [readTarget(given), readSelection(given), readRunSettings(given)]).toThrow(sentence)
})

test('the options of the receiver and of the second application are read', () => {
  const given = readArguments([...connection, '--webhook-listen', '[::1]:0', '--webhook-url', 'https://me.example/h'], {
    THINGSYNC_OTHER_CLIENT: 'app2:s:2',
  })

  expect(readRunSettings(given).receiver).toEqual({ host: '::1', port: 0, url: 'https://me.example/h' })
  expect(readTarget(given).otherClient).toEqual({ clientId: 'app2', clientSecret: 's:2' })
})

test('two accounts are two', () => {
  expect(() => readTarget(readArguments([...connection, '--user', 'alice:other'], {}))).toThrow(
    /--user names alice twice/,
  )
})

test('a restart is done by a command or by the user, not by both', () => {
  const given = readArguments([...connection, '--restart-manually', '--restart', 'true'], {})

  expect(readRunSettings(readArguments([...connection, '--restart-manually'], {})).isRestartedManually).toBe(true)
  expect(() => readRunSettings(given)).toThrow('--restart and --restart-manually exclude each other; leave one out')
})
