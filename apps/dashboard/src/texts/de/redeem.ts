import { tokenWord } from '../../brand/token-word';
import { exactAmount } from '../../format/amount';
import type { Translated } from '../../locale/translated';
import type * as english from '../en/redeem';

export const redeem: Translated<typeof english.redeem> = {
  open: 'Gutschein einlösen',
  code: 'Gutscheincode',
  codeHelp: 'Zwanzig Zeichen. Kleinbuchstaben sind erlaubt, Striche können entfallen.',
  example: 'XXXXX-XXXXX-XXXXX-XXXXX',
  action: 'Einlösen',
  done: (amount) => `${exactAmount(amount)} ${tokenWord} wurden gutgeschrieben.`,
  earlier: (amount, when) => `Sie haben diesen Code am ${when} eingelöst. Damals wurden ${exactAmount(amount)} ${tokenWord} gutgeschrieben, jetzt nichts.`,
  creditExpires: (when) => `Diese Gutschrift verfällt am ${when}.`,
};
