/** Rows as lines of aligned columns under a heading; every row has the same names. */
export function printTable(rows: readonly Readonly<Record<string, string>>[]): string {
  const names = Object.keys(rows[0] ?? {})
  const heading = Object.fromEntries(names.map((name) => [name, name.replaceAll('_', ' ')]))
  const widths = names.map((name) => Math.max(...[heading, ...rows].map((row) => (row[name] ?? '').length)))
  const line = (row: Readonly<Record<string, string>>) =>
    names
      .map((name, column) => (row[name] ?? '').padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [heading, ...rows].map((row) => `${line(row)}\n`).join('')
}

/** Unix time in seconds as a person reads it, in UTC. */
export const showDate = (unixSeconds: number): string =>
  new Date(unixSeconds * 1000).toISOString().replace(/\.000Z$/, 'Z')
