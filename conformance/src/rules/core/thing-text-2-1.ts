import { expectField, expectThing } from '../../expect.ts'
import type { Lab } from '../../lab.ts'
import type { ThingFields } from '../../sync-request.ts'
import { coreSection } from './core-rules.ts'
import { stopIfRefused } from './stop-if-refused.ts'

/** Sends the fields as a new thing and again as a change, and expects both to come back exactly. */
const expectKept = async (lab: Lab, fields: ThingFields): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const from = await laptop.position()
  const created = await phone.create(fields)
  const changed = await phone.create()
  await phone.change(changed, fields)
  const answer = await laptop.sync({ from })
  for (const [id, how] of [
    [created, 'created'],
    [changed, 'changed'],
  ] as const) {
    const thing = expectThing(answer, id, `phone ${how} it`)
    for (const [field, value] of Object.entries(fields)) {
      expectField(thing, field, value, `${field} of the thing as phone ${how} it, character for character`, answer)
    }
  }
}

const textRule = (
  number: string,
  what: string,
  faults: readonly string[],
  fieldsOf: (mark: string) => ThingFields,
) => ({
  id: `THING-TEXT-${number}`,
  title: `MUST keep ${what}`,
  basis: 'derived' as const,
  clauses: ['C-2.1-13'],
  faults,
  check: (lab: Lab) => expectKept(lab, fieldsOf(lab.mark)),
})

/** A rule about something that the interface lets a server refuse, since it shows no limits. */
const refusableRule = (
  number: string,
  what: string,
  faults: readonly string[],
  fieldsOf: (mark: string) => ThingFields,
) => ({
  ...textRule(number, what, faults, fieldsOf),
  check: async (lab: Lab) => {
    const fields = fieldsOf(lab.mark)
    await stopIfRefused(lab, what, { new_thing: [{ local_id: lab.unique(), title: lab.unique(), ...fields }] })
    await expectKept(lab, fields)
  },
})

/** Text comes back as it was sent, whatever the transport has to escape (interface 2.1). */
export const thingTextRules = coreSection('2.1', [
  textRule('01', 'letters of any script in every text field', ['utf8-as-latin1'], (mark) => ({
    title: `Grüße, Žluťoučký, Ελλάδα, 日本語, العربية ${mark}`,
    tags: `büro ${mark} 買い物`,
    html: '<p>Übung, naïve, Привет</p>',
  })),
  textRule('02', 'emoji and other characters outside the basic plane', ['emoji-lost'], (mark) => ({
    title: `📱👩‍👩‍👧🏳️‍🌈 𝒳 𠮷 ${mark}`,
    html: '<p>🎉𝔘</p>',
  })),
  textRule(
    '03',
    'characters that forms give a meaning: plus, ampersand, equals, semicolon, hash',
    ['plus-becomes-space'],
    (mark) => ({
      title: `a+b&c=d;e#f?g[]=h ${mark}`,
      html: '<p>1+1=2</p>',
    }),
  ),
  textRule('04', 'percent signs', ['percent-decoded-twice'], (mark) => ({
    title: `100% %41 %2B %25 %zz ${mark}`,
    html: '<p>%3Cb%3E</p>',
  })),
  textRule('05', 'quotes and backslashes', ['backslashes-lost'], (mark) => ({
    title: `"double" 'single' \\ \\n \\" C:\\new ${mark}`,
    html: '<p>"\\u0041"</p>',
  })),
  textRule('06', 'markup signs in titles', ['html-escaped'], (mark) => ({
    title: `1 < 2 && 3 > 2 &amp; <b>bold</b> ${mark}`,
  })),
  textRule('07', 'line breaks and tabs in html', ['newlines-normalised'], (mark) => ({
    html: `<p>one\ntwo\r\nthree\tfour ${mark}</p>`,
  })),
  textRule('08', 'blanks around html', ['text-trimmed'], (mark) => ({ html: `  <p>${mark}</p>\n ` })),
  textRule('09', 'composed and decomposed letters as they are', ['nfc-normalised'], (mark) => ({
    title: `\u00e9 e\u0301 \u212b \uac00 \u1100\u1161 ${mark}`,
  })),
  refusableRule('10', 'a title of 1,000 characters', ['title-cut-at-255'], (mark) => ({
    title: `${mark} ${'long '.repeat(200)}end`,
  })),
  refusableRule('11', 'html of 70,000 characters', ['html-cut-at-64k'], (mark) => ({
    html: `<p>${mark} ${'0123456789'.repeat(7_000)}</p>`,
  })),
  refusableRule('12', 'every character of long answers', ['answer-cut-in-utf8'], (mark) => ({
    html: `<p>${mark} ${'aé日📱'.repeat(2_000)}</p>`,
  })),
  refusableRule('13', 'a date before 1970', ['date-negative-zeroed'], () => ({ date: -86_400 })),
])
