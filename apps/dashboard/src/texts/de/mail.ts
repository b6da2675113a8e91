import { counted } from '../../format/count';
import type { Translated } from '../../locale/translated';
import type * as english from '../en/mail';

export const mail: Translated<typeof english.mail> = {
  title: 'Mail',
  help: 'Ausgehende Nachrichten, ohne ihren Text. Adressen und Betreffe werden gelöscht, sobald eine Nachricht zugestellt oder aufgegeben ist.',
  files: 'Es ist kein Mailserver eingerichtet: Nachrichten werden in Dateien auf der Maschine des Gateways geschrieben.',
  list: 'Postausgang',
  columns: { to: 'An', subject: 'Betreff', state: 'Stand', tries: 'Versuche', error: 'Letzter Fehler', stored: 'Abgelegt', next: 'Nächster Versuch oder Ende' },
  states: { waiting: 'Wartet', delivered: 'Zugestellt', 'given-up': 'Aufgegeben' },
  erased: 'Gelöscht',
  tries: (count) => counted(count, 'Versuch', 'Versuche'),
  none: 'Noch keine Mail gesendet',
  noneHelp: 'Eine Testnachricht zeigt, ob Mail ankommt.',
  test: 'Testmail senden',
  to: 'An',
  toHelp: (own) => `Leer, um sie an ${own} zu senden.`,
  sent: (to) => `Eine Testnachricht an ${to} ist im Postausgang. Die Liste zeigt, ob sie zugestellt wird.`,
};
