import { describe, expect, it } from '@jest/globals';
import { isAlwaysStored, NO_TOKENS, ServiceTokens, type SettleCommand, TOKEN_COUNTS } from '@tollgate/core';
import { anEnding, distinctUsage, requestFacts, reservationId } from '@tollgate/testkit';
import { SETTLEMENT_CODEC } from './settlement-codec.js';

const COMMAND: SettleCommand = { reservationId: reservationId(1), ending: anEnding(0, { usage: distinctUsage(1) }) };

describe('a settlement in the outbox', () => {
  it('is read as it was written', () => {
    const { requestId, accountId, usdPerServiceToken } = requestFacts();
    const command = {
      ...COMMAND, atMost: ServiceTokens.parse('0.000001'), hold: { facts: { requestId, accountId, usdPerServiceToken }, amount: ServiceTokens.parse('7') },
    };
    expect(SETTLEMENT_CODEC.decode(SETTLEMENT_CODEC.encode(command))).toEqual(command);
  });

  it.each(TOKEN_COUNTS.filter((count) => !isAlwaysStored(count)))('of an older release without the count $name is read with 0 for it', ({ field }) => {
    const { [field]: _count, ...usage } = COMMAND.ending.usage;
    const stored = JSON.stringify({ ...COMMAND, ending: { ...COMMAND.ending, usage } });
    expect(SETTLEMENT_CODEC.decode(stored).ending).toEqual({ ...COMMAND.ending, usage: { ...usage, [field]: NO_TOKENS } });
  });
});
