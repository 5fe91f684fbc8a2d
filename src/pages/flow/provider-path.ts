/** Where a sign-in at the provider begins; its answer comes back below. */
export const providerPath = '/sign-in/provider'
