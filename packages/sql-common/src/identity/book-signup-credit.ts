import { type AccountId, type Instant, MILLISECONDS_PER_DAY } from '@tollgate/core';
import { type CreditedNetwork, type SignupCredit, signupCreditAct } from '@tollgate/identity';
import { bookMoneyAct } from '../ledger/money-act-script.js';
import { changesOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

/**
 * Does nothing if the mailbox was credited before or a network has reached its maximum for the day. One statement decides and records the mailbox
 * under every key of the secret: a mailbox known under one key is not credited, and is known under the others afterwards. A mailbox excluded only by
 * its network is not recorded.
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
 * Counts a credit for each network; false, and counted for none, if a network has reached its maximum for the day. Deletes counts of earlier days.
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
