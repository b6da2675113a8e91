import type { Translated } from '../../locale/translated';
import type * as english from '../en/billing';

export const billing: Translated<typeof english.billing> = {
  title: 'Abrechnung',
  help: 'Was Sie ausgeben können, jede Gutschrift, Zahlung, Erstattung und Korrektur sowie die monatlichen Kontoauszüge. Die Kosten der Anfragen stehen unter „Nutzung“.',
  available: 'Verfügbar',
  reserved: 'Von laufenden Anfragen reserviert',
  balance: 'Guthaben',
  balanceHelp: 'Verfügbares und Reserviertes zusammen. Laufende Anfragen werden aus dem bezahlt, was sie reservieren.',
  toUsage: 'Was Anfragen kosten',
  acts: 'Gutschriften und andere Buchungen',
  none: 'Es wurde noch nichts gebucht.',
  columns: { at: 'Wann', kind: 'Art', reference: 'Referenz', reason: 'Grund', request: 'Anfrage', amount: 'Betrag' },
  kinds: {
    'top-up': 'Gutschrift', 'signup-credit': 'Gutschrift zur Anmeldung', voucher: 'Gutschein', payment: 'Zahlung', 'payment-refund': 'Erstattung einer Zahlung', dispute: 'Angefochtene Zahlung',
    refund: 'Erstattung einer Anfrage', correction: 'Korrektur', expiry: 'Verfallene Gutschrift', forfeiture: 'Rest bei der Löschung',
  },
};
