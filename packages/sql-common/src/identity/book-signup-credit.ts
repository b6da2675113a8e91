import { type AccountId, type Instant, MILLISECONDS_PER_DAY } from '@tollgate/core';
import { type CreditedNetwork, type SignupCredit, signupCreditAct } from '@tollgate/identity';
import { bookMoneyAct } from '../ledger/money-act-script.js';
import { changesOf, type Queries, type Script } from '../script/script.js';

/**
 * Books the credit of a new account, unless the mailbox was credited before or a network has received its credits of the day. One statement decides and
 * takes note of the mailbox under every key of the secret, so that one which is known under one of them alone is not credited, and is known under the
 * others from then on. A mailbox that only its network keeps from the credit is not taken note of.
 */
export function* bookSignupCredit(queries: Queries, accountId: AccountId, { credit, at }: { readonly credit: SignupCredit; readonly at: Instant }): Script<void> {
  const { addressHashes, networks } = credit;
  const noted = yield* changesOf(queries.insertInto('signup_credits').values(addressHashes.map((hash) => ({ address_hash: hash })))
    .onConflict((conflict) => conflict.column('address_hash').doNothing()));
  if (noted !== addressHashes.length) return;
  if (yield* countNetworks(queries, networks, Math.floor(at / MILLISECONDS_PER_DAY))) yield* bookMoneyAct(queries, signupCreditAct(accountId, credit, at));
  else yield* changesOf(queries.deleteFrom('signup_credits').where('address_hash', 'in', addressHashes));
}

/** Counts one credit for each network, or for none where one of them has received its credits of the day. Counts of earlier days are removed. */
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
