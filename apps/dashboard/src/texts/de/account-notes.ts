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
  editTitle: 'Notiz bearbeiten',
  save: 'Notiz speichern',
  remove: 'Entfernen',
  removeTitle: 'Diese Notiz entfernen?',
  removeEffect: 'Die Notiz wird für alle Betreiber entfernt und lässt sich nicht wiederherstellen.',
  removeAct: 'Notiz entfernen',
  changed: 'geändert',
  left: (count) => `Noch ${exactCount(count)} Zeichen`,
};
