/** The texts of the extension, in English. Every language has the same keys. */
export const en = {
  code: 'en',
  /** Texts of the manifest, in `_locales`. */
  manifest: {
    name: 'thingsync',
    description: 'Save pages, links and selected text on your own thingsync server, online and offline.',
    command: 'Save the current page',
  },
  menus: {
    page: 'Save this page',
    link: 'Save this link',
    selection: 'Save the selection as a note',
  },
  popup: {
    heading: 'Save this page',
    note: 'New note',
    saved: (date: string) => `Saved on ${date}`,
    savedArchived: (date: string) => `In the archive, saved on ${date}`,
    title: 'Title',
    url: 'URL',
    tags: 'Tags',
    tagsHint: 'Separate tags with spaces.',
    suggestions: 'Known tags',
    noteField: 'Note',
    addToNote: 'Add to the note',
    save: 'Save',
    saveChanges: 'Save changes',
    done: 'Saved',
    doneOffline: 'Saved in this browser',
    needsContent: 'Write a title, a URL or a note.',
    app: 'Open the app',
    settings: 'Settings',
    setUp: 'Sign in to your server to save pages.',
    setUpButton: 'Set up',
  },
  status: {
    waiting: (count: number) =>
      count === 1 ? '1 change waits for the server.' : `${count} changes wait for the server.`,
    sending: (count: number) => (count === 1 ? '1 change is not sent yet.' : `${count} changes are not sent yet.`),
    signedOut: 'Your session has ended. Saved items wait until you sign in again.',
    signIn: 'Sign in again',
    listing: (count: number) => `Reading your items: ${count}`,
    connecting: 'Reading your items.',
    upToDate: 'Everything is saved here and on the server.',
    tryNow: 'Try now',
  },
  setUp: {
    heading: 'thingsync in this browser',
    intro: 'Save pages, links and selected text on your own server. It also works offline.',
    server: 'URL of your server',
    serverHint: 'For example https://things.example. You find it in the address bar when you use the web app.',
    permission: 'The browser asks for access to this server, and to no other website.',
    signIn: 'Sign in',
    steps: {
      permission: 'Allow the access when the browser asks.',
      server: 'Looking for the server.',
      window: 'Continue in the window that opens.',
    },
    more: 'For servers that do not know this extension',
    moreHint: 'Register an app without a secret on the server, with this redirect URI. Then enter its client ID.',
    clientId: 'Client ID',
    redirectUri: 'Redirect URI',
    signedInAs: (name: string) => `Signed in as ${name}`,
    howTo: [
      'To save a page, select the button of thingsync in the toolbar, or press Alt+Shift+S. Then press Enter.',
      'To save a link or selected text, open its context menu.',
      'If you do not see the button, open the menu of extensions in the toolbar, and pin thingsync.',
    ],
    sessionEnded: (name: string) => `Your session as ${name} has ended. Sign in again.`,
    sentAfterSignIn: (count: number) =>
      count === 1 ? '1 change waits, and is sent then.' : `${count} changes wait, and are sent then.`,
    signOut: 'Sign out',
    signOutHint: 'Signing out deletes your items from this extension. They stay on the server.',
    signOutPending: (count: number) =>
      `${count === 1 ? '1 change is' : `${count} changes are`} not on the server yet and will be lost.`,
    signOutAnyway: 'Sign out and delete them',
    cancel: 'Cancel',
  },
  problems: {
    url_empty: 'Enter the URL of your server.',
    url_invalid: 'This is not a URL. Write it like https://things.example.',
    url_insecure: 'The URL must begin with https, because your password and your items travel there.',
    no_permission: 'The browser did not allow access to this server. Try again and choose Allow.',
    cancelled: 'The window was closed before you signed in. Try again.',
    access_denied: 'You did not allow the access on the page of your server. Sign in again and select Allow.',
    unknown_client:
      'This server does not know the extension. Ask its administrator to start it without --no-extension, or enter a client ID below.',
    other_account: (name: string) =>
      `Changes of ${name} still wait in this browser. Sign in as ${name}, or sign out first.`,
    not_signed_in: 'Sign in to your server first.',
    not_offered: 'There is no thingsync server with a sign-in page at this URL. Check the URL.',
    unreachable: (url: string) => `There is no response from ${url} – check the URL, and that the server runs.`,
    network: 'The server cannot be reached. Check the URL and your connection.',
    unexpected_response: 'The response was not from a thingsync server. Check the URL.',
    signed_out: 'Your session has ended. Sign in again.',
    store_full: 'The storage of this browser is full, so this was not saved. Free some space and try again.',
    store_forbidden: 'This browser does not let the extension save anything, so this was not saved.',
    store_gone: 'The data of the extension was deleted. Close this window and try again.',
    edit_rejected: (reason: string) =>
      `The server did not accept an item. Open its page, change the item in the popup, and save it again. ${reason}`,
    rejected: (reason: string) => `The server says: ${reason}`,
    other: (reason: string) => `That did not work: ${reason}`,
  },
}

/** The texts of one language. */
export type Words = typeof en
