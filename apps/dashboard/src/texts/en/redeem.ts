import { tokenWord } from '../../brand/token-word';
import { exactAmount } from '../../format/amount';

export const redeem = {
  open: 'Redeem a voucher',
  code: 'Voucher code',
  codeHelp: 'Twenty characters. Small letters are fine, and dashes can be left out.',
  example: 'XXXXX-XXXXX-XXXXX-XXXXX',
  action: 'Redeem',
  done: (amount: string) => `${exactAmount(amount)} ${tokenWord} were added.`,
  earlier: (amount: string, when: string) => `You redeemed this code on ${when}. ${exactAmount(amount)} ${tokenWord} were added then, and nothing is added now.`,
  creditExpires: (when: string) => `This credit expires on ${when}.`,
} as const;
