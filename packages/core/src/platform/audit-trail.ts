import { PAGE_SIZES } from '../primitives/page-sizes.js';
import type { AccountId } from '../primitives/ids.js';
import type { JsonObject } from '../primitives/json.js';
import { type Instant, instant } from '../primitives/time.js';
import type { Actor, ActOrigin, AuditedBy } from './actor.js';
import type { AuditedAct, AuditedAction } from './audited-act.js';

/**
 * `altered`: the entry or its predecessor does not match its hash. `missing`: a gap. `cut-off`: this and all later entries are gone.
 * `added`: not written by the audit log.
 */
export type AuditFault = 'altered' | 'missing' | 'cut-off' | 'added';

export interface AuditTrailVerification {
  /** Number of entries written. */
  readonly entries: number;
  /** `null` if the trail is intact. */
  readonly firstBrokenEntry: number | null;
  readonly fault: AuditFault | null;
}

/** A filter that is `null` matches everything. */
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
  /** Cursor of an earlier page with the same filters. */
  readonly cursor: string | null;
}

/** Maximum over all interfaces; an account's activity is read from the audit log too. */
export const MAX_AUDIT_PAGE = Math.max(...[PAGE_SIZES.audit.dashboard, PAGE_SIZES.audit.commandLine, PAGE_SIZES.activity.dashboard].map(({ most }) => most));

export const NO_AUDIT_FILTERS = { accountId: null, actorKind: null, actorId: null, action: null, from: null, to: null } as const;

/** Erased fields are `null` or absent. */
export interface AuditRecord {
  /** From 1, without gaps. */
  readonly number: number;
  readonly at: Instant;
  readonly actor: Pick<Actor, 'kind' | 'id'>;
  readonly origin: ActOrigin;
  readonly action: string;
  readonly subject: string;
  readonly accountId: AccountId | null;
  readonly details: JsonObject;
  /** Names, addresses and reasons by field; erased as in `AuditedAct`. */
  readonly texts: Readonly<Record<string, string>>;
}

export interface AuditPage {
  readonly records: readonly AuditRecord[];
  /** `null` on the last page. */
  readonly nextCursor: string | null;
}

/** An operator viewed an account as its owner sees it. */
export const ACCOUNT_VIEWED: AuditedAction = 'account.viewed';

/**
 * A hash chain over the acts of operators, owners, machines and the service. The length and the last hash are stored separately, so that truncation
 * is noticed. Personal texts are stored apart from the entries, which contain the hashes of the texts: erasing a text keeps the chain valid, changing
 * one breaks it.
 */
export interface AuditTrail {
  verifyAuditTrail(): Promise<AuditTrailVerification>;
  /** Newest first. `null` for an invalid cursor. */
  list(query: AuditQuery): Promise<AuditPage | null>;
  /** Records a view at most once per actor, account and UTC day; false if it was recorded before. */
  recordView(accountId: AccountId, by: AuditedBy): Promise<boolean>;
  /** Records an act that changes nothing in the store. */
  append(act: AuditedAct): Promise<void>;
}

/** Last entry of a page; the next page has older entries. */
export interface AuditPosition {
  readonly at: Instant;
  readonly number: number;
}

const CURSOR = /^(\d{1,15})-(\d{1,15})$/;

export function auditCursorOf({ at, number }: AuditPosition): string {
  return `${at}-${number}`;
}

/** `null` if the cursor is invalid. */
export function readAuditCursor(cursor: string): AuditPosition | null {
  const [, at, number] = CURSOR.exec(cursor) ?? [];
  return at === undefined || number === undefined ? null : { at: instant(Number(at)), number: Number(number) };
}
