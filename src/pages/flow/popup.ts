/**
 * Headers of pages that apps open in windows of their own: with the usual policy the app would never hear of its window
 * again, and wait for ever.
 */
export const forPopups: Readonly<Record<string, string>> = { 'cross-origin-opener-policy': 'unsafe-none' }
