/**
 * The address of a one-time link, made of the base address (`…/v1/`). The secret is in the query, which is never logged
 * here. `thingsync user link` and `user invite` print the same.
 */
export const showLinkAddress = (baseUrl: string, secret: string): string =>
  `${baseUrl.replace(/v1\/$/, '')}link?key=${secret}`
