import { expect, it } from '@jest/globals';
import { ServiceTokens } from '../money/service-tokens.js';
import type { ApiKeyId, ModelSlug } from '../primitives/ids.js';
import { instant, type UtcDay } from '../primitives/time.js';
import { faultsOfStatement } from './check-statement.js';
import { StatementBuilder } from './statement-builder.js';
import { MAX_STATEMENT_ENTRIES, MAX_STATEMENT_LINES_PER_DAY, type StatementFigures, type Written } from './statement-document.js';

const AT = instant(Date.UTC(2026, 2, 5));

function tokens(units: number): ServiceTokens {
  return ServiceTokens.fromUnits(BigInt(units) * 1_000_000n);
}

function charge(key: number, amount = 1, day = '2026-03-02') {
  return { day: day as UtcDay, model: 'small' as ModelSlug, keyId: `key_${String(key).padStart(4, '0')}` as ApiKeyId, entries: 1, amount: tokens(-amount) };
}

function topUp(number: number) {
  return { number: String(number), kind: 'top-up', amount: tokens(1), requestId: null, at: AT } as const;
}

function written(builder: StatementBuilder): Written<StatementFigures> {
  return JSON.parse(JSON.stringify(builder.figures())) as Written<StatementFigures>;
}

it('a statement is empty only for an account with a balance of zero and no bookings', () => {
  const booked = new StatementBuilder(ServiceTokens.ZERO);
  booked.addEntry(topUp(1));
  expect([new StatementBuilder(ServiceTokens.ZERO).isEmpty, new StatementBuilder(tokens(1)).isEmpty, booked.isEmpty]).toEqual([true, false, false]);
});

it('a statement has the same lines and sums, in whichever order charges arrive', () => {
  const charges = [charge(2, 1, '2026-03-09'), charge(1), charge(3), charge(1, 4), charge(2)];
  const [one, other] = [charges, charges.toReversed()].map((given) => {
    const builder = new StatementBuilder(tokens(20));
    for (const group of given) builder.addCharges('charge', group);
    return written(builder);
  });
  expect(one).toEqual(other);
  expect(one?.charges.map(({ day, key_id: key, entries, svc_tokens: amount }) => `${day} ${key} ${entries} ${amount}`)).toEqual([
    '2026-03-02 key_0001 2 -5', '2026-03-02 key_0002 1 -1', '2026-03-02 key_0003 1 -1', '2026-03-09 key_0002 1 -1',
  ]);
  expect(one?.closing_balance).toBe('12');
});

it('a statement lists a limited number of charges a day, and sums all others in one line, in any order of arrival', () => {
  const keys = Array.from({ length: MAX_STATEMENT_LINES_PER_DAY + 5 }, (_, key) => key);
  const [one, other] = [[...keys, 3, 203], [203, 3, ...keys.toReversed()]].map((given) => {
    const builder = new StatementBuilder(tokens(1_000));
    for (const key of given) builder.addCharges('charge', charge(key));
    return written(builder);
  });
  expect(one).toEqual(other);
  expect(one?.charges).toHaveLength(MAX_STATEMENT_LINES_PER_DAY + 1);
  expect(one?.charges.at(-1)).toEqual({ day: '2026-03-02', model: null, key_id: null, entries: 6, svc_tokens: '-6' });
  expect(one === undefined ? null : faultsOfStatement(one, '1000')).toEqual([]);
});

it('a statement lists a limited number of entries, and counts those that it does not list', () => {
  const builder = new StatementBuilder(ServiceTokens.ZERO);
  for (let number = 1; number <= MAX_STATEMENT_ENTRIES + 2; number += 1) builder.addEntry(topUp(number));
  const figures = written(builder);
  expect([figures.entries.length, figures.entries_not_listed, figures.closing_balance]).toEqual([MAX_STATEMENT_ENTRIES, 2, String(MAX_STATEMENT_ENTRIES + 2)]);
  expect(faultsOfStatement(figures, '0')).toEqual([]);
});

function sound(): Written<StatementFigures> {
  const builder = new StatementBuilder(tokens(10));
  builder.addCharges('charge', charge(1, 4));
  builder.addCharges('late-charge', charge(1, 1));
  builder.addEntry(topUp(1));
  builder.addEntry({ number: '2', kind: 'correction', amount: tokens(-2), requestId: null, at: AT });
  return written(builder);
}

it.each<[string, Partial<Written<StatementFigures>>, readonly string[]]>([
  ['no fault in a sound statement', {}, []],
  ['an opening balance that differs from the closing balance of the statement before', { opening_balance: '11' }, ['it opens with 11, the one before closed with 10', 'its opening balance and totals do not add up to its closing balance']],
  ['a wrong closing balance', { closing_balance: '5' }, ['its opening balance and totals do not add up to its closing balance']],
  ['a negative closing balance', { closing_balance: '-4', totals: [...sound().totals, { kind: 'dispute', entries: 0, svc_tokens: '-8' }] }, ['its closing balance is negative', 'its entries of kind dispute do not add up to their total']],
  ['a missing charge', { charges: [] }, ['its charges by day, model and key do not add up to their total', 'its charges by day, model and key are not as many as their total says']],
  ['a missing entry', { entries: sound().entries.slice(1) }, ['its entries are not as many as their totals say', 'its entries of kind top-up do not add up to their total']],
  ['no fault if an entry is not listed', { entries: sound().entries.slice(1), entries_not_listed: 1 }, []],
])('the check of a statement finds %s', (_, differences, faults) => {
  expect(faultsOfStatement({ ...sound(), ...differences }, '10')).toEqual(faults);
});
