import * as fc from 'fast-check';

/** Small numbers of each, so that histories meet the same accounts, reservations and owners again and again. */
export const HISTORY_ACCOUNTS = 2;
export const HISTORY_RESERVATIONS = 8;
export const HISTORY_OWNERS = 3;
const REFERENCES = 4;

/** One thing that can happen to a ledger. Amounts and counts are whole tokens; a token costs one service token. */
export type LedgerStep =
  | { readonly kind: 'credit'; readonly account: number; readonly amount: number; readonly reference: number }
  | { readonly kind: 'reserve'; readonly account: number; readonly reservation: number; readonly owner: number; readonly amount: number; readonly lifetimeSeconds: number }
  | { readonly kind: 'extend'; readonly reservation: number; readonly amount: number }
  | { readonly kind: 'checkpoint'; readonly owner: number; readonly progress: readonly (readonly [reservation: number, tokens: number])[]; readonly leaseSeconds: number }
  | { readonly kind: 'settle'; readonly reservation: number; readonly tokens: number; readonly served: boolean }
  | { readonly kind: 'retire'; readonly owner: number }
  | { readonly kind: 'sweep'; readonly afterSeconds: number };

function below(limit: number): fc.Arbitrary<number> {
  return fc.nat({ max: limit - 1 });
}

type Fields<Kind extends LedgerStep['kind']> = Omit<Extract<LedgerStep, { readonly kind: Kind }>, 'kind'>;
type Arbitraries<Shape> = { readonly [Name in keyof Shape]: fc.Arbitrary<Shape[Name]> };

function stepOf<const Kind extends LedgerStep['kind']>(kind: Kind, fields: Arbitraries<Fields<Kind>>): fc.Arbitrary<LedgerStep> {
  const made: fc.Arbitrary<unknown> = fc.record({ kind: fc.constant(kind), ...fields });
  return made as fc.Arbitrary<LedgerStep>;
}

const account = below(HISTORY_ACCOUNTS);
const reservation = below(HISTORY_RESERVATIONS);
const owner = below(HISTORY_OWNERS);

/** Any step; reserving and settling are the most likely, as they are in life. */
export const ledgerStep: fc.Arbitrary<LedgerStep> = fc.oneof(
  { weight: 2, arbitrary: stepOf('credit', { account, amount: fc.integer({ min: 1, max: 40 }), reference: below(REFERENCES) }) },
  { weight: 5, arbitrary: stepOf('reserve', { account, reservation, owner, amount: fc.nat({ max: 25 }), lifetimeSeconds: fc.integer({ min: 1, max: 60 }) }) },
  { weight: 2, arbitrary: stepOf('extend', { reservation, amount: fc.nat({ max: 15 }) }) },
  { weight: 2, arbitrary: stepOf('checkpoint', { owner, progress: fc.array(fc.tuple(reservation, fc.nat({ max: 30 })), { maxLength: 4 }), leaseSeconds: fc.integer({ min: 1, max: 20 }) }) },
  { weight: 5, arbitrary: stepOf('settle', { reservation, tokens: fc.nat({ max: 40 }), served: fc.boolean() }) },
  { weight: 1, arbitrary: stepOf('retire', { owner }) },
  { weight: 2, arbitrary: stepOf('sweep', { afterSeconds: fc.nat({ max: 12 }) }) },
);
