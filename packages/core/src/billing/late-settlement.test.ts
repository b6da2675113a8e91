import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { aPrice } from '@tollgate/testkit';
import { chargeOf } from '../money/charge.js';
import { parseTokenRate } from '../money/token-rate.js';
import { ServiceTokens } from '../money/service-tokens.js';
import { NO_USAGE } from '../money/usage.js';
import type { AccountId, ModelSlug, RequestId } from '../primitives/ids.js';
import { tokenCount } from '../primitives/token-count.js';
import { instant } from '../primitives/time.js';
import { decideLateSettlement, isSettledLate, lateCostOf, withLateSettlement } from './late-settlement.js';
import type { Ending, UsageRecord } from './usage-record.js';

const RATE = parseTokenRate('0.01');

function amount(units: number): ServiceTokens {
  return ServiceTokens.fromUnits(BigInt(units) * 1_000_000n);
}

/** An ending with `output` output tokens, at one service token each. */
function endingOf(output: number, part: Partial<Ending> = {}): Ending {
  return {
    reason: 'completed', usage: { ...NO_USAGE, visibleOutputTokens: tokenCount(output) }, firstOutputAt: null, endedAt: instant(9_000),
    service: { servedBy: 'small' as ModelSlug, upstreamId: null, fallbackUsed: false, priceVersion: null, price: aPrice('1', '1', '1', '1') }, ...part,
  };
}

/** The record of a request that was swept at a checkpoint. */
function sweptAt(charged: number, writeOff: number): UsageRecord {
  return {
    requestId: 'req_1' as RequestId, accountId: 'acct_1' as AccountId, keyId: null, format: null, streamed: true, requestedModel: 'small', attribution: null,
    usdPerServiceToken: RATE, startedAt: instant(0), ...endingOf(charged + writeOff, { reason: 'crashed', endedAt: instant(5_000) }),
    charge: chargeOf(amount(charged), RATE), writeOff: amount(writeOff), purchase: null, settledAt: instant(6_000),
  };
}

describe('a late settlement', () => {
  it.each<readonly [name: string, covered: readonly [charged: number, writeOff: number], real: number, means: readonly [available: number, left: number | null], expected: readonly [charged: number, writeOff: number]]>([
    ['charges the cost that the checkpoint did not cover', [20, 0], 45, [100, null], [25, 0]],
    ['never charges what the checkpoint wrote off', [50, 20], 85, [100, null], [15, 0]],
    ['charges all that is available, and writes off the rest', [20, 0], 45, [10, null], [10, 15]],
    ['charges what is left of the key’s limit and writes off the rest', [20, 0], 45, [100, 4], [4, 21]],
    ['writes everything off if the available balance is zero', [20, 0], 45, [0, null], [0, 25]],
    ['costs nothing if the checkpoint covered exactly the whole cost', [20, 0], 20, [100, null], [0, 0]],
    ['refunds nothing if the checkpoint covered more than the whole cost', [20, 5], 19, [100, null], [0, 0]],
  ])('%s', (_name, covered, ...[real, means, expected]) => {
    const [available, left] = means;
    const late = decideLateSettlement(sweptAt(...covered), { ending: endingOf(real), at: instant(9_500) }, { means: { available: amount(available), left: left === null ? null : amount(left) } });
    expect([late.charged, late.writeOff]).toEqual(expected.map(amount));
  });

  it('states the real ending and the time of the booking', () => {
    const ending = endingOf(45);
    expect(decideLateSettlement(sweptAt(20, 0), { ending, at: instant(9_500) }, { means: { available: amount(100), left: null } })).toMatchObject({ ending, settledAt: 9_500 });
    expect(decideLateSettlement(sweptAt(20, 0), { ending }, { means: { available: amount(100), left: null } })).toMatchObject({ settledAt: ending.endedAt });
  });

  it('does not change a usage record that has already charged the whole cost', () => {
    const record = sweptAt(20, 0);
    const late = decideLateSettlement(record, { ending: endingOf(19) }, { means: { available: amount(100), left: null } });
    expect(late).toMatchObject({ ending: { reason: 'crashed', usage: record.usage, endedAt: 5_000 }, settledAt: 6_000 });
    expect(withLateSettlement(record, late)).toEqual(record);
  });

  it('never charges more than is available, and charges or writes off the whole cost', () => {
    const tokens = fc.nat(1_000);
    fc.assert(fc.property(tokens, tokens, tokens, tokens, fc.option(tokens), (...[charged, writeOff, real, available, left]) => {
      const record = sweptAt(charged, writeOff);
      const late = decideLateSettlement(record, { ending: endingOf(real) }, { means: { available: amount(available), left: left === null ? null : amount(left) } });
      const whole = withLateSettlement(record, late);
      expect([available, left ?? available].some((most) => amount(most).isLessThan(late.charged))).toBe(false);
      expect(whole.charge.amount.plus(whole.writeOff)).toEqual(amount(Math.max(real, charged + writeOff)));
      expect(lateCostOf(whole, endingOf(real)).isZero()).toBe(true);
    }));
  });

  it('charges at most what the receipt promised minus what the record has charged', () => {
    const bounded = (charged: number, atMost: number): readonly ServiceTokens[] => {
      const late = decideLateSettlement(sweptAt(charged, 0), { ending: endingOf(45), atMost: amount(atMost) }, { means: { available: amount(100), left: null } });
      return [late.charged, late.writeOff];
    };
    expect(bounded(20, 30)).toEqual([amount(10), amount(15)]);
    expect(bounded(20, 10)).toEqual([amount(0), amount(25)]);
  });

  it('updates the record with the real reason and usage, the sum of both charges, and the time of its own booking', () => {
    const late = decideLateSettlement(sweptAt(20, 3), { ending: endingOf(45), at: instant(9_500) }, { means: { available: amount(12), left: null } });
    expect(withLateSettlement(sweptAt(20, 3), late)).toMatchObject({
      reason: 'completed', usage: { visibleOutputTokens: 45 }, endedAt: 5_000, charge: chargeOf(amount(32), RATE), writeOff: amount(13), settledAt: 9_500,
    });
  });

  it.each<readonly [recorded: Ending['reason'], ending: Ending['reason'], expected: boolean]>([
    ['crashed', 'completed', true], ['crashed', 'crashed', false], ['completed', 'completed', false], ['client_left', 'completed', false],
  ])('of a request that is recorded as %s and really ended as %s is possible: %s', (recorded, ending, expected) => {
    expect(isSettledLate({ reason: recorded }, { reason: ending })).toBe(expected);
  });
});
