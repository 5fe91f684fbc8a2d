/** Collects what is wrong with the rows of one table, or of one account, in the words of the first few. */
export interface Findings {
  readonly add: (row: string, wrong: string | undefined) => void
  readonly says: () => string | undefined
}

const mostTold = 5

/** Nothing is wrong. */
export const createFindings = (): Findings => {
  const told: string[] = []
  let more = 0
  return {
    add: (row, wrong) => {
      if (wrong === undefined) return
      if (told.length < mostTold) told.push(row === '' ? wrong : `${row}: ${wrong}`)
      else more += 1
    },
    says: () => {
      if (told.length === 0) return undefined
      return [...told, ...(more === 0 ? [] : [`and ${more} more`])].join('; ')
    },
  }
}
