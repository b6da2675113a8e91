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
  credits: {
    title: 'Was von jeder Gutschrift übrig ist',
    help: 'Anfragen verbrauchen zuerst, was als Nächstes verfällt. Was dann noch übrig ist, wird vom Guthaben abgezogen.',
    none: 'Von keiner Gutschrift ist etwas übrig.',
    more: 'Es gibt mehr Gutschriften als diese.',
    returned: 'Zurück aus einer verfallenen Gutschrift',
    never: 'Nie',
    columns: { reference: 'Referenz', left: 'Übrig', amount: 'Gutgeschrieben', expires: 'Verfällt' },
  },
  acts: 'Gutschriften und andere Buchungen',
  none: 'Es wurde noch nichts gebucht.',
  columns: { at: 'Wann', kind: 'Art', reference: 'Referenz', reason: 'Grund', request: 'Anfrage', amount: 'Betrag' },
  kinds: {
    'top-up': 'Gutschrift', 'signup-credit': 'Gutschrift zur Anmeldung', voucher: 'Gutschein', payment: 'Zahlung', 'payment-refund': 'Erstattung einer Zahlung', dispute: 'Angefochtene Zahlung',
    refund: 'Erstattung einer Anfrage', correction: 'Korrektur', expiry: 'Verfallene Gutschrift', forfeiture: 'Rest bei der Löschung',
  },
};
