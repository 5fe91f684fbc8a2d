import { expect, test } from 'vitest'
import { createStory, findDecisive, renderStory, type StoryEvent, storyLimits } from './story.ts'
import type { WireExchange } from './wire.ts'

const asIs = (text: string): string => text

const command = (name: string, who = 'phone'): StoryEvent => ({ kind: 'command', who, command: name, parameters: {} })

const exchangeOf = (
  url: string,
  status: number,
  body: string,
  rest: { readonly form?: [string, string][]; readonly isScripted?: boolean; readonly location?: string } = {},
): WireExchange => {
  const { form = [], isScripted = false, location } = rest
  return {
    request: {
      ...{ number: 1, method: form.length === 0 ? 'GET' : 'POST', path: 'sync', url, query: [], form },
      ...{ headers: {}, body: Buffer.from(''), arrivedAt: 0 },
    },
    response: { status, headers: location === undefined ? {} : { location }, body: Buffer.from(body) },
    fate: '',
    isScripted,
  }
}

const happens = (exchange: WireExchange): StoryEvent => ({ kind: 'exchange', exchange })

const idle = exchangeOf('/v1/sync?from=2', 200, '{"pos":2}')

test('a story has commands, results and exchanges in their order, with the headers that matter', () => {
  const events: readonly StoryEvent[] = [
    { kind: 'note', text: 'another device syncs', upload: { deleted_thing: ['a1'] } },
    { kind: 'command', who: 'phone', command: 'change', parameters: { ref: 'r', title: 'x' } },
    { kind: 'outcome', who: 'phone', outcome: { result: {} } },
    command('sync'),
    happens(exchangeOf('/v1/sync?from=0', 301, '', { location: 'http://localhost/x' })),
    { kind: 'outcome', who: 'phone', outcome: { error: { kind: 'network' } } },
  ]

  expect(renderStory(events, asIs)?.split('\n').slice(1)).toEqual([
    'another device syncs {"deleted_thing":["a1"]}',
    'phone > change {"ref":"r","title":"x"}',
    'phone < {}',
    'phone > sync',
    '    GET /v1/sync  from=0',
    '    → 301 (location: http://localhost/x) ',
    'phone < error {"kind":"network"}',
  ])
})

test('a long story is cut at its beginning, and says how much is left out', () => {
  const events = Array.from({ length: 100 }, (_, index) => command(`sync-${index}`))

  const lines = renderStory(events, asIs)?.split('\n') ?? []

  expect(lines[1]).toBe('(40 earlier events are left out)')
  expect(lines.slice(2)).toEqual(Array.from({ length: storyLimits.lines }, (_, index) => `phone > sync-${index + 40}`))
})

test('a secret is replaced before a long line is cut', () => {
  const secret = 'the-secret'
  const text = `${'x'.repeat(storyLimits.lineLength - 24)}${secret}`
  const events: readonly StoryEvent[] = [{ kind: 'outcome', who: 'phone', outcome: { result: { text, more: text } } }]

  const shown = renderStory(events, (line) => line.replaceAll(secret, '{secret}')) ?? ''

  expect(shown).toMatch(/x\{[a-z]+…$/)
  expect(shown).not.toContain('the-')
})

test('a story without events is none', () => {
  expect(renderStory([], asIs)).toBeUndefined()
})

test('an error shows the events of its variant, and any other error shows all', () => {
  const story = createStory()
  const [first, second] = [story.tellFor(1), story.tellFor(2)]
  first(command('a'))
  second(command('b'))
  const error = new Error('of the first variant')
  story.blame(error, 1)
  story.blame(new Error('later'), 2)
  first(command('c'))

  expect(story.eventsBehind(error)).toEqual([command('a'), command('c')])
  expect(story.eventsBehind(new Error('of the rule'))).toHaveLength(3)
  story.clear()
  expect(story.eventsBehind(error)).toEqual([])
})

test('the exchange of a finding is the scripted one, not a redirect that the client followed', () => {
  const redirect = exchangeOf('/v1/sync', 301, '', { form: [['new_thing', '{}']], isScripted: true })
  const events = [command('sync'), happens(idle), command('sync'), happens(redirect), happens(idle)]

  expect(findDecisive(events, 'api')).toBe(redirect)
})

test('the exchange of a finding about what a replica holds is not a sync without news', () => {
  const news = exchangeOf('/v1/sync?from=1', 200, '{"pos":2,"things":{"deleted":["a"]}}')
  const events = [command('sync'), happens(news), command('sync'), happens(idle)]

  const failed: StoryEvent = { kind: 'outcome', who: 'phone', outcome: { error: { kind: 'internal' } } }
  expect(findDecisive([...events, command('read')], 'replica')).toBe(news)
  expect(findDecisive(events, 'replica')).toBe(news)
  expect(findDecisive([...events, failed], 'replica')).toBe(idle)
  expect(findDecisive(events, 'api')).toBe(idle)
  expect(findDecisive([command('sync'), happens(idle), command('read')], 'replica')).toBe(idle)
})

test('without an exchange a finding has none', () => {
  expect(findDecisive([command('sync')], 'replica')).toBeUndefined()
})
