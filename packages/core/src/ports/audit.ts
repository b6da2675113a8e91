import type { AccountId } from '../ids.js';
import type { JsonObject } from '../json.js';
import type { Instant } from '../time.js';
import type { AuditedBy } from './accounts.js';

/** Where an act came from. */
export interface ActOrigin {
  readonly place: 'gateway' | 'command-line';
  /** The operating system's user, under whatever name the act is recorded; `null` where the act came over HTTP, or the gateway itself acts. */
  readonly user: string | null;
  /** The client's address as the gateway decided it; `null` where there is no client. */
  readonly address: string | null;
}

/** Who did something that the audit trail records, and from where. */
export interface Actor {
  readonly kind: 'operator' | 'owner' | 'system';
  /** A person's id, or the name that an operator gives on the command line; `system` for the service itself. */
  readonly id: string;
  readonly origin: ActOrigin;
}

/** The id of an operator on the command line who gives no name. */
export const COMMAND_LINE_ACTOR_ID = 'command-line';

export const GATEWAY_ORIGIN: ActOrigin = { place: 'gateway', user: null, address: null };
export const SYSTEM_ACTOR: Actor = { kind: 'system', id: 'system', origin: GATEWAY_ORIGIN };

/** Where a request over HTTP came from. */
export function clientAt(address: string): ActOrigin {
  return { place: 'gateway', user: null, address };
}

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
