import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { ServiceTokens } from '../money/service-tokens.js';
import type { RequestId } from '../primitives/ids.js';
import { instant, type Instant } from '../primitives/time.js';
import { type CreditLeft, type CreditMovement, CreditsLeft } from './credits-left.js';

type Draft = CreditMovement extends infer Movement ? Movement extends CreditMovement ? Omit<Movement, 'entry'> : never : never;

function tokens(units: number): ServiceTokens {
  return ServiceTokens.fromUnits(BigInt(units));
}

function credit(units: number, expiresAt: number | null, reference: string | null = null, at = 0): Draft {
  return { kind: 'credit', amount: tokens(units), reference, expiresAt: expiresAt === null ? null : instant(expiresAt), at: instant(at) };
}

function charge(units: number, at: number, request: string | null = null): Draft {
  return { kind: 'charge', amount: tokens(units), at: instant(at), requestId: request as RequestId | null };
}

function refund(units: number, at: number, request: string): Draft {
  return { kind: 'refund', amount: tokens(units), at: instant(at), requestId: request as RequestId };
}

function numbered(drafts: readonly Draft[]): readonly CreditMovement[] {
  return drafts.map((draft, index) => ({ ...draft, entry: BigInt(index + 1) }));
}

function refundedIn(movements: readonly CreditMovement[]): ReadonlySet<RequestId> {
  return new Set(movements.flatMap((movement) => (movement.kind === 'refund' ? [movement.requestId] : [])));
}

function replayed(drafts: readonly Draft[]): CreditsLeft {
  const movements = numbered(drafts);
  const credits = new CreditsLeft(refundedIn(movements));
  for (const movement of movements) credits.apply(movement);
  return credits;
}

/** `entry:units` of the remaining credits, the soonest to expire first. */
function leftAfter(...drafts: readonly Draft[]): readonly string[] {
  return replayed(drafts).left().map(shown);
}

function shown({ entry, left }: CreditLeft): string {
  return `${entry}:${left.toUnits()}`;
}

describe('a charge', () => {
  it.each([
    ['consumes the credit that expires first', [credit(5, null), credit(5, 200), credit(5, 100), charge(3, 0)], ['3:2', '2:5', '1:5']],
    ['continues with the credit that expires next', [credit(5, null), credit(5, 200), credit(5, 100), charge(7, 0)], ['2:3', '1:5']],
    ['consumes the older of two credits that expire together', [credit(5, 100), credit(5, 100), charge(3, 0)], ['1:2', '2:5']],
    ['consumes credits without expiry last, the older first', [credit(5, null), credit(5, null), credit(5, 100), charge(7, 0)], ['1:3', '2:5']],
    ['does not consume an expired credit while another is left', [credit(5, 100), credit(5, null), charge(3, 100)], ['1:5', '2:2']],
    ['consumes expired credits if no others are left', [credit(5, 100), credit(5, null), charge(7, 100)], ['1:3']],
    ['consumes a credit until the moment at which it expires', [credit(5, 100), credit(5, null), charge(3, 99)], ['1:2', '2:5']],
  ])('%s', (_name, drafts, left) => {
    expect(leftAfter(...drafts)).toEqual(left);
  });

  it('of more than all credits is an error', () => {
    expect(() => leftAfter(credit(5, null), charge(6, 0))).toThrow('never spends more');
  });
});

describe('the refund of a request', () => {
  const two = [credit(5, 100), credit(5, null), charge(8, 0, 'req_1')];

  it.each([
    ['restores the credit that paid last', [...two, refund(2, 10, 'req_1')], ['2:4']],
    ['restores the two credits that paid last, if it exceeds what the last one paid', [...two, refund(4, 10, 'req_1')], ['1:1', '2:5']],
    ['continues where an earlier refund ended', [...two, refund(2, 10, 'req_1'), refund(2, 10, 'req_1')], ['1:1', '2:5']],
    ['becomes a credit without expiry if the credit that paid has expired', [...two, refund(6, 100, 'req_1')], ['2:5', '4:3']],
    ['also restores what a late charge took', [...two, charge(1, 5, 'req_1'), refund(9, 10, 'req_1')], ['1:5', '2:5']],
  ])('%s', (_name, drafts, left) => {
    expect(leftAfter(...drafts)).toEqual(left);
  });
});

describe('taking back a payment', () => {
  const two = [credit(5, 100, 'sandbox:pay_1'), credit(5, 200, 'sandbox:pay_2')];
  const takeBack = (units: number, reference: string): Draft => ({ kind: 'take-back', amount: tokens(units), reference, at: instant(0) });

  it.each([
    ['reduces the credit of the payment', [...two, takeBack(3, 'sandbox:pay_2')], ['1:5', '2:2']],
    ['takes from other credits what the credit of the payment cannot cover', [...two, takeBack(7, 'sandbox:pay_2')], ['1:3']],
    ['takes from other credits if that of the payment is used up', [...two, charge(5, 0), takeBack(2, 'sandbox:pay_1')], ['2:3']],
    ['takes from other credits if that of the payment is unknown', [...two, takeBack(2, 'sandbox:pay_9')], ['1:3', '2:5']],
  ])('%s', (_name, drafts, left) => {
    expect(leftAfter(...drafts)).toEqual(left);
  });
});

describe('expiry', () => {
  it('takes the part that is unused at the moment of expiry', () => {
    const credits = replayed([credit(5, 100), credit(5, 200), credit(5, null), charge(2, 0)]);
    expect([99, 100, 200].map((at) => credits.expired(instant(at)).map(shown))).toEqual([[], ['1:3'], ['1:3', '2:5']]);
  });

  it('takes only from the credit that expires, and may take it in parts', () => {
    const expiry = (units: number): Draft => ({ kind: 'expiry', credit: 1n, amount: tokens(units), at: instant(100) });
    expect(leftAfter(credit(5, 100), credit(5, null), expiry(2))).toEqual(['1:3', '2:5']);
    expect(leftAfter(credit(5, 100), credit(5, null), expiry(2), expiry(3))).toEqual(['2:5']);
    expect(() => leftAfter(credit(5, 100), credit(5, null), expiry(6))).toThrow('at most what is left');
  });
});

/** One unit of a credit. The model keeps each unit as an object, and examines all units in every step. */
interface Unit {
  entry: bigint;
  expiresAt: Instant | null;
  readonly reference: string | null;
  /** `null` until the unit is spent. */
  spent: { readonly request: RequestId | null; readonly step: number } | null;
}

class Model {
  readonly units: Unit[] = [];
  #step = 0;

  get left(): number {
    return this.units.filter(({ spent }) => spent === null).length;
  }

  spentFor(request: RequestId): number {
    return this.units.filter(({ spent }) => spent?.request === request).length;
  }

  apply(movement: CreditMovement): void {
    for (let count = movement.amount.toUnits(); count > 0n; count -= 1n) this.#one(movement);
  }

  #one(movement: CreditMovement): void {
    const open = this.units.filter(({ spent }) => spent === null);
    this.#step += 1;
    switch (movement.kind) {
      case 'credit': this.units.push({ ...movement, spent: null }); break;
      case 'charge': this.#spend(open, movement, movement.requestId); break;
      case 'take-back': {
        const own = open.filter(({ reference }) => reference === movement.reference);
        this.#spend(own.length > 0 ? own : open, movement, null);
        break;
      }
      case 'expiry': this.#spend(open.filter(({ entry }) => entry === movement.credit), movement, null); break;
      case 'refund': {
        const [back] = this.units.filter(({ spent }) => spent?.request === movement.requestId).toSorted((one, other) => (other.spent?.step ?? 0) - (one.spent?.step ?? 0));
        if (back === undefined) throw new Error('nothing to refund');
        if (back.expiresAt !== null && back.expiresAt <= movement.at) Object.assign(back, { entry: movement.entry, expiresAt: null });
        back.spent = null;
        break;
      }
    }
  }

  #spend(from: readonly Unit[], { at }: CreditMovement, request: RequestId | null): void {
    const rank = ({ expiresAt, entry }: Unit): readonly number[] => [expiresAt !== null && expiresAt <= at ? 1 : 0, expiresAt ?? Infinity, Number(entry)];
    const [first] = from.toSorted((one, other) => {
      const [a, b] = [rank(one), rank(other)];
      const place = a.findIndex((value, index) => value !== b[index]);
      return place === -1 ? 0 : (a[place] ?? 0) - (b[place] ?? 0);
    });
    if (first === undefined) throw new Error('nothing to spend');
    first.spent = { request, step: this.#step };
  }

  shown(): readonly string[] {
    const counts = new Map<bigint, number>();
    for (const { entry, spent } of this.units) if (spent === null) counts.set(entry, (counts.get(entry) ?? 0) + 1);
    return [...counts].map(([entry, count]) => `${entry}:${count}`).toSorted();
  }
}

interface Step {
  readonly act: 'credit' | 'charge' | 'refund' | 'take-back' | 'expiry';
  readonly size: number;
  readonly wait: number;
  readonly choice: number;
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom('credit', 'credit', 'charge', 'charge', 'charge', 'refund', 'take-back', 'expiry'), size: fc.integer({ min: 1, max: 12 }), wait: fc.integer({ min: 0, max: 20 }),
  choice: fc.nat({ max: 4 }),
});

/** The movement of a step, with its amount clipped to what the model allows; `null` if that is zero. */
function movementOf({ act, size, choice }: Step, model: Model, place: { readonly entry: bigint; readonly at: Instant }): CreditMovement | null {
  const upTo = (most: number, rest: (amount: ServiceTokens) => CreditMovement): CreditMovement | null => (most === 0 ? null : rest(tokens(Math.min(size, most))));
  const request = `req_${choice}` as RequestId;
  switch (act) {
    case 'credit': return { ...place, kind: act, amount: tokens(size), reference: `sandbox:pay_${place.entry}`, expiresAt: choice === 0 ? null : instant(place.at + choice * 15) };
    case 'charge': return upTo(model.left, (amount) => ({ ...place, kind: act, amount, requestId: request }));
    case 'refund': return upTo(model.spentFor(request), (amount) => ({ ...place, kind: act, amount, requestId: request }));
    case 'take-back': return upTo(model.left, (amount) => ({ ...place, kind: act, amount, reference: `sandbox:pay_${choice * 3 + 1}` }));
    case 'expiry': {
      const gone = model.units.filter(({ spent, expiresAt }) => spent === null && expiresAt !== null && expiresAt <= place.at);
      const chosen = gone[choice]?.entry ?? gone[0]?.entry;
      return chosen === undefined ? null : upTo(gone.filter(({ entry }) => entry === chosen).length, (amount) => ({ ...place, kind: act, amount, credit: chosen }));
    }
  }
}

describe('random histories', () => {
  it('leave the same credits as a reference model of single units, also if continued from a snapshot', () => {
    fc.assert(fc.property(fc.array(anyStep, { minLength: 1, maxLength: 40 }), fc.nat({ max: 40 }), (steps, cut) => {
      const model = new Model();
      const movements: CreditMovement[] = [];
      let at = 0;
      for (const step of steps) {
        at += step.wait;
        const movement = movementOf(step, model, { entry: BigInt(movements.length + 1), at: instant(at) });
        if (movement === null) continue;
        model.apply(movement);
        movements.push(movement);
      }
      const credits = new CreditsLeft(refundedIn(movements));
      for (const movement of movements) credits.apply(movement);
      expect(credits.left().map(shown).toSorted()).toEqual(model.shown());

      const [before, after] = [movements.slice(0, cut), movements.slice(cut)];
      const chargedBefore = new Set(before.flatMap((movement) => (movement.kind === 'charge' ? [movement.requestId] : [])));
      fc.pre([...refundedIn(after)].every((request) => !chargedBefore.has(request)));
      const first = new CreditsLeft(refundedIn(before));
      for (const movement of before) first.apply(movement);
      const second = new CreditsLeft(refundedIn(after), first.left());
      for (const movement of after) second.apply(movement);
      expect(second.left()).toEqual(credits.left());
    }), { numRuns: 300 });
  });
});
