import type { MoneyActKind } from '../billing/money-act.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId, ApiKeyId, ModelSlug, RequestId } from '../primitives/ids.js';
import type { UtcDay, UtcMonth } from '../primitives/time.js';

/** Maximum lines of a day; further models and keys share one more line. */
export const MAX_STATEMENT_LINES_PER_DAY = 200;
/** Further entries are counted in the totals only. */
export const MAX_STATEMENT_ENTRIES = 1_000;

export const CHARGE_KINDS = ['charge', 'late-charge'] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];
export type StatementKind = ChargeKind | MoneyActKind;

/** The operator of the installation. A field is `null` if no setting states it. */
export interface StatementIssuer {
  readonly name: string | null;
  readonly address: string | null;
  readonly tax_number: string | null;
}

export interface StatementTotal {
  readonly kind: StatementKind;
  readonly entries: number;
  readonly svc_tokens: ServiceTokens;
}

/** Charges booked on a day for a model and a key. The line without model and key sums up all other charges of the day. */
export interface StatementCharge {
  readonly day: UtcDay;
  readonly model: ModelSlug | null;
  readonly key_id: ApiKeyId | null;
  readonly entries: number;
  readonly svc_tokens: ServiceTokens;
}

export interface StatementEntry {
  /** Number of the ledger entry. */
  readonly entry: string;
  readonly day: UtcDay;
  readonly kind: MoneyActKind;
  readonly svc_tokens: ServiceTokens;
  readonly request_id: RequestId | null;
}

/** What the ledger booked for an account in a month. All amounts except the two balances are signed changes of the balance. */
export interface StatementFigures {
  readonly opening_balance: ServiceTokens;
  readonly closing_balance: ServiceTokens;
  readonly totals: readonly StatementTotal[];
  /** In the order of day, model and key. */
  readonly charges: readonly StatementCharge[];
  /** In the order of booking. */
  readonly entries: readonly StatementEntry[];
  readonly entries_not_listed: number;
}

export interface StatementHead {
  readonly object: 'statement';
  readonly version: 1;
  /** From 1 without gaps, over all accounts of the installation. */
  readonly number: number;
  readonly account_id: AccountId;
  readonly month: UtcMonth;
  readonly made_at: string;
  readonly issuer: StatementIssuer;
}

/** A type with its amounts as texts, as in JSON. */
export type Written<T> = T extends ServiceTokens ? string : T extends string | number | null ? T : { readonly [Key in keyof T]: Written<T[Key]> };

/** A statement as it is stored, without names of people. */
export type StatementDocument = StatementHead & Written<StatementFigures>;

/** Names and references of a statement, stored apart from the document until the account is erased. */
export interface StatementNames {
  readonly account: { readonly name: string; readonly email: string };
  /** Names of keys by id; keys without a name are left out. */
  readonly keys: Readonly<Record<string, string>>;
  /** References by number of the ledger entry. */
  readonly references: Readonly<Record<string, string>>;
}

/** A statement as owners and operators download it; `names` is `null` after the erasure of the account. */
export type NamedStatement = StatementDocument & { readonly names: StatementNames | null };
