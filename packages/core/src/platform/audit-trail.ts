import type { AccountId, JsonObject } from '../primitives/primitives.js';
import { type Instant, instant } from '../primitives/time.js';
import type { Actor, ActOrigin, AuditedBy } from './actor.js';

/**
 * What is wrong with an entry: it is not as it was written, or the one before it is not; it is missing, with others after it; it and all
 * after it were cut off; it was added by something that does not keep the trail.
 */
export type AuditFault = 'altered' | 'missing' | 'cut-off' | 'added';

/** What reading the whole audit trail showed. */
export interface AuditTrailVerification {
  /** How many were written. */
  readonly entries: number;
  /** Number of the first entry with a fault; `null` when all are sound. */
  readonly firstBrokenEntry: number | null;
  readonly fault: AuditFault | null;
}

/** Which entries to list; `null` for any. */
export interface AuditQuery {
  /** The account that they concern. */
  readonly accountId: AccountId | null;
  readonly actorKind: Actor['kind'] | null;
  readonly actorId: string | null;
  readonly action: string | null;
  /** Included. */
  readonly from: Instant | null;
  /** Not included. */
  readonly to: Instant | null;
  /** From 1 to `AUDIT_PAGE_MAXIMUM`. */
  readonly limit: number;
  /** A cursor of an earlier page with the same filters. */
  readonly cursor: string | null;
}

export const AUDIT_PAGE_MAXIMUM = 100;

/** Lets every entry through. */
export const NO_AUDIT_FILTERS = { accountId: null, actorKind: null, actorId: null, action: null, from: null, to: null } as const;

/** An entry as it is read. What has been erased of it is `null` or left out. */
export interface AuditRecord {
  /** From 1, without gaps. */
  readonly number: number;
  readonly at: Instant;
  readonly actor: Pick<Actor, 'kind' | 'id'>;
  /** `null` in entries from before origins were recorded. */
  readonly origin: ActOrigin | null;
  readonly action: string;
  readonly subject: string;
  readonly accountId: AccountId | null;
  readonly details: JsonObject;
  /** Names, addresses and reasons, by what they are; erased with the account. */
  readonly texts: Readonly<Record<string, string>>;
}

export interface AuditPage {
  readonly records: readonly AuditRecord[];
  /** `null` at the end. */
  readonly nextCursor: string | null;
}

/** The act of an operator who looks at what the owner of an account sees. */
export const ACCOUNT_VIEWED = 'account.viewed';

/**
 * The record of what operators, owners and the service itself changed: each entry carries a hash over the one before,
 * and the number of entries is kept elsewhere with the hash of the last one. Personal texts stand beside the entries, which hold
 * hashes of them: erasing one leaves the chain whole, changing one does not.
 */
export interface AuditTrail {
  verifyAuditTrail(): Promise<AuditTrailVerification>;
  /** Newest first. `null` when the cursor is none. */
  list(query: AuditQuery): Promise<AuditPage | null>;
  /** Writes that an account was viewed, once for each actor, account and UTC day, so that looking again fills no pages. Resolves with whether it wrote one. */
  recordView(accountId: AccountId, by: AuditedBy): Promise<boolean>;
}

/** Where a page of the audit trail ended: the next one holds older entries. */
export interface AuditPosition {
  readonly at: Instant;
  readonly number: number;
}

const CURSOR = /^(\d{1,15})-(\d{1,15})$/;

export function auditCursorOf({ at, number }: AuditPosition): string {
  return `${at}-${number}`;
}

/** `null` when the text is no cursor. */
export function readAuditCursor(cursor: string): AuditPosition | null {
  const [, at, number] = CURSOR.exec(cursor) ?? [];
  return at === undefined || number === undefined ? null : { at: instant(Number(at)), number: Number(number) };
}
