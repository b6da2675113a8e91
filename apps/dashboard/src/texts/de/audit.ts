import { exactCount } from '../../format/count';
import type { Translated } from '../../locale/translated';
import type * as english from '../en/audit';

export const audit: Translated<typeof english.audit> = {
  title: 'Audit-Protokoll',
  help: 'Wer was wann und von wo geändert hat.',
  list: 'Audit-Einträge',
  columns: { number: 'Eintrag', at: 'Wann', action: 'Aktion', subject: 'Gegenstand', by: 'Von', from: 'Von wo', what: 'Einzelheiten' },
  none: 'Kein Eintrag passt.',
  noneHelp: 'Entfernen Sie Filter, um mehr zu sehen.',
  clear: 'Filter entfernen',
  filters: (count) => (count === 0 ? 'Filter' : `Filter (${exactCount(count)})`),
  account: 'Konto-ID',
  action: 'Aktion',
  actionExample: 'account.credited',
  actor: 'ID des Handelnden',
  kind: 'Handelnder',
  kinds: { operator: 'Betreiber', owner: 'Inhaber', machine: 'Maschine', system: 'Das Gateway' },
  anyKind: 'Alle',
  first: 'Ab Tag (UTC)',
  last: 'Bis Tag (UTC)',
  gateway: 'Das Gateway',
  commandLine: 'Kommandozeile',
  via: (machine) => `über ${machine}`,
  chain: 'Unversehrtheit',
  notVerified: 'Jeder Eintrag enthält einen Hash des vorigen. Die Prüfung liest das ganze Protokoll.',
  verify: 'Protokoll prüfen',
  sound: (entries) => `Geprüft bis Eintrag ${exactCount(entries)}: Das Protokoll ist lückenlos.`,
  broken: (entry) => `Eintrag ${exactCount(entry)} passt nicht zu den anderen.`,
  faults: {
    altered: 'Er oder der vorige wurde verändert.',
    missing: 'Er fehlt, obwohl es spätere Einträge gibt.',
    'cut-off': 'Er und alle späteren wurden entfernt.',
    added: 'Er wurde hinzugefügt, ohne die Hashes fortzuführen.',
  },
  brokenNext: 'Vergleichen Sie mit einer Sicherung, und schreiben Sie nicht mehr in die Datenbank, bis Sie den Grund kennen.',
  entry: (number) => `Eintrag ${exactCount(number)}`,
};
