import { exactCount } from '../../format/count';
import type { Translated } from '../../locale/translated';
import type * as english from '../en/account-list';

export const accounts: Translated<typeof english.accounts> = {
  title: 'Kunden',
  create: 'Konto erstellen',
  invite: 'Person einladen',
  columns: { account: 'Konto', standing: 'Zustand', plan: 'Tarif', available: 'Verfügbar', lastUsed: 'Zuletzt benutzt (UTC)', since: 'Kunde seit' },
  neverUsed: 'Nie',
  none: 'Noch keine Konten.',
  noneHelp: 'Konten entstehen durch Registrierung, durch Einladung oder hier.',
  noMatch: 'Kein Konto passt.',
  noMatchHelp: 'Suchen Sie nach einem Teil eines Namens, einer Adresse oder einer externen ID, nach der ganzen ID eines Kontos, einer Person oder eines Schlüssels, oder nach den letzten vier Zeichen eines Schlüssels.',
  clearSearch: 'Alle Konten anzeigen',
  email: 'E-Mail',
  name: 'Name',
  plan: 'Tarif',
  usualPlan: 'pay-as-you-go',
  verified: 'Die Adresse ist schon bestätigt',
  createHelp: 'Die Person, die diese Adresse bestätigt, wird Inhaber des Kontos.',
  inviteHelp: 'Die Person erhält per Mail einen Link, um ein Passwort zu wählen. Der Link bestätigt die Adresse.',
  inviteFiles: 'Es ist kein Mailserver eingerichtet: Die Nachricht wird in eine Datei auf der Maschine des Gateways geschrieben.',
  invited: (email) => `Die Einladung an ${email} ist unterwegs. „Mail“ zeigt, ob sie zugestellt wird.`,
  showMail: 'Mail öffnen',
  sendInvitation: 'Person einladen',
};

export const accountFilters: Translated<typeof english.accountFilters> = {
  search: 'Nach Name, E-Mail, externer ID, ID oder Ende eines Schlüssels suchen',
  searchHint: 'Name, E-Mail, ID oder Schlüsselende',
  filters: (count) => (count === 0 ? 'Filter' : `Filter (${exactCount(count)})`),
  any: 'Alle',
  plan: 'Tarif',
  standing: 'Zustand',
  use: 'Letzte Nutzung',
  uses: { 'used-7': 'In den letzten 7 Tagen', 'used-30': 'In den letzten 30 Tagen', 'unused-30': 'Nicht in den letzten 30 Tagen', 'unused-90': 'Nicht in den letzten 90 Tagen' },
  below: 'Verfügbar unter',
  sort: 'Sortieren',
  sorts: {
    created: 'Älteste zuerst', '-created': 'Neueste zuerst', email: 'E-Mail, A bis Z', '-email': 'E-Mail, Z bis A', '-available': 'Am meisten verfügbar', available: 'Am wenigsten verfügbar',
    '-last_used': 'Zuletzt benutzte zuerst', last_used: 'Am längsten unbenutzte zuerst',
  },
};

export const accountSelect: Translated<typeof english.accountSelect> = { all: 'Alle Konten', type: 'Teil des Namens oder der Adresse eingeben', none: 'Nichts gefunden' };
