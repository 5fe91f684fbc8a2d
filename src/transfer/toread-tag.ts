/** The tag of what another program keeps as "to read" or "unread". */
export const toreadTag = 'toread'
