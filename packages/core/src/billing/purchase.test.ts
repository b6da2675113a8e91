import { describe, expect, it } from '@jest/globals';
import { aPrice } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { chargeOf } from '../money/charge.js';
import { parseTokenRate } from '../money/token-rate.js';
import { ServiceTokens } from '../money/service-tokens.js';
import { NO_USAGE } from '../money/usage.js';
import type { AccountId, ModelSlug, RequestId } from '../primitives/ids.js';
import { tokenCount } from '../primitives/token-count.js';
import { instant } from '../primitives/time.js';
import { clipCharge } from './charge.js';
import { decideLateSettlement, lateCostOf, statedCostOf, withLateSettlement } from './late-settlement.js';
import type { Ending, UsageRecord } from './usage-record.js';

const RATE = parseTokenRate('0.01');
const FIRST = 'req_0' as RequestId;
const UNBOUNDED = ServiceTokens.parse('1000000');

function amount(tokens: number): ServiceTokens {
  return ServiceTokens.parse(String(tokens));
}

function endingOf(output: number, reason: Ending['reason']): Ending {
  return {
    reason, usage: { ...NO_USAGE, visibleOutputTokens: tokenCount(output) }, firstOutputAt: null, endedAt: instant(9_000),
    service: { servedBy: 'small' as ModelSlug, upstreamId: null, fallbackUsed: false, priceVersion: null, price: aPrice('1', '1', '1', '1') },
  };
}

/** A request of the purchase: settled by its owner, swept and settled late, or swept only. */
interface Member {
  readonly checkpoint: number | null;
  readonly cost: number | null;
}

/** A purchase whose members settle in the order of the calls of `act`; by default the balance covers everything. */
class OnePurchase {
  readonly #records = new Map<number, UsageRecord>();

  constructor(private readonly members: readonly Member[], private readonly payable = UNBOUNDED) {}

  get paid(): ServiceTokens {
    return [...this.#records.values()].reduce((sum, { charge }) => sum.plus(charge.amount), ServiceTokens.ZERO);
  }

  get records(): readonly UsageRecord[] {
    return [...this.#records.values()];
  }

  /** A swept member's first act is the sweep, its second the late settlement. */
  act(number: number): void {
    const member = this.members[number];
    const record = this.#records.get(number);
    if (member === undefined) return;
    if (record === undefined) return this.settle(number, member.checkpoint === null ? endingOf(member.cost ?? 0, 'completed') : endingOf(member.checkpoint, 'crashed'));
    if (member.checkpoint === null || member.cost === null || record.reason !== 'crashed') return;
    const late = decideLateSettlement(record, { ending: endingOf(member.cost, 'completed') }, { means: { available: this.payable, left: null }, paid: this.paid });
    this.#records.set(number, withLateSettlement(record, late));
  }

  private settle(number: number, ending: Ending): void {
    const cost = chargeOf(amount(ending.usage.visibleOutputTokens), RATE);
    const { covered, ...figures } = clipCharge(cost, { payable: this.payable, paid: this.paid }, { usdPerServiceToken: RATE });
    this.#records.set(number, {
      requestId: `req_${number}` as RequestId, accountId: 'acct_1' as AccountId, keyId: null, format: null, streamed: true, requestedModel: 'small',
      attribution: null, usdPerServiceToken: RATE, startedAt: instant(0), ...ending, ...figures, purchase: { firstRequestId: FIRST, covered }, settledAt: ending.endedAt,
    });
  }
}

const member: fc.Arbitrary<Member> = fc.record({ checkpoint: fc.option(fc.nat(50)), cost: fc.option(fc.nat(50)) });

describe('a purchase of several requests', () => {
  it('is charged the larger of two costs, in either order', () => {
    for (const order of [[0, 1], [1, 0]]) {
      const purchase = new OnePurchase([{ checkpoint: null, cost: 10 }, { checkpoint: null, cost: 3 }]);
      for (const number of order) purchase.act(number);
      expect(purchase.paid).toEqual(amount(10));
    }
  });

  it('is charged for a late settlement of the first request only what the second has not paid', () => {
    const purchase = new OnePurchase([{ checkpoint: 2, cost: 12 }, { checkpoint: null, cost: 10 }]);
    for (const number of [0, 1, 0]) purchase.act(number);
    expect(purchase.paid).toEqual(amount(12));
    expect(purchase.records.map(({ charge, purchase: joint }) => [charge.amount, joint?.covered])).toEqual([[amount(4), amount(8)], [amount(8), amount(2)]]);
  });

  it('is charged the cost of the first request if the second ends without a charge', () => {
    const purchase = new OnePurchase([{ checkpoint: 4, cost: 7 }, { checkpoint: null, cost: 0 }]);
    for (const number of [0, 1, 0]) purchase.act(number);
    expect(purchase.paid).toEqual(amount(7));
  });

  it('is charged in a later request for what an earlier one could not pay', () => {
    const cost = chargeOf(amount(10), RATE);
    const first = clipCharge(cost, { payable: amount(4) }, { usdPerServiceToken: RATE });
    const second = clipCharge(cost, { payable: amount(100), paid: first.charge.amount }, { usdPerServiceToken: RATE });
    expect([first.charge.amount, first.writeOff, second.charge.amount, second.writeOff, second.covered]).toEqual([amount(4), amount(6), amount(6), amount(0), amount(4)]);
  });

  it('is charged the largest cost, in any order of settlements, sweeps and late settlements, and each record states its own cost', () => {
    fc.assert(fc.property(fc.array(member, { minLength: 1, maxLength: 4 }), fc.array(fc.nat(3), { maxLength: 12 }), (members, order) => {
      const purchase = new OnePurchase(members);
      for (const number of order) purchase.act(number);
      const costs = purchase.records.map((record) => statedCostOf(record));
      const largest = costs.reduce((most, cost) => (most.isLessThan(cost) ? cost : most), ServiceTokens.ZERO);
      expect(purchase.paid).toEqual(largest);
      for (const record of purchase.records) expect(lateCostOf(record, record).isZero()).toBe(true);
    }));
  });
});
