import type { ServerError } from './en.ts'

/** A sentence of the readers, and its German translation; `$1` and so on insert the capture groups. */
type ReasonPair = readonly [english: RegExp, german: string]

const advice =
  'als UTF-8 sichern, mit einem Texteditor oder iconv -f windows-1252 -t utf-8, und noch einmal importieren'

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
  [/^(\S+) is none: (.*)$/su, '$1 ist kein Datum: $2'],
  [/^(\S+) is no date: (.*)$/su, '$1 ist kein Datum: $2'],
  [/^(\S+) is no time: (.*)$/su, '$1 ist keine Zeit: $2'],
  [
    /^version is (.*), of a newer thingsync; what is new was not read$/su,
    'version ist $1, von einem neueren thingsync; was neu ist, wurde nicht gelesen',
  ],
  [/^this is not JSON; it and what follows was not read$/u, 'das ist kein JSON; es und was folgt, wurde nicht gelesen'],
  [/^the file is cut off; what follows is missing$/u, 'die Datei ist abgeschnitten; was folgt, fehlt'],
  [/^there is no URL \(http or https\) in this line$/u, 'in dieser Zeile steht keine Adresse (http oder https)'],
  [/^the front matter has no names$/u, 'die Kopfzeilen haben keine Namen'],
  [/^the front matter is no YAML: (.*)$/su, 'die Kopfzeilen sind kein YAML: $1'],
  [
    /^the front matter is longer than (\d+) characters; move what is long below it$/u,
    'die Kopfzeilen sind länger als $1 Zeichen; Langes darunter schreiben',
  ],
  [
    /^the front matter has more than (\d+) entries; move what is long below it$/u,
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
    `Zeile $1 ist kein $2, also wurde nichts von der Datei gelesen; ${advice}`,
  ],
  [
    /^what follows byte (\d+) is not (\S+), so nothing of the file was read; .*$/su,
    `was auf Byte $1 folgt, ist kein $2, also wurde nichts von der Datei gelesen; ${advice}`,
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
    `Dieses Konto darf ${max} Einträge haben (quota_things); einige löschen oder die Verwaltung fragen`,
  quota_bytes: (max) =>
    `Dieses Konto darf Einträge und Tags von zusammen ${max} Bytes haben (quota_bytes); einige löschen oder kürzen oder die Verwaltung fragen`,
  quota_tags: (max) =>
    `Dieses Konto darf ${max} Tags mit Einstellungen haben und sich ebenso viele mit gelöschten merken (quota_tags); ein vorhandenes Tag verwenden oder die Verwaltung fragen`,
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
  if (error === 'insufficient_scope') return 'Dieser Zugang darf nur lesen'
  if (error !== 'too_large') return sentence
  if (max !== '' && Object.hasOwn(quotaSentences, quota)) return quotaSentences[quota]?.(max) ?? sentence
  return bytes === undefined ? sentence : `Das ist zu groß: der Server nimmt auf einmal höchstens ${bytes} Bytes`
}
