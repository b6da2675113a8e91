import { type AccountId, type Instant, MILLISECONDS_PER_DAY } from '@tollgate/core';
import { type CreditedNetwork, type SignupCredit, signupCreditAct } from '@tollgate/identity';
import { bookMoneyAct } from '../ledger/money-act-script.js';
import { changesOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

/**
 * Books the credit, unless the mailbox was credited before or one of the networks has reached its maximum for the day. One statement inserts the
 * hashes of the mailbox and of the full address, one of each for each key of the secret. If one of them exists already, the mailbox was credited; the
 * new ones stay stored, so that the mailbox is also found by them later. If only a network prevents the credit, the hashes are removed again.
 */
export function* bookSignupCredit(queries: Queries, accountId: AccountId, { credit, at }: { readonly credit: SignupCredit; readonly at: Instant }): Script<void> {
  const { addressHashes, networks } = credit;
  const noted = yield* changesOf(queries.insertInto('signup_credits').values(addressHashes.map((hash) => ({ address_hash: hash })))
    .onConflict((conflict) => conflict.column('address_hash').doNothing()));
  if (noted !== addressHashes.length) return;
  if (yield* countNetworks(queries, networks, Math.floor(at / MILLISECONDS_PER_DAY))) yield* bookMoneyAct(queries, signupCreditAct(accountId, credit, at));
  else yield* changesOf(queries.deleteFrom('signup_credits').where('address_hash', 'in', addressHashes));
}

/**
 * Counts a credit for each network. Returns `false`, and counts it for none, if one of them has reached its maximum for the day. Deletes the counts
 * of earlier days.
 */
function* countNetworks(queries: Queries, networks: readonly CreditedNetwork[], day: number): Script<boolean> {
  if (networks.length > 0) yield* changesOf(queries.deleteFrom('signup_credit_networks').where('day', '<', BigInt(day)));
  for (const [index, { hash, most }] of networks.entries()) {
    const counted = yield* changesOf(queries.insertInto('signup_credit_networks').values({ network_hash: hash, day, credits: 1 })
      .onConflict((conflict) => conflict.columns(['network_hash', 'day'])
        .doUpdateSet((row) => ({ credits: row('signup_credit_networks.credits', '+', 1n) }))
        .where('signup_credit_networks.credits', '<', BigInt(most))));
    if (counted === 1) continue;
    yield* uncount(queries, networks.slice(0, index), day);
    return false;
  }
  return true;
}

function* uncount(queries: Queries, networks: readonly CreditedNetwork[], day: number): Script<void> {
  for (const { hash } of networks) {
    yield* changesOf(queries.updateTable('signup_credit_networks').set((row) => ({ credits: row('credits', '-', 1n) })).where('network_hash', '=', hash).where('day', '=', BigInt(day)));
  }
}
