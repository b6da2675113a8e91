import { counted } from '../../format/count';
import { tokenWord } from '../../brand/token-word';
import type { Translated } from '../../locale/translated';
import type * as english from '../en/payments';

export const addCredit: Translated<typeof english.addCredit> = {
  title: 'Guthaben aufladen',
  simulated: 'Zahlungen sind auf dieser Installation simuliert: Es fließt kein Geld.',
  choice: 'Was Sie kaufen',
  gives: (tokens) => `${tokens} ${tokenWord}`,
  bonus: (tokens) => `${tokens} davon sind ein Bonus`,
  expires: (days) => `verfällt ${counted(days, 'Tag', 'Tage')} nach der Zahlung`,
  custom: 'Anderer Betrag',
  amount: (currency) => `Betrag in ${currency}`,
  range: (min, max, currency) => `Von ${min} bis ${max} ${currency}.`,
  invalid: 'Geben Sie einen Betrag wie 10 oder 10,50 ein.',
  choose: 'Wählen Sie, was Sie kaufen.',
  saveMethod: 'Zahlungsmittel speichern',
  saveMethodHelp: 'Der Zahlungsanbieter bewahrt es für das automatische Aufladen auf, das aus ist, bis Sie es einschalten.',
  submit: 'Weiter zur Zahlung',
  nothing: 'Zurzeit wird nichts verkauft.',
};

export const payments: Translated<typeof english.payments> = {
  title: 'Zahlungen',
  none: 'Noch keine Zahlungen.',
  states: {
    open: 'Noch nicht bezahlt', paid: 'Bezahlt', 'partly-refunded': 'Teilweise erstattet', refunded: 'Erstattet', disputed: 'Angefochten', 'dispute-won': 'Anfechtung gewonnen', 'dispute-lost': 'Anfechtung verloren',
    failed: 'Fehlgeschlagen', expired: 'Abgelaufen', unbookable: 'Bezahlt, nicht gebucht',
  },
  columns: { created: 'Begonnen', state: 'Stand', amount: 'Preis', tokens: tokenWord, invoice: 'Rechnung', id: 'Zahlung' },
  invoice: 'Rechnung öffnen',
  pay: 'Jetzt bezahlen',
  back: 'Abrechnung',
  one: {
    title: 'Zahlung',
    waiting: 'Die Zahlung wird erwartet. Diese Seite aktualisiert sich selbst.',
    late: 'Die Zahlung ist noch nicht angekommen. Sie wird gebucht, sobald sie es tut; Sie müssen diese Seite nicht offen lassen.',
    done: (tokens) => `${tokens} ${tokenWord} wurden Ihrem Guthaben gutgeschrieben.`,
    doneUntil: (tokens, when) => `${tokens} ${tokenWord} wurden Ihrem Guthaben gutgeschrieben. Was davon übrig ist, verfällt am ${when}.`,
    ended: 'Es wurde nichts bezahlt und nichts gebucht.',
    unbookable: 'Die Zahlung ist angekommen, konnte aber nicht gebucht werden. Die Betreiber sehen es und helfen.',
    facts: 'Einzelheiten',
    id: 'ID', state: 'Stand', price: 'Preis', tokens: tokenWord, started: 'Begonnen', booked: 'Gebucht', expires: 'Guthaben verfällt', refunded: 'Erstattet', invoice: 'Rechnung',
  },
};

export const checkout: Translated<typeof english.checkout> = {
  title: 'Simulierter Bezahlvorgang',
  note: 'Diese Seite simuliert einen Zahlungsanbieter. Es fließt kein Geld; wählen Sie, was geschieht.',
  pays: (amount) => `Zu zahlen: ${amount}`,
  acts: { pay: 'Bezahlen', 'pay-declines-later': 'Mit einem Zahlungsmittel bezahlen, das später abgelehnt wird', 'pay-asks-later': 'Mit einem Zahlungsmittel bezahlen, das später bestätigt werden muss', decline: 'Ablehnen', 'pay-late': 'Eine Minute später bezahlen', dispute: 'Bezahlen, dann anfechten', 'win-dispute': 'Anfechtung zugunsten des Betreibers entscheiden', 'lose-dispute': 'Anfechtung zugunsten des Kunden entscheiden' },
  cancel: 'Zurück, ohne zu bezahlen',
  goOn: 'Weiter',
  states: {
    open: 'Noch nicht bezahlt', 'paid-late': 'Die Zahlung kommt in einer Minute an.', paid: 'Bezahlt.', failed: 'Die Zahlung wurde abgelehnt.', expired: 'Dieser Bezahlvorgang ist abgelaufen.', disputed: 'Bezahlt, und vom Kunden angefochten.',
    'dispute-won': 'Die Anfechtung wurde zugunsten des Betreibers entschieden.', 'dispute-lost': 'Die Anfechtung wurde zugunsten des Kunden entschieden.',
  },
};
