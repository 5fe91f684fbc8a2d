import type { Words } from './words-en.ts'

/** The texts of the extension, in German. */
export const de: Words = {
  code: 'de',
  manifest: {
    name: 'thingsync',
    description: 'Seiten, Links und markierten Text auf dem eigenen thingsync-Server speichern, auch ohne Netz.',
    command: 'Diese Seite speichern',
  },
  menus: {
    page: 'Diese Seite speichern',
    link: 'Diesen Link speichern',
    selection: 'Auswahl als Notiz speichern',
  },
  popup: {
    heading: 'Diese Seite speichern',
    note: 'Neue Notiz',
    saved: (date) => `Gespeichert am ${date}`,
    savedArchived: (date) => `Im Archiv, gespeichert am ${date}`,
    title: 'Titel',
    url: 'Adresse',
    tags: 'Tags',
    tagsHint: 'Tags mit Leerzeichen trennen.',
    suggestions: 'Bekannte Tags',
    noteField: 'Notiz',
    addToNote: 'Zur Notiz hinzufügen',
    save: 'Speichern',
    saveChanges: 'Änderungen speichern',
    done: 'Gespeichert',
    doneOffline: 'In diesem Browser gespeichert',
    needsContent: 'Titel, Adresse oder Notiz eingeben.',
    app: 'App öffnen',
    settings: 'Einstellungen',
    setUp: 'Zum Speichern beim eigenen Server anmelden.',
    setUpButton: 'Einrichten',
  },
  status: {
    waiting: (count) =>
      count === 1 ? '1 Änderung wartet auf den Server.' : `${count} Änderungen warten auf den Server.`,
    sending: (count) =>
      count === 1 ? '1 Änderung ist noch nicht gesendet.' : `${count} Änderungen sind noch nicht gesendet.`,
    signedOut: 'Die Sitzung ist beendet. Gespeichertes wartet bis zur nächsten Anmeldung.',
    signIn: 'Wieder anmelden',
    listing: (count) => `Einträge werden gelesen: ${count}`,
    connecting: 'Einträge werden gelesen.',
    upToDate: 'Alles ist hier und auf dem Server gespeichert.',
    tryNow: 'Jetzt versuchen',
  },
  setUp: {
    heading: 'thingsync in diesem Browser',
    intro: 'Seiten, Links und markierten Text auf dem eigenen Server speichern, auch ohne Netz.',
    server: 'Adresse des Servers',
    serverHint: 'Zum Beispiel https://things.example. Sie steht in der Adresszeile, wenn die Web-App offen ist.',
    permission: 'Der Browser fragt nach dem Zugriff auf diesen Server, und auf keine andere Website.',
    signIn: 'Anmelden',
    steps: {
      permission: 'Den Zugriff erlauben, wenn der Browser fragt.',
      server: 'Der Server wird gesucht.',
      window: 'Weiter geht es in dem Fenster, das sich öffnet.',
    },
    more: 'Für Server, die diese Erweiterung nicht kennen',
    moreHint:
      'Auf dem Server eine App ohne Geheimnis mit dieser Redirect-URI anlegen und ihre Client-ID hier eingeben.',
    clientId: 'Client-ID',
    redirectUri: 'Redirect-URI',
    signedInAs: (name) => `Angemeldet als ${name}`,
    howTo: [
      'Eine Seite speichern: den Knopf von thingsync in der Leiste oder Alt+Umschalt+S drücken, dann die Eingabetaste.',
      'Links und markierten Text speichert das Kontextmenü.',
      'Ist der Knopf nicht zu sehen: in der Leiste das Menü der Erweiterungen öffnen und thingsync anheften.',
    ],
    sessionEnded: (name) => `Die Sitzung von ${name} ist beendet. Bitte wieder anmelden.`,
    sentAfterSignIn: (count) =>
      count === 1
        ? '1 Änderung wartet und wird dann gesendet.'
        : `${count} Änderungen warten und werden dann gesendet.`,
    signOut: 'Abmelden',
    signOutHint: 'Beim Abmelden werden die Einträge aus dieser Erweiterung gelöscht. Auf dem Server bleiben sie.',
    signOutPending: (count) =>
      count === 1
        ? '1 Änderung ist noch nicht auf dem Server und geht verloren.'
        : `${count} Änderungen sind noch nicht auf dem Server und gehen verloren.`,
    signOutAnyway: 'Abmelden und löschen',
    cancel: 'Abbrechen',
  },
  problems: {
    url_empty: 'Die Adresse des Servers eingeben.',
    url_invalid: 'Das ist keine Adresse. Sie sieht so aus: https://things.example.',
    url_insecure: 'Die Adresse muss mit https beginnen, weil Passwort und Einträge dorthin gehen.',
    no_permission: 'Der Browser hat den Zugriff auf diesen Server nicht erlaubt. Noch einmal versuchen und zulassen.',
    cancelled: 'Das Fenster wurde vor der Anmeldung geschlossen. Bitte noch einmal versuchen.',
    access_denied: 'Der Zugriff wurde auf der Seite des Servers nicht erlaubt. Noch einmal anmelden und zulassen.',
    unknown_client:
      'Dieser Server kennt die Erweiterung nicht. Beim Betrieb fragen, ob er ohne --no-extension starten kann, oder unten eine Client-ID eingeben.',
    other_account: (name) =>
      `Änderungen von ${name} warten noch in diesem Browser. Als ${name} anmelden oder zuerst abmelden.`,
    not_signed_in: 'Zuerst beim Server anmelden.',
    not_offered: 'Unter dieser Adresse gibt es keinen thingsync-Server mit Anmeldung. Die Adresse prüfen.',
    unreachable: (url) => `Keine Antwort von ${url} – die Adresse prüfen, und ob der Server läuft.`,
    network: 'Der Server ist nicht erreichbar. Adresse und Verbindung prüfen.',
    unexpected_response: 'Die Antwort kam nicht von einem thingsync-Server. Die Adresse prüfen.',
    signed_out: 'Die Sitzung ist beendet. Bitte wieder anmelden.',
    store_full: 'Der Speicher des Browsers ist voll, das wurde nicht gespeichert. Platz schaffen, dann noch einmal.',
    store_forbidden: 'Dieser Browser lässt die Erweiterung nichts speichern, das wurde nicht gespeichert.',
    store_gone: 'Die Daten der Erweiterung wurden gelöscht. Das Fenster schließen und noch einmal versuchen.',
    edit_rejected: (reason) =>
      `Der Server hat einen Eintrag nicht angenommen. Seine Seite öffnen, ihn ändern und noch einmal speichern. ${reason}`,
    rejected: (reason) => `Der Server sagt: ${reason}`,
    other: (reason) => `Das hat nicht geklappt: ${reason}`,
  },
}
