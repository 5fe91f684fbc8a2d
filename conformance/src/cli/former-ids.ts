/** How ids began before the rules of one topic got one first word. */
const formerBeginnings: readonly (readonly [former: RegExp, now: string])[] = [
  [/^(AUTH|ACCESS|HEADER)(?=-|$)/, 'TOKEN-$1'],
  [/^TAGS-GET(?=-|$)/, 'TAG-GET'],
  [/^SETTING(?=-|$)/, 'TAG-SETTING'],
  [/^TODO(?=-|$)/, 'TAG-TODO'],
]

/** The id or beginning of an id as it is now, in capitals; what never was one stays as it is. */
export function currentId(id: string): string {
  const upper = id.toUpperCase()
  const [former, now] = formerBeginnings.find(([beginning]) => beginning.test(upper)) ?? []
  return former === undefined || now === undefined ? upper : upper.replace(former, now)
}
