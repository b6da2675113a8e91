import { counted, exactCount } from '../../format/count';
import type { Translated } from '../../locale/translated';
import type * as english from '../en/lists';

export const lists: Translated<typeof english.lists> = {
  shown: (rows) => `${counted(rows, 'Zeile', 'Zeilen')} angezeigt`,
  olderLoad: 'Ältere Zeilen werden beim Scrollen geladen.',
  end: 'Ende der Liste',
  loading: 'Weitere werden geladen',
  searching: 'Es wird gesucht.',
  stop: 'Anhalten',
  searchedTo: (instant) => `Durchsucht bis ${instant}.`,
  searched: 'Bisher nichts gefunden.',
  searchFurther: 'Weiter suchen',
  refresh: 'Aktualisieren',
  newest: 'Neueste anzeigen',
  columns: (shown, all) => (shown === all ? 'Spalten' : `Spalten (${exactCount(shown)} von ${exactCount(all)})`),
  columnsOf: (table, shown, all) => `Spalten (${exactCount(shown)} von ${exactCount(all)}): ${table}`,
  columnsTitle: (table) => `Spalten: ${table}`,
  resetColumns: 'Anzeigen, was passt',
  cutColumns: (names) => `Aus Platzmangel nicht angezeigt: ${names}.`,
  scrollSideways: 'Scrollen Sie seitwärts, um alle Spalten zu sehen.',
  rowKeys: 'j und k wechseln zwischen den Zeilen, Enter öffnet eine.',
  jump: 'Zu einem Zeitpunkt springen',
  jumpHelp: 'Die Liste beginnt mit der neuesten Zeile vor diesem Zeitpunkt, in Ihrer Zeitzone.',
  jumpDate: 'Datum und Uhrzeit',
  jumpAction: 'Springen',
  jumpedTo: (instant) => `Vor ${instant}`,
  period: 'Zeitraum',
  utc: 'UTC',
  customPeriod: 'Eigener Zeitraum',
  previousMonth: 'Voriger Monat',
  nextMonth: 'Nächster Monat',
  daysAreUtc: (time) => `Tage gelten in UTC: In Ihrer Zeitzone beginnt ein neuer Tag um ${time}.`,
  mostDays: (days) => `Höchstens ${days} Tage.`,
  presets: {
    today: 'Heute', yesterday: 'Gestern', last7: 'Letzte 7 Tage', last30: 'Letzte 30 Tage', thisMonth: 'Dieser Monat', lastMonth: 'Letzter Monat', last90: 'Letzte 90 Tage', last365: 'Letzte 365 Tage',
  },
};
