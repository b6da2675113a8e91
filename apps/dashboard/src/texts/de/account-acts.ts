import type { Translated } from '../../locale/translated';
import type * as english from '../en/account-acts';

export const accountKeys: Translated<typeof english.accountKeys> = {
  createTitle: (who) => `Schlüssel für ${who} erstellen`,
  createHelp: 'Sie sehen den Schlüssel einmal, um ihn dem Kunden zu übergeben. In dessen Aktivität steht, dass ein Betreiber ihn erstellt hat.',
  edit: 'Schlüssel bearbeiten',
  changed: (name) => `Schlüssel „${name}“ ist geändert.`,
};

export const readdressing: Translated<typeof english.readdressing> = {
  act: 'Adresse ändern',
  title: (who) => `Adresse von ${who} ändern`,
  email: 'Neue E-Mail-Adresse',
  help: 'Der Kunde meldet sich ab jetzt mit ihr an, mit demselben Passwort und denselben zweiten Faktoren. Sie bürgen für die Adresse; sie wird nicht per E-Mail bestätigt.',
  effect: 'Alle Sitzungen des Kunden enden, und verschickte Links werden ungültig. Beide Adressen erhalten eine Nachricht über die Änderung.',
  handOver: 'Um das Konto einer anderen Person zu übergeben, lassen Sie diese danach das Passwort zurücksetzen: Das entfernt alles, womit sich der bisherige Inhaber anmeldet.',
  changed: (email) => `Die Adresse ist jetzt ${email}.`,
  isSame: 'Das Konto hat diese Adresse bereits. Nichts wurde geändert.',
};

export const renaming: Translated<typeof english.renaming> = {
  act: 'Namen ändern',
  title: (who) => `Namen von ${who} ändern`,
  name: 'Name des Kontos',
  help: 'Der Inhaber sieht diesen Namen, und neue Abrechnungen lauten auf ihn.',
  changed: (name) => `Der Name ist jetzt ${name}.`,
};
