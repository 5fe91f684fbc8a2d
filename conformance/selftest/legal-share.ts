import { legalDifferences } from './legal-differences.ts'

/** One of three shares (0 to 2) of the legal servers; all of them are judged without it. */
const share = process.env.SELFTEST_LEGAL_SHARE

/** Those of the legal servers that are judged by one of two files, so that two processors do it. */
export const listLegal = (file: 0 | 1): typeof legalDifferences => {
  if (share !== undefined && !/^[012]$/.test(share)) throw new Error('SELFTEST_LEGAL_SHARE: give 0, 1 or 2')
  return legalDifferences
    .filter((_, place) => place % 2 === file)
    .filter((_, place) => share === undefined || place % 3 === Number(share))
}
