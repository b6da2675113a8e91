import { type Account, type Balance, type ServiceTokens, assertNever, availableOf } from '@tollgate/core';
import { encodeBalance } from '../../encoding/encode-account.js';
import { CommandFailure } from '../../program/command-failure.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { findAccount } from '../../values/find-account.js';

export interface Credit {
  readonly amount: ServiceTokens;
  readonly reference: string;
  readonly reason: string | null;
}

interface Credited {
  readonly outcome: 'credited' | 'repeated';
  readonly balance: Balance;
}

/** A reference nobody has used. */
export function newReference({ ids }: OperatorSession): string {
  return ids.responseId('credit_');
}

export async function creditAccount(
  session: OperatorSession, idOrEmail: string, { amount, reference, reason }: Omit<Credit, 'reference'> & { readonly reference: string | null },
): Promise<Report> {
  const account = await findAccount(session, idOrEmail);
  const credit = { amount, reference: reference ?? newReference(session), reason };
  const { outcome, balance } = await creditOf(session, account, credit);
  const done = outcome === 'credited' ? `${amount.toString()} service tokens are credited` : 'this reference was credited before; nothing is changed';
  return {
    json: { account_id: account.id, outcome, amount: amount.toString(), reference: credit.reference, balance: encodeBalance(balance) },
    lines: [`${done} (reference ${credit.reference}). Available: ${availableOf(balance).toString()}`],
  };
}

/** Credits once per reference. */
export async function creditOf({ accounts, actor }: OperatorSession, account: Account, { amount, reference, reason }: Credit): Promise<Credited> {
  const outcome = await accounts.credit({ accountId: account.id, amount, reference, reason, actor });
  switch (outcome.outcome) {
    case 'credited': case 'repeated': return outcome;
    case 'no-such-account': throw new CommandFailure(`there is no account ${account.id}`);
    case 'reference-used-for-another-amount':
      throw new CommandFailure(`the reference ${reference} was used for another amount; nothing is changed`);
    default: return assertNever(outcome);
  }
}
