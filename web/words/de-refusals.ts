/** A sentence of the server, and the same in German; what is in brackets is taken over. */
type Pair = readonly [english: RegExp, german: string]

const pairs: readonly Pair[] = [
  [
    /^This account may have (\d+) things \(quota_things\); .*$/u,
    'Dieses Konto darf $1 Einträge haben (quota_things); einige löschen, oder fragen, wer den Server betreibt',
  ],
  [
    /^This account may have (\d+) bytes of things and tags \(quota_bytes\); .*$/u,
    'Dieses Konto darf Einträge und Tags von zusammen $1 Bytes haben (quota_bytes); einige löschen oder kürzen, oder fragen, wer den Server betreibt',
  ],
  [
    /^This account may have (\d+) tags with settings \(quota_tags\); .*$/u,
    'Dieses Konto darf $1 Tags mit Einstellungen haben (quota_tags); die Einstellungen von einigen löschen, oder die Verwaltung fragen',
  ],
  [
    /^This account keeps the names of (\d+) tags whose settings were cleared, .*$/u,
    'Dieses Konto merkt sich schon $1 Tags mit gelöschten Einstellungen (quota_tags); einen von ihnen verwenden, oder die Verwaltung fragen',
  ],
  [/^The request body is larger than (\d+) bytes$/u, 'Das ist zu groß: der Server nimmt auf einmal höchstens $1 Bytes'],
  [/^This access token may only read$/u, 'Dieser Zugang darf nur lesen'],
]

/** Why the server did not take an edit, in German; the sentence itself when it is not known here. */
export const sayRefusalInGerman = (sentence: string): string => {
  const pair = pairs.find(([english]) => english.test(sentence))
  return pair === undefined ? sentence : sentence.replace(...pair)
}
