import type { Translated } from '../../locale/translated';
import type * as english from '../en/account-standing';

export const accountStanding: Translated<typeof english.accountStanding> = {
  scheduled: (day) => `Ihr Konto wird am ${day} gelöscht. Anfragen werden abgelehnt.`,
  suspended: (reason) => `Ihr Konto ist stillgelegt: Anfragen werden abgelehnt, und nichts kann geändert werden. ${reason === null ? 'Fragen Sie den Betreiber.' : `Der Betreiber schreibt: „${reason}“`}`,
  toDeletion: 'Zur Löschung',
};
