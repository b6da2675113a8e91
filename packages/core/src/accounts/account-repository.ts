import type { ServiceTokens } from '../money/service-tokens.js';
import type { AuditedAction } from '../platform/audited-act.js';
import type { Actor, AuditedBy } from '../platform/actor.js';
import type { BlockTerms } from '../platform/block.js';
import type { AccountId, PlanId, PriceListId } from '../primitives/ids.js';
import type { JsonObject } from '../primitives/json.js';
import type { Instant } from '../primitives/time.js';
import type { Account, AccountMetadata, AccountStatus, StandingFacts } from './account.js';

/** Omitted fields stay unchanged. */
export interface AccountChange {
  readonly planId?: PlanId;
  /** `null` for the standard prices. */
  readonly priceList?: PriceListId | null;
  readonly name?: string;
  readonly externalId?: string | null;
  /** Replaces the whole metadata. */
  readonly metadata?: AccountMetadata;
  /** Low-balance thresholds: at most `MAX_ALERT_THRESHOLDS`, each greater than zero; `null` for those of the alert policy. */
  readonly alertThresholds?: readonly ServiceTokens[] | null;
}

/** Details for the audit log. They state that an external id was removed, but contain no external id, which may be personal. */
export function accountDetails({ planId, priceList, externalId, alertThresholds }: AccountChange): JsonObject {
  return {
    ...(planId === undefined ? {} : { planId }), ...(priceList === undefined ? {} : { priceList }), ...(externalId === null ? { externalId } : {}),
    ...(alertThresholds === undefined ? {} : { alertThresholds: alertThresholds?.map((amount) => amount.toString()) ?? null }),
  };
}

/** Texts for the audit log. They may be personal, so they are stored apart from the details and can be erased. */
export function accountTexts({ name, externalId, metadata }: AccountChange): Readonly<Record<string, string | null>> {
  return { name: name ?? null, externalId: externalId ?? null, metadata: metadata === undefined ? null : JSON.stringify(metadata) };
}

/** A change of standing, and the facts on which it was decided. */
export interface StandingMove {
  readonly from: StandingFacts;
  readonly to: StandingFacts;
  readonly action: AuditedAction;
  /** For a step that blocks the account; default no reason and no end. */
  readonly terms?: BlockTerms;
  /** Reason of a suspension, stored until the suspension ends. */
  readonly reason?: string | null;
}

export interface AccountPage {
  readonly accounts: readonly Account[];
  /** Pass it as `after`; `null` on the last page. */
  readonly next: AccountId | null;
}

export interface AccountListQuery {
  readonly limit: number;
  readonly after: AccountId | null;
  /** Default all. */
  readonly status?: AccountStatus | null;
}

/** Position in the list of accounts, ordered by when each account's own fields or standing last changed; bookings do not count as changes. */
export interface UpdatePosition {
  readonly at: Instant;
  /** `null`: the position after all accounts that changed in the millisecond `at`. */
  readonly id: AccountId | null;
}

export interface UpdatedAccountsQuery {
  readonly limit: number;
  readonly after: UpdatePosition;
  /** `null` for all. */
  readonly status: AccountStatus | null;
}

export interface UpdatedAccountsPage {
  readonly accounts: readonly Account[];
  /** Pass it as `after`; `null` on the last page. */
  readonly next: UpdatePosition | null;
}

/** Audits every write in the same transaction. */
export interface AccountRepository {
  findById(id: AccountId): Promise<Account | null>;
  findByEmail(email: string): Promise<Account | null>;
  findByExternalId(externalId: string): Promise<Account | null>;
  /** `null` if the account is unknown, not suspended, or suspended without a reason. */
  suspensionReason(id: AccountId): Promise<string | null>;
  /** Oldest first. */
  list(query: AccountListQuery): Promise<AccountPage>;
  /** Least recently updated first. */
  listUpdated(query: UpdatedAccountsQuery): Promise<UpdatedAccountsPage>;
  /** `email-taken`: another account has the address; letter case does not matter. */
  create(account: Account, actor: Actor): Promise<'created' | 'email-taken' | 'external-id-taken'>;
  /** `null` if the account does not exist. */
  change(id: AccountId, change: AccountChange, by: AuditedBy): Promise<Account | 'external-id-taken' | null>;
  /** Atomic; also starts or ends the account's block. Returns false and changes nothing if the account's standing is no longer `from`. */
  moveStanding(id: AccountId, move: StandingMove, by: AuditedBy): Promise<boolean>;
}
