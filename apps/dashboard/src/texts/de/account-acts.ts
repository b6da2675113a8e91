import type { Translated } from '../../locale/translated';
import type * as english from '../en/account-acts';

export const accountKeys: Translated<typeof english.accountKeys> = {
  createTitle: (who) => `Schlüssel für ${who} erstellen`,
  createHelp: 'Sie sehen den Schlüssel einmal, um ihn dem Kunden zu übergeben. In dessen Aktivität steht, dass ein Betreiber ihn erstellt hat.',
  edit: 'Schlüssel bearbeiten',
  changed: (name) => `Schlüssel „${name}“ ist geändert.`,
};

export const renaming: Translated<typeof english.renaming> = {
  act: 'Namen ändern',
  title: (who) => `Namen von ${who} ändern`,
  name: 'Name des Kontos',
  help: 'Der Inhaber sieht den Namen, und Abrechnungen tragen ihn ab jetzt.',
  changed: (name) => `Der Name ist jetzt ${name}.`,
};
