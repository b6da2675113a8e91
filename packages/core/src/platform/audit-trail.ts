import { PAGE_SIZES } from '../primitives/page-sizes.js';
import type { AccountId, JsonObject } from '../primitives/primitives.js';
import { type Instant, instant } from '../primitives/time.js';
import type { Actor, ActOrigin, AuditedBy } from './actor.js';
import type { AuditedAction } from './audited-act.js';

/**
 * `altered`: the entry or its predecessor does not match its hash. `missing`: a gap. `cut-off`: this entry and all later ones are
 * gone. `added`: the entry was not written by the audit trail.
 */
export type AuditFault = 'altered' | 'missing' | 'cut-off' | 'added';

/** The result of verifying the whole trail. */
export interface AuditTrailVerification {
  /** Entries that were written. */
  readonly entries: number;
  /** `null` if the trail is intact. */
  readonly firstBrokenEntry: number | null;
  readonly fault: AuditFault | null;
}

/** `null` matches everything. */
export interface AuditQuery {
  readonly accountId: AccountId | null;
  readonly actorKind: Actor['kind'] | null;
  readonly actorId: string | null;
  readonly action: string | null;
  /** Inclusive. */
  readonly from: Instant | null;
  /** Exclusive. */
  readonly to: Instant | null;
  /** From 1 to `MAX_AUDIT_PAGE`. */
  readonly limit: number;
  /** From an earlier page with the same filters. */
  readonly cursor: string | null;
}

/** Of any door. The activity of an account is read from the audit trail, too. */
export const MAX_AUDIT_PAGE = Math.max(...[PAGE_SIZES.audit.dashboard, PAGE_SIZES.audit.commandLine, PAGE_SIZES.activity.dashboard].map(({ most }) => most));

export const NO_AUDIT_FILTERS = { accountId: null, actorKind: null, actorId: null, action: null, from: null, to: null } as const;

/** Erased fields are `null` or absent. */
export interface AuditRecord {
  /** From 1, without gaps. */
  readonly number: number;
  readonly at: Instant;
  readonly actor: Pick<Actor, 'kind' | 'id'>;
  /** `null` for entries written before origins were recorded. */
  readonly origin: ActOrigin | null;
  readonly action: string;
  readonly subject: string;
  readonly accountId: AccountId | null;
  readonly details: JsonObject;
  /** Names, addresses and reasons by field; erased with the account. */
  readonly texts: Readonly<Record<string, string>>;
}

export interface AuditPage {
  readonly records: readonly AuditRecord[];
  /** `null` on the last page. */
  readonly nextCursor: string | null;
}

/** Recorded when an operator views an account as its owner sees it. */
export const ACCOUNT_VIEWED: AuditedAction = 'account.viewed';

/**
 * A hash chain of the acts of operators, owners and the service. The number of entries and the last hash are stored separately,
 * so that truncation is detected. Personal texts are stored beside the entries, which contain their hashes: erasing a text keeps
 * the chain valid, changing one does not.
 */
export interface AuditTrail {
  verifyAuditTrail(): Promise<AuditTrailVerification>;
  /** Newest first. Returns `null` for an invalid cursor. */
  list(query: AuditQuery): Promise<AuditPage | null>;
  /** Writes at most one entry per actor, account and UTC day; returns whether it wrote one. */
  recordView(accountId: AccountId, by: AuditedBy): Promise<boolean>;
}

/** The last entry of a page; the next page holds older ones. */
export interface AuditPosition {
  readonly at: Instant;
  readonly number: number;
}

const CURSOR = /^(\d{1,15})-(\d{1,15})$/;

export function auditCursorOf({ at, number }: AuditPosition): string {
  return `${at}-${number}`;
}

/** Returns `null` for an invalid cursor. */
export function readAuditCursor(cursor: string): AuditPosition | null {
  const [, at, number] = CURSOR.exec(cursor) ?? [];
  return at === undefined || number === undefined ? null : { at: instant(Number(at)), number: Number(number) };
}
