import type { ServerError } from './en.ts'

/** A sentence of the readers, and its German translation; `$1` and so on insert the capture groups. */
type ReasonPair = readonly [english: RegExp, german: string]

const advice =
  'als UTF-8 speichern, mit einem Texteditor oder iconv -f windows-1252 -t utf-8, und noch einmal importieren'

const reasonPairs: readonly ReasonPair[] = [
  [/^(\S+) and (\S+) are missing$/u, '$1 und $2 fehlen'],
  [/^(\S+) is missing$/u, '$1 fehlt'],
  [
    /^(\S+) is missing: an uploaded file is not in the export$/u,
    '$1 fehlt: eine hochgeladene Datei ist nicht im Export',
  ],
  [
    /^(\S+) is (".*"): an uploaded file is not in the export$/u,
    '$1 ist $2: eine hochgeladene Datei ist nicht im Export',
  ],
  [/^(\S+) must be text, not (.*)$/su, '$1 muss ein Text sein, nicht $2'],
  [/^(\S+) must be a number, not (.*)$/su, '$1 muss eine Zahl sein, nicht $2'],
  [/^(\S+) must be an object, not (.*)$/su, '$1 muss ein Objekt sein, nicht $2'],
  [/^(\S+) must be a list, not (.*)$/su, '$1 muss eine Liste sein, nicht $2'],
  [/^(\S+) must be true or false, not (.*)$/su, '$1 muss true oder false sein, nicht $2'],
  [/^(\S+) must be true, false, 1 or 0$/u, '$1 muss true, false, 1 oder 0 sein'],
  [/^(\S+) must be open or done, not (.*)$/su, '$1 muss open oder done sein, nicht $2'],
  [/^(\S+) must be yes or no, not (.*)$/su, '$1 muss yes oder no sein, nicht $2'],
  [/^(\S+) must be false, (\S+) or (\S+), not (.*)$/su, '$1 muss false, $2 oder $3 sein, nicht $4'],
  [/^(\S+) is not a date: (.*)$/su, '$1 ist kein Datum: $2'],
  [/^(\S+) is not a time: (.*)$/su, '$1 ist keine Zeit: $2'],
  [
    /^version is (.*), from a newer thingsync; new content was not read$/su,
    'version ist $1, von einem neueren thingsync; neue Inhalte wurden nicht gelesen',
  ],
  [
    /^this is not JSON; the file was not read from here on$/u,
    'das ist kein JSON; ab hier wurde die Datei nicht gelesen',
  ],
  [/^the file is cut off; the rest is missing$/u, 'die Datei ist abgeschnitten; der Rest fehlt'],
  [/^there is no URL \(http or https\) in this line$/u, 'in dieser Zeile steht keine Adresse (http oder https)'],
  [/^the front matter has no names$/u, 'die Kopfzeilen haben keine Namen'],
  [/^the front matter is not valid YAML: (.*)$/su, 'die Kopfzeilen sind kein gültiges YAML: $1'],
  [
    /^the front matter is longer than (\d+) characters; move long content below it$/u,
    'die Kopfzeilen sind länger als $1 Zeichen; Langes darunter schreiben',
  ],
  [
    /^the front matter has more than (\d+) entries; move long content below it$/u,
    'die Kopfzeilen haben mehr als $1 Einträge; Langes darunter schreiben',
  ],
  [
    /^the front matter has more than (\d+) lists or names inside one another$/u,
    'in den Kopfzeilen stehen mehr als $1 Listen oder Namen ineinander',
  ],
  [
    /^the front matter has more than (\d+) anchors or aliases$/u,
    'in den Kopfzeilen stehen mehr als $1 Anker oder Verweise auf sie',
  ],
  [
    /^the note has too many quotes or lists inside one another$/u,
    'in der Notiz stehen zu viele Zitate oder Listen ineinander',
  ],
  [
    /^more than (\d+) elements inside one another were not read$/u,
    'mehr als $1 Elemente ineinander wurden nicht gelesen',
  ],
  [
    /^the note that begins here is never closed, and was not read$/u,
    'die Notiz, die hier beginnt, wird nie geschlossen und wurde nicht gelesen',
  ],
  [
    /^the bookmark is in more than (\d+) folders inside one another$/u,
    'das Lesezeichen steht in mehr als $1 Ordnern ineinander',
  ],
  [
    /^the names of the folders of the bookmark are longer than (\d+) characters$/u,
    'die Namen der Ordner des Lesezeichens sind länger als $1 Zeichen',
  ],
  [
    /^the note (".*") was read without its attachments, which cannot be kept: (.*)$/su,
    'die Notiz $1 wurde ohne ihre Anhänge gelesen, die nicht behalten werden können: $2',
  ],
  [
    /^the file declares the encoding (.*), which is not known; .*$/su,
    `die Datei nennt die Kodierung $1, die nicht bekannt ist; ${advice}`,
  ],
  [
    /^line (\d+) is not (\S+), so nothing of the file was read; .*$/su,
    `Zeile $1 ist kein gültiges $2, darum wurde nichts von der Datei gelesen; ${advice}`,
  ],
  [
    /^the text after byte (\d+) is not (\S+), so nothing of the file was read; .*$/su,
    `der Text nach Byte $1 ist kein gültiges $2, darum wurde nichts von der Datei gelesen; ${advice}`,
  ],
]

/** Translates a sentence of a reader (`src/transfer/`) to German; undefined for an unknown sentence. */
export const translateReason = (reason: string): string | undefined => {
  const pair = reasonPairs.find(([english]) => english.test(reason))
  return pair && reason.replace(...pair)
}

/** German sentences about the quotas of an account, by the name of the setting; `max` is the number of the quota. */
const quotaSentences: Readonly<Record<string, (max: string) => string>> = {
  quota_things: (max) =>
    `Dieses Konto darf höchstens ${max} Einträge haben (quota_things); einige löschen oder die Administration fragen`,
  quota_bytes: (max) =>
    `Dieses Konto darf Einträge und Tags mit zusammen höchstens ${max} Bytes haben (quota_bytes); einige löschen oder kürzen oder die Administration fragen`,
  quota_tags: (max) =>
    `Dieses Konto darf höchstens ${max} Tags mit Einstellungen und ebenso viele mit gelöschten Einstellungen haben (quota_tags); ein vorhandenes Tag verwenden oder die Administration fragen`,
}

/**
 * Translates an error of the server to German by its code and by the names and numbers in its description, which stay
 * when the server words its sentences in another way. Returns the sentence of the server for any other error.
 */
export const translateServerError = ({ error, description, message }: ServerError): string => {
  const sentence = description ?? message
  const [max = ''] = /\d+/u.exec(sentence) ?? []
  const [quota = ''] = /\bquota_\w+/u.exec(sentence) ?? []
  const [, bytes] = /(\d+) bytes\b/u.exec(sentence) ?? []
  if (error === 'insufficient_scope') return 'Dieses Zugriffstoken darf nur lesen'
  if (error !== 'too_large') return sentence
  if (max !== '' && Object.hasOwn(quotaSentences, quota)) return quotaSentences[quota]?.(max) ?? sentence
  return bytes === undefined ? sentence : `Das ist zu groß: Der Server akzeptiert höchstens ${bytes} Bytes`
}
