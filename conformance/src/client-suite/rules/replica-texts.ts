/*
 * Rules of the profile `replica` about texts: whatever the user typed reaches the account, another device and the same
 * device again, in each field. A client shows texts safely, and stores them as they are. Start reading at `texts`.
 */
import type { JsonObject } from '../../encoding.ts'
import { type ClientLab, expectEqual, expectThat, type ReplicaDevice } from '../client-lab.ts'
import { clientRulesOf } from '../client-rule.ts'
import { expectConverged } from '../converge.ts'
import type { ScriptedServer } from '../scripted-server.ts'
import { lastWithNews } from '../story.ts'

/** Texts that a program may be tempted to repair. */
const texts: readonly string[] = [
  // Blanks and the ends of lines.
  ...[
    ' ',
    '   ',
    '\t',
    '\n',
    '\r\n',
    ' both ',
    '\n\nboth\n',
    'two  blanks',
    'a\nb',
    'a\r\nb',
    'a\rb',
    'a\tb',
    '\u00a0x\u00a0',
  ],
  // HTML of any kind.
  ...[
    '<script>alert("1")</script>',
    '<p onclick="a()">x</p>',
    '<!-- comment -->x',
    '<style>p{}</style>',
    '<b>unclosed',
  ],
  ...['</p>', '<br>', '<br/>', '<P CLASS=x>x</P>', '<iframe src="//example.org"></iframe>', '<svg/onload=a()>'],
  ...['<![CDATA[x]]>', '<!DOCTYPE html><html><head></head><body>x</body></html>', '<a href="javascript:a()">x</a>'],
  ...['&amp;&lt;&gt;&quot;&#39;&nbsp;', '&', '<', '>', 'a < b && b > c', '<p>\r\n  <i>x</i>\r\n</p>', "<p class='a'>"],
  // What looks like another value, or like code.
  ...['null', 'undefined', 'true', 'false', '0', '-1', '1e3', 'NaN', '[]', '{}', '[object Object]', '"x"', "'x'"],
  ...[
    'javascript:a()',
    'data:text/html,x',
    '\\',
    '\\n',
    '\\u0041',
    '%',
    '%20',
    '%zz',
    '+',
    'a+b',
    '$x',
    '=1+1',
    '--',
    '..',
  ],
  // Characters that have several forms, or no look of their own.
  ...[
    'e\u0301',
    '\u00e9',
    'ﬁ',
    'İı',
    'ß',
    '\ufeffx',
    'a\u200bb',
    'a\u00adb',
    '\u202ex',
    '\u2028',
    '\u0001\u001f\u007f',
  ],
  ...['👩‍👩‍👧‍👦', '🇨🇭', '𝒳', '❤\ufe0f', 'UPPER lower', 'Title.', 'x'.repeat(3000)],
]

/** A thing whose fields carry one text; the date tells which. */
const carrying = (text: string, index: number): JsonObject => ({
  title: text,
  html: text,
  url: text,
  date: 1_700_000_000 + index,
})

/** Every text in each field that may have it: only a title may be empty. */
const wantedThings: readonly JsonObject[] = [
  ...texts.map(carrying),
  { title: '', date: 1_700_000_000 + texts.length },
  { title: '', html: 'without a title', tags: 'a', date: 1_700_000_001 + texts.length },
]

/** Expects each wanted thing, found by its date, with exactly these texts. */
function expectTexts(
  server: ScriptedServer,
  came: readonly JsonObject[],
  wanted: readonly JsonObject[],
  where: string,
): void {
  const byDate = new Map(came.map((thing) => [thing.date, thing]))
  const at = lastWithNews(server.wire.exchanges)
  for (const { title, html = '', url = '', date } of wanted) {
    const thing = byDate.get(date)
    expectThat(thing !== undefined, `a thing with the date ${String(date)} ${where}`, 'it is not there', at)
    const texts = { title: thing.title ?? null, html: thing.html ?? '', url: thing.url ?? '' }
    expectEqual(texts, { title, html, url }, `the texts of a thing ${where}`, at)
  }
}

async function expectTextsEverywhere(
  server: ScriptedServer,
  wanted: readonly JsonObject[],
  devices: readonly ReplicaDevice[],
): Promise<void> {
  expectTexts(server, server.things(), wanted, 'in the account')
  for (const device of devices) {
    expectTexts(server, (await device.read()).things, wanted, `in ${device.name}`)
    await expectConverged(server, device, 'it synced')
  }
}

const openDevices = async (lab: ClientLab) => {
  const server = await lab.openServer()
  const [phone, laptop] = [await lab.replica(server), await lab.replica(server, 'laptop')]
  return { server, phone, laptop }
}

/** Rules about texts in every field. */
export const textRules = clientRulesOf('replica', '2.1', [
  {
    id: 'CLIENT-TEXT-01',
    title: 'MUST carry every text of a new thing to another device as it was typed: blanks, HTML, and no title',
    requirements: ['D-2.1-1', 'D-2.1-6'],
    check: async (lab) => {
      const { server, phone, laptop } = await openDevices(lab)
      for (const fields of wantedThings) await phone.create(fields)
      expectTexts(server, (await phone.read()).things, wantedThings, 'in phone, before its upload')
      await phone.restart()
      expectTexts(server, (await phone.read()).things, wantedThings, 'in phone, before its upload and after a restart')
      for (const device of [phone, laptop]) await device.syncUntilDone('the server takes every text')
      await expectTextsEverywhere(server, wantedThings, [phone, laptop])
      for (const device of [phone, laptop]) {
        await device.restart()
        await device.sync()
      }
      await expectTextsEverywhere(server, wantedThings, [phone, laptop])
    },
  },
  {
    id: 'CLIENT-TEXT-02',
    title:
      'MUST carry every text of a change to another device as it was typed, and keep it when another field changes',
    requirements: ['D-2.1-1', 'D-2.1-3', 'D-2.1-6'],
    check: async (lab) => {
      const { server, phone, laptop } = await openDevices(lab)
      const other = await server.device()
      const plain = wantedThings.map(({ date }) => ({ title: 'plain', html: 'plain', url: 'plain', date: date ?? 0 }))
      await other.sync({ new_thing: plain.map((thing, index) => ({ local_id: `n${index}`, ...thing })) })
      for (const device of [phone, laptop]) await device.sync()
      const changeEach = async (device: ReplicaDevice, fieldsOf: (thing: JsonObject) => JsonObject): Promise<void> => {
        const refs = new Map((await device.read()).things.map(({ date, ref }) => [date, ref]))
        for (const thing of wantedThings) {
          const ref = refs.get(thing.date)
          expectThat(
            ref !== undefined,
            `the thing with the date ${String(thing.date)} in ${device.name}`,
            'it is missing',
          )
          await device.change(ref, fieldsOf(thing))
        }
      }
      await changeEach(phone, ({ title, html = '', url = '' }) => ({ title: title ?? '', html, url }))
      expectTexts(server, (await phone.read()).things, wantedThings, 'in phone, before its upload')
      for (const device of [phone, laptop]) await device.syncUntilDone('the server takes every text')
      await expectTextsEverywhere(server, wantedThings, [phone, laptop])
      // The texts are in another field than the one that changes, on a device that received them.
      await changeEach(laptop, () => ({ archived: true }))
      for (const device of [laptop, phone]) await device.syncUntilDone('the server takes every text')
      await expectTextsEverywhere(server, wantedThings, [phone, laptop])
    },
  },
])
