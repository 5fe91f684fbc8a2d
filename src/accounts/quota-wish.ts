import type { Quota } from '../store/registry/registry.ts'

/** What a quota is about. */
export const quotaNames = ['things', 'bytes', 'tags', 'hooks'] as const

/** An amount; any amount (`none`); or what everybody may have (`default`). */
export type QuotaWish = number | 'none' | 'default'

/** The wish that a text says; undefined when it says none, or an amount over the most that anybody may have. */
export const readQuotaWish = (text: string, most = Number.MAX_SAFE_INTEGER): QuotaWish | undefined => {
  if (text === 'none' || text === 'default') return text
  const amount = Number(text)
  return /^\d+$/.test(text) && amount <= most ? amount : undefined
}

/** What a quota is to be about; what is absent stays as it is. */
export type QuotaChange = { readonly [Name in keyof Quota]?: QuotaWish }
