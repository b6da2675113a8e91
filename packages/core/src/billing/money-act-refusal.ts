import { assertNever } from '../invariant.js';
import type { MoneyAct, MoneyActOutcome } from './money-act.js';

export interface MoneyActRefusal {
  readonly code: 'not_found' | 'conflict';
  /** A sentence for operators, with the figures that decided. */
  readonly message: string;
}

/** Why an act was not booked; `null` when it was, now or before. */
export function moneyActRefusalOf(outcome: MoneyActOutcome, { accountId, reference }: Pick<MoneyAct, 'accountId' | 'reference'>): MoneyActRefusal | null {
  switch (outcome.outcome) {
    case 'booked': case 'repeated': return null;
    case 'no-such-account': return { code: 'not_found', message: `There is no account ${accountId}.` };
    case 'no-such-request': return { code: 'not_found', message: `Account ${accountId} has no such request, or it has not ended.` };
    case 'account-deleted': return { code: 'conflict', message: `Account ${accountId} is deleted.` };
    case 'reference-used-otherwise': return { code: 'conflict', message: `The reference ${reference} was used for something else; nothing is changed.` };
    case 'exceeds-charge':
      return { code: 'conflict', message: `At most ${outcome.refundable.toString()} service tokens can still be refunded of this request.` };
    case 'exceeds-balance':
      return { code: 'conflict', message: `Only ${outcome.available.toString()} service tokens are available; what is reserved cannot be taken.` };
    default: return assertNever(outcome);
  }
}
