import { oneToken, tokenWord } from '../../brand/token-word';
import type { Translated } from '../../locale/translated';
import type * as english from '../en/usage';

export const usage: Translated<typeof english.usage> = {
  title: 'Nutzung',
  allTitle: 'Gesamte Nutzung',
  help: 'Anfragen erscheinen hier, sobald sie abgerechnet sind. Abgelehnte Anfragen hinterlassen keinen Eintrag.',
  allHelp: 'Anfragen aller Konten. Sie erscheinen hier, sobald sie abgerechnet sind.',
  endings: {
    completed: 'Abgeschlossen', empty: 'Leere Antwort', balance_exhausted: 'Guthaben aufgebraucht', key_limit_reached: 'Limit des Schlüssels erreicht', time_limit_reached: 'Zeitlimit erreicht', client_left: 'Vom Client beendet',
    provider_failed: 'Modell ausgefallen', provider_unavailable: 'Modell nicht verfügbar', request_rejected: 'Vom Modell abgelehnt', shutdown: 'Gateway beendet', crashed: 'Gateway abgestürzt', internal_error: 'Interner Fehler',
  },
  filters: {
    title: 'Filter', count: (filters) => (filters === 0 ? 'Filter' : `Filter (${filters})`), clear: 'Filter entfernen', done: 'Anfragen anzeigen',
    model: 'Modell', allModels: 'Alle Modelle', key: 'Schlüssel', allKeys: 'Alle Schlüssel', user: 'Nutzer', allUsers: 'Alle Nutzer', ending: 'Ergebnis', allEndings: 'Alle Ergebnisse',
    minCharge: 'Mindestbetrag', anyCharge: 'Jeder Betrag', account: 'Konto', allAccounts: 'Alle Konten', userHelp: 'Wie in der Anfrage genannt',
    noMatch: 'Nichts gefunden', typeKey: 'Teil des Namens oder des Schlüssels eingeben',
  },
  sums: {
    title: 'Summen', charged: 'Berechnet', requests: 'Anfragen', prompt: 'Eingabe-Tokens', output: 'Ausgabe-Tokens', cost: 'Kosten', before: (days) => (days === 1 ? 'am Tag davor' : `in den ${days} Tagen davor`),
    asOf: (instant) => `Summen vom ${instant}. Der laufende Tag wird höchstens einmal in der Minute aktualisiert.`,
    notForFilters: (filters) => `Summen gibt es nur nach Modell und nach Schlüssel; für Summe und Diagramm gelten diese Filter deshalb nicht: ${filters}. Die Anfragen darunter sind gefiltert.`,
    removeThem: 'Diese Filter entfernen',
    notByUser: 'Summen nach Nutzer lassen sich nicht mit Filtern nach Modell oder Schlüssel verbinden. Die Anfragen darunter schon.',
    groupByModel: 'Nach Modell gruppieren',
    accountOnly: 'Summen nach Schlüssel und nach Nutzer gibt es je Konto. Wählen Sie ein Konto, um sie zu sehen.',
    modelOrAccount: 'Summen aller Konten gibt es nach Modell oder nach Konto; beides lässt sich nicht verbinden.',
    tooLong: (days) => `Summen umfassen höchstens ${days} Tage auf einmal. Die Anfragen darunter umfassen den ganzen Zeitraum.`,
    shorten: (days) => `Die letzten ${days} Tage anzeigen`,
    userGone: 'Dieser Nutzer ist nicht unter den tausend mit den höchsten Beträgen, deshalb gibt es keine Summe. Die Anfragen stehen darunter.',
  },
  chart: {
    titles: { cost: 'Kosten', requests: 'Anfragen', tokens: 'Eingabe- und Ausgabe-Tokens' }, groupBy: 'Gruppieren', groups: { model: 'Nach Modell', key: 'Nach Schlüssel', user: 'Nach Nutzer', account: 'Nach Konto', none: 'Insgesamt' },
    days: 'Tag (UTC)', weeks: 'Woche ab (UTC)', months: 'Monat (UTC)', period: { cost: (name) => `Kosten, ${name}`, requests: (name) => `Anfragen, ${name}`, tokens: (name) => `Eingabe- und Ausgabe-Tokens, ${name}` },
    noModel: 'Kein Modell', noKey: 'Kein Schlüssel', noUser: 'Kein Nutzer', other: (groups) => `Andere (${groups})`,
    userTable: 'Beträge nach Nutzer', userTableHelp: 'Summen nach Nutzer gibt es für den ganzen Zeitraum, nicht je Tag.', total: 'Summe',
  },
  records: {
    title: 'Anfragen', ended: 'Ende', request: 'Anfrage', model: 'Modell', key: 'Schlüssel', account: 'Konto', prompt: 'Eingabe-Tokens', output: 'Ausgabe-Tokens', charge: 'Kosten', firstToken: 'Erstes Token', duration: 'Dauer', user: 'Nutzer', ending: 'Ergebnis',
    fallback: (requested) => `Angefragt war ${requested}; ein Ersatzmodell hat geantwortet.`, inAndOut: (input, output) => `${input} ein · ${output} aus`, unknown: '–',
    empty: 'Keine Anfragen in diesem Zeitraum', emptyFiltered: 'Keine Anfragen in diesem Zeitraum passen zu diesen Filtern', last30: 'Letzte 30 Tage', snippets: 'Beispiele anzeigen',
    beforeJump: (instant) => `Anfragen, die vor ${instant} endeten.`,
  },
  export: {
    action: 'Exportieren', title: 'Anfragen exportieren', format: 'Format', csv: 'CSV, für Tabellen', ndjson: 'NDJSON, ein Objekt je Zeile', download: 'Herunterladen', period: 'Zeitraum', filters: 'Filter',
    none: 'Keine', rows: 'Anfragen', sum: 'Berechnet', unknown: 'Für diese Filter sind Anzahl und Summe der Anfragen nicht bekannt.',
    help: 'Beträge sind einfache Dezimalzahlen mit Punkt, Zeiten sind in UTC. Es läuft ein Export zur selben Zeit. Ein fehlgeschlagener Download wird als fehlgeschlagen angezeigt, nie als kürzere Datei.',
  },
  record: {
    title: 'Anfrage', notFound: 'Ihr Konto hat keine Anfrage mit dieser ID. IDs beginnen mit req_. Abgelehnte Anfragen hinterlassen keinen Eintrag, und eine Anfrage erhält ihn, wenn ihr Betrag gebucht wird.',
    anyNotFound: 'Es gibt keine Anfrage mit dieser ID. IDs beginnen mit req_. Abgelehnte Anfragen hinterlassen keinen Eintrag, und eine Anfrage erhält ihn, wenn ihr Betrag gebucht wird.', toUsage: 'Zur Nutzung', page: 'Als Seite öffnen', close: 'Schließen',
    formats: { chat: 'chat', messages: 'messages', responses: 'responses' }, streamed: 'gestreamt', whole: 'ganze Antwort',
    sources: { reported: 'Tokens wie gemeldet', counted: 'Tokens vom Gateway gezählt', checkpoint: 'Tokens vom letzten Zwischenstand' },
    chargeTitle: 'Betrag', tokenClass: 'Klasse', tokens: 'Tokens', rate: 'Pro Million Tokens', amount: 'Betrag',
    classes: { uncached_prompt: 'Eingabe', cached_prompt: 'Eingabe, aus dem Cache', cache_creation: 'In den Cache geschrieben', output: 'Ausgabe' },
    reasoning: (tokens) => `davon ${tokens} zum Nachdenken`,
    sum: 'Summe', rounding: 'Rundung', roundingRule: 'einmal, nach oben, auf 6 Dezimalstellen', computed: 'Preis', writtenOff: 'Ausgebucht', chargedWith: (first) => `Zusammen mit anderen Anfragen des Kaufs ${first} berechnet`, debited: 'Berechnet', usd: 'In US-Dollar', usdRate: (rate) => `zu ${rate} je ${oneToken}`,
    timelineTitle: 'Ablauf', admitted: 'Angenommen', reserved: (amount) => `${amount} ${tokenWord} reserviert`, started: 'Begonnen', firstOutput: 'Erste Ausgabe', ended: 'Beendet', settled: 'Abgerechnet',
    released: (amount) => `${amount} ${tokenWord} freigegeben`, zero: '0 ms',
    ledgerTitle: 'Im Buchungsjournal', inLedger: 'Im Buchungsjournal', noEntry: 'Keine Buchung: Es wurde nichts berechnet.', notYet: 'Noch nicht im Buchungsjournal.',
    kinds: { charge: 'Betrag', 'write-off': 'Ausbuchung', 'late-charge': 'Späterer Betrag', 'late-write-off': 'Spätere Ausbuchung', refund: 'Erstattung' }, reference: 'Referenz', kind: 'Buchung', at: 'Gebucht',
    idsTitle: 'Einzelheiten', requestId: 'Anfrage-ID', recordId: 'Eintrags-ID', keyId: 'Schlüssel-ID', accountId: 'Konto-ID', key: 'Schlüssel', account: 'Konto', upstream: 'Modellserver', requested: 'Angefragtes Modell', served: 'Beantwortet von', user: 'Nutzer',
    ofKey: 'Alle Anfragen dieses Schlüssels', ofAccount: 'Alle Anfragen dieses Kontos', playground: 'Im Playground öffnen',
  },
};
