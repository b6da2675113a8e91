import { exactCount } from '../../format/count';
import type { Translated } from '../../locale/translated';
import type * as english from '../en/account-notes';

export const notes: Translated<typeof english.notes> = {
  label: 'Notizen zu diesem Kunden',
  help: 'Nur Betreiber sehen Notizen. Sie werden mit dem Konto gelöscht.',
  text: 'Neue Notiz',
  add: 'Notiz hinzufügen',
  none: 'Noch keine Notizen',
  noneHelp: 'Halten Sie fest, was der nächste Betreiber wissen soll.',
  edit: 'Bearbeiten',
  editOf: (note) => `Bearbeiten: ${note}`,
  editTitle: 'Notiz bearbeiten',
  save: 'Notiz speichern',
  remove: 'Entfernen',
  removeOf: (note) => `Entfernen: ${note}`,
  noteOf: (at, beginning) => `Notiz vom ${at}, „${beginning}“`,
  removeTitle: 'Diese Notiz entfernen?',
  removeEffect: 'Die Notiz wird für alle Betreiber entfernt und lässt sich nicht wiederherstellen.',
  removeAct: 'Notiz entfernen',
  changed: 'geändert',
  done: { add: 'Die Notiz wurde hinzugefügt.', edit: 'Die Notiz wurde gespeichert.', remove: 'Die Notiz wurde entfernt.' },
  left: (count) => `Noch ${exactCount(count)} Zeichen`,
};
