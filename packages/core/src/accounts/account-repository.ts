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
  /** Thresholds of a low balance: at most `MAX_ALERT_THRESHOLDS`, each greater than zero; `null` for the policy's. */
  readonly alertThresholds?: readonly ServiceTokens[] | null;
}

/** Details for the audit log. They state that an external id was removed, but never an id, which may be personal. */
export function accountDetails({ planId, priceList, externalId, alertThresholds }: AccountChange): JsonObject {
  return {
    ...(planId === undefined ? {} : { planId }), ...(priceList === undefined ? {} : { priceList }), ...(externalId === null ? { externalId } : {}),
    ...(alertThresholds === undefined ? {} : { alertThresholds: alertThresholds?.map((amount) => amount.toString()) ?? null }),
  };
}

/** Texts for the audit log, which may be personal and are therefore kept apart from the details. */
export function accountTexts({ name, externalId, metadata }: AccountChange): Readonly<Record<string, string | null>> {
  return { name: name ?? null, externalId: externalId ?? null, metadata: metadata === undefined ? null : JSON.stringify(metadata) };
}

/** A change of standing, with the facts it was decided on. */
export interface StandingMove {
  readonly from: StandingFacts;
  readonly to: StandingFacts;
  readonly action: AuditedAction;
  /** Required for a step that blocks the account. */
  readonly terms?: BlockTerms;
  /** Reason of a suspension, kept until it ends. */
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

/** Position by the last change of an account's own fields or standing; bookings are no changes. */
export interface UpdatePosition {
  readonly at: Instant;
  /** `null`: after all accounts of that millisecond. */
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
  /** `null` if the account is not suspended or has no reason. */
  suspensionReason(id: AccountId): Promise<string | null>;
  /** Oldest first. */
  list(query: AccountListQuery): Promise<AccountPage>;
  /** Least recently updated first. */
  listUpdated(query: UpdatedAccountsQuery): Promise<UpdatedAccountsPage>;
  /** `email-taken`: another account has the address, in any letter case. */
  create(account: Account, actor: Actor): Promise<'created' | 'email-taken' | 'external-id-taken'>;
  /** `null` if the account does not exist. */
  change(id: AccountId, change: AccountChange, by: AuditedBy): Promise<Account | 'external-id-taken' | null>;
  /** Atomic. Returns false and changes nothing if the account is no longer in `from`. Also starts or ends its block. */
  moveStanding(id: AccountId, move: StandingMove, by: AuditedBy): Promise<boolean>;
}
