import { ServiceTokens, type SettleCommand, type SettlementHold, withEveryClass } from '@tollgate/core';
import type { OutboxCodec } from './outbox-file.js';

/** Amounts are decimal texts. */
interface StoredSettlement extends Omit<SettleCommand, 'atMost' | 'hold'> {
  readonly atMost?: string;
  readonly hold?: Omit<SettlementHold, 'amount'> & { readonly amount: string };
}

export const SETTLEMENT_CODEC: OutboxCodec<SettleCommand> = {
  encode: ({ atMost = null, hold, ...command }) => JSON.stringify({
    ...command, ...(atMost === null ? {} : { atMost: atMost.toString() }), ...(hold === undefined ? {} : { hold: { facts: namedFacts(hold), amount: hold.amount.toString() } }),
  } satisfies StoredSettlement),
  decode: (json) => {
    const { atMost, hold, ...command } = JSON.parse(json) as StoredSettlement;
    return {
      ...command, ending: withEveryClass(command.ending), ...(atMost === undefined ? {} : { atMost: ServiceTokens.parse(atMost) }),
      ...(hold === undefined ? {} : { hold: { facts: hold.facts, amount: ServiceTokens.parse(hold.amount) } }),
    };
  },
};

function namedFacts({ facts: { requestId, accountId, usdPerServiceToken } }: SettlementHold): SettlementHold['facts'] {
  return { requestId, accountId, usdPerServiceToken };
}
