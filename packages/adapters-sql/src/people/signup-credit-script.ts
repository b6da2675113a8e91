import { type AccountId, type Instant, type SignupCredit, signupCreditAct } from '@tollgate/core';
import { bookMoneyAct } from '../ledger/money-act-script.js';
import type { Queries } from '../script/queries.js';
import { changesOf, type Script } from '../script/script.js';

/**
 * Books the credit of a new account, unless the address was credited before. One statement decides and takes note of the address under every key of the
 * secret, so that an address which is known under one of them alone is not credited, and is known under the others from then on.
 */
export function* bookSignupCredit(queries: Queries, accountId: AccountId, { credit, at }: { readonly credit: SignupCredit; readonly at: Instant }): Script<void> {
  const { addressHashes } = credit;
  const noted = yield* changesOf(queries.insertInto('signup_credits').values(addressHashes.map((hash) => ({ address_hash: hash })))
    .onConflict((conflict) => conflict.column('address_hash').doNothing()));
  if (noted === addressHashes.length) yield* bookMoneyAct(queries, signupCreditAct(accountId, credit, at));
}
