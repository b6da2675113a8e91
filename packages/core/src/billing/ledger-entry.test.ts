import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { aPrice } from '@tollgate/testkit';
import { chargeOf } from '../money/charge.js';
import { parseTokenRate } from '../money/token-rate.js';
import { ServiceTokens } from '../money/service-tokens.js';
import { NO_USAGE } from '../money/usage.js';
import type { AccountId, ModelSlug, ProcessId, RequestId, ReservationId } from '../primitives/ids.js';
import { tokenCount } from '../primitives/token-count.js';
import { instant } from '../primitives/time.js';
import { decideReserve, type Means } from './balance.js';
import { chargeOfEnding, clipCharge, endingOfOrphan, endStateOf, payableOf } from './charge.js';
import type { Reservation } from './reservation.js';
import type { Ending, EndReason, RequestFacts, ServedModel } from './usage-record.js';

const FACTS: RequestFacts = {
  requestId: 'req_1' as RequestId, accountId: 'acct_1' as AccountId, keyId: null, format: null, streamed: false, requestedModel: 'small', attribution: null,
  usdPerServiceToken: parseTokenRate('0.0001'), startedAt: instant(0),
};
const SERVICE: ServedModel = { servedBy: 'small' as ModelSlug, upstreamId: 'scripted', fallbackUsed: false, priceVersion: null, price: aPrice('1', '0.1', '1.25', '2') };
const USAGE = { ...NO_USAGE, uncachedPromptTokens: tokenCount(10), visibleOutputTokens: tokenCount(5) };

function amount(text: string): ServiceTokens {
  return ServiceTokens.parse(text);
}

function unlimited(available: string): Means {
  return { available: amount(available), left: null };
}

function endingOf(reason: EndReason, service: ServedModel | null): Ending {
  return { reason, service, usage: USAGE, firstOutputAt: null, endedAt: instant(1) };
}

describe('deciding a reservation', () => {
  it.each<readonly [name: string, available: string, wanted: string, floor: string, setAside: string | null]>([
    ['reserves exactly the available balance', '6', '6', '6', '6'],
    ['refuses one unit more than is available', '6', '6.000001', '6.000001', null],
    ['reserves zero of a balance of zero', '0', '0', '0', '0'],
    ['refuses one unit of a balance of zero', '0', '0.000001', '0.000001', null],
    ['reserves all that is available if that equals the floor', '6', '10', '6', '6'],
    ['reserves all that is available if that exceeds the floor', '6', '10', '2', '6'],
    ['refuses if the balance is one unit below the floor', '6', '10', '6.000001', null],
    ['reserves no more than the amount if more is available', '6', '5', '1', '5'],
  ])('%s', (_name, available, ...[wanted, floor, setAside]) => {
    const outcome = decideReserve(unlimited(available), { amount: amount(wanted), floor: amount(floor) });
    expect(outcome).toEqual(setAside === null
      ? { outcome: 'insufficient', available: amount(available) } : { outcome: 'reserved', amount: amount(setAside) });
  });

  it('refuses a floor above the amount or below zero', () => {
    expect(() => decideReserve(unlimited('9'), { amount: amount('1'), floor: amount('2') })).toThrow('a floor is between zero and the amount');
    expect(() => decideReserve(unlimited('9'), { amount: amount('1'), floor: amount('0').minus(amount('1')) })).toThrow('a floor is between');
  });
});

describe('deciding a reservation of a key with a limit', () => {
  it.each<readonly [name: string, left: string, floor: string, outcome: unknown]>([
    ['reserves the amount if the limit leaves that much', '8', '2', { outcome: 'reserved', amount: amount('8') }],
    ['reserves what is left of the limit if that is less than the balance', '5', '2', { outcome: 'reserved', amount: amount('5') }],
    ['reserves what is left of the limit if that equals the floor', '5', '5', { outcome: 'reserved', amount: amount('5') }],
    ['reserves the available balance if that is less than what is left of the limit', '7', '2', { outcome: 'reserved', amount: amount('6') }],
    ['refuses if what is left of the limit is one unit below the floor', '5', '5.000001', { outcome: 'key-limit', left: amount('5') }],
    ['refuses because of the limit if the balance is too low as well', '1', '7', { outcome: 'key-limit', left: amount('1') }],
    ['refuses because of the balance if the limit leaves enough', '9', '7', { outcome: 'insufficient', available: amount('6') }],
  ])('%s', (_name, left, ...[floor, outcome]) => {
    expect(decideReserve({ available: amount(left === '8' ? '9' : '6'), left: amount(left) }, { amount: amount('8'), floor: amount(floor) })).toEqual(outcome);
  });

  it('limits the charge to the reservation plus the smaller of available balance and remaining limit', () => {
    expect(payableOf({ available: amount('10'), left: amount('3') }, amount('6'))).toEqual(amount('9'));
    expect(payableOf({ available: amount('2'), left: amount('3') }, amount('6'))).toEqual(amount('8'));
  });
});

describe('clipping a charge', () => {
  it.each([
    ['charges an amount below the reservation in full', '3', '3', '0'],
    ['charges in full an amount that equals the reservation plus the available balance', '16', '16', '0'],
    ['writes off the one unit that cannot be paid', '16.000001', '16', '0.000001'],
    ['writes off all that cannot be paid', '99', '16', '83'],
  ])('%s', (_name, charged, paid, writtenOff) => {
    const payable = payableOf(unlimited('10'), amount('6'));
    const clipped = clipCharge(chargeOf(amount(charged), FACTS.usdPerServiceToken), { payable }, FACTS);
    expect([clipped.charge.amount.toString(), clipped.writeOff.toString()]).toEqual([paid, writtenOff]);
    expect(clipped.charge).toEqual(chargeOf(amount(paid), FACTS.usdPerServiceToken));
  });

  it('never charges more than can be paid, and writes off the difference', () => {
    const units = fc.bigInt({ min: 0n, max: 10n ** 15n }).map((value) => ServiceTokens.fromUnits(value));
    fc.assert(fc.property(units, units, (charged, payable) => {
      const { charge, writeOff } = clipCharge(chargeOf(charged, FACTS.usdPerServiceToken), { payable }, FACTS);
      expect(payable.isLessThan(charge.amount)).toBe(false);
      expect(charge.amount.plus(writeOff).equals(charged)).toBe(true);
      expect(writeOff.isNegative()).toBe(false);
    }));
  });
});

describe('an ending', () => {
  it.each<readonly [reason: EndReason, service: ServedModel | null, state: string, charge: string]>([
    ['completed', SERVICE, 'settled', '20'],
    ['balance_exhausted', SERVICE, 'settled', '20'],
    ['key_limit_reached', SERVICE, 'settled', '20'],
    ['client_left', SERVICE, 'settled', '20'],
    ['client_left', null, 'released', '0'],
    ['provider_failed', SERVICE, 'settled', '20'],
    ['provider_unavailable', null, 'released', '0'],
    ['request_rejected', null, 'released', '0'],
    ['shutdown', SERVICE, 'settled', '20'],
    ['shutdown', null, 'released', '0'],
    ['internal_error', null, 'released', '0'],
    ['crashed', SERVICE, 'expired', '20'],
    ['crashed', null, 'expired', '0'],
  ])('with the reason %s, served by %j, leaves its reservation %s', (reason, service, state, charge) => {
    const ending = endingOf(reason, service);
    expect([endStateOf(ending), chargeOfEnding(ending, FACTS).amount.toString()]).toEqual([state, charge]);
  });
});

describe('a reservation of a dead process', () => {
  const held: Reservation = {
    id: 'rsv_1' as ReservationId, accountId: FACTS.accountId, ownerId: 'process_1' as ProcessId, amount: amount('10'), state: 'held', facts: FACTS,
    budget: null, progress: null, createdAt: instant(0), expiresAt: instant(10),
  };

  it('is free if no upstream had accepted its request', () => {
    expect(chargeOfEnding(endingOfOrphan(held, instant(5)), FACTS).amount.isZero()).toBe(true);
  });

  it('is charged the usage of its last checkpoint, recorded with the source `checkpoint`', () => {
    const ending = endingOfOrphan({ ...held, progress: { service: SERVICE, usage: USAGE } }, instant(5));
    expect(ending).toMatchObject({ reason: 'crashed', usage: { source: 'checkpoint' }, endedAt: 5 });
    expect(chargeOfEnding(ending, FACTS).amount.toString()).toBe('20');
  });
});
