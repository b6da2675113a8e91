import type { Translated } from '../../locale/translated';
import type * as english from '../en/statements';

export const statements: Translated<typeof english.statements> = {
  title: 'Kontoauszüge',
  help: 'Was in jedem Monat (UTC) gebucht wurde, vom Anfangs- bis zum Endsaldo. Ein Auszug entsteht eine Stunde nach Monatsende und ändert sich nie.',
  notAnInvoice: 'Kontoauszüge sind keine Rechnungen im Sinne des Steuerrechts.',
  list: 'Monatliche Kontoauszüge',
  columns: { number: 'Nummer', month: 'Monat', opening: 'Anfangssaldo', closing: 'Endsaldo', made: 'Erstellt', download: 'Herunterladen' },
  formats: { pdf: 'PDF', csv: 'CSV', json: 'JSON' },
  download: (number, format) => `Kontoauszug ${number} als ${format} herunterladen`,
  numbered: (number) => `Nr. ${number}`,
  openingOf: 'Anfang',
  closingOf: 'Ende',
  none: 'Noch kein Kontoauszug',
  noneHelp: 'Der erste entsteht eine Stunde nach dem Ende des ersten Monats, in dem etwas gebucht wird.',
};
