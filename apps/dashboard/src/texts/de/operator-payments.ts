import { tokenWord } from '../../brand/token-word';
import type { Translated } from '../../locale/translated';
import type * as english from '../en/operator-payments';

export const operatorPayments: Translated<typeof english.operatorPayments> = {
  title: 'Zahlungen',
  help: 'Zahlungen aller Konten. Was eine Erstattung oder Anfechtung nicht abziehen konnte, ist ungedeckt: Das Guthaben war ausgegeben oder reserviert.',
  list: 'Zahlungen aller Konten',
  none: 'Keine Zahlung passt.',
  off: 'Zahlungen sind aus. PAYMENTS schaltet sie ein.',
  simulated: 'Zahlungen sind simuliert: Es fließt kein Geld.',
  provider: (name) => `Anbieter: ${name}`,
  counts: { open: 'Noch nicht bezahlt', unbookable: 'Bezahlt, nicht gebucht', uncovered: 'Ungedeckt' },
  filters: { account: 'Konto', state: 'Stand', any: 'Alle', first: 'Ab Tag (UTC)', last: 'Bis Tag (UTC)', uncovered: 'Nur ungedeckte' },
  columns: { created: 'Begonnen', account: 'Konto', state: 'Stand', price: 'Preis', tokens: tokenWord, uncovered: 'Ungedeckt', id: 'Zahlung' },
  one: {
    title: 'Zahlung', back: 'Zahlungen', facts: 'Einzelheiten', account: 'Konto', provider: 'Anbieter', problem: 'Warum sie nicht gebucht ist', refunded: 'Erstattet',
    uncovered: 'Ungedeckt', checked: 'Anbieter zuletzt gefragt', changed: 'Zuletzt geändert', never: 'Nie',
    problems: {
      'wrong-amount': 'Es wurde ein anderer Betrag bezahlt.', 'wrong-currency': 'Es wurde in einer anderen Währung bezahlt.', 'account-deleted': 'Das Konto ist gelöscht.', 'maximum-balance': 'Das Guthaben würde das Höchste überschreiten.',
    },
  },
  adjustments: 'Erstattungen und Anfechtungen',
  noAdjustments: 'Keine.',
  kinds: { refund: 'Erstattung', dispute: 'Anfechtung' },
  adjustmentStates: { done: 'Erledigt', failed: 'Fehlgeschlagen', open: 'Offen', won: 'Gewonnen', lost: 'Verloren', requested: 'Beantragt', accepted: 'Angenommen', refused: 'Abgelehnt' },
  requested: 'Beantragte Erstattungen',
  check: 'Anbieter erneut fragen',
  checked: 'Der Anbieter wurde gefragt.',
  refund: {
    action: 'Erstatten', title: 'Diese Zahlung erstatten', amount: (currency) => `Betrag in ${currency}`, all: 'Leer: alles, was übrig ist.', reason: 'Grund',
    effect: `Der Anbieter zahlt das Geld zurück. Die ${tokenWord} werden vom Guthaben abgezogen, höchstens das Verfügbare.`, done: 'Die Erstattung ist beantragt.', invalid: 'Geben Sie einen Betrag wie 10 oder 10,50 ein.',
  },
};
