import type { AccountId, JsonObject } from '../primitives.js';
import { type Instant, instant } from '../time.js';
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

/** An act as the audit trail records it, in the transaction that makes it. */
export interface AuditedAct {
  readonly actor: Actor;
  readonly at: Instant;
  /** `account.created`: what it happened to, and what happened. */
  readonly action: string;
  /** Id of what was changed. */
  readonly subject: string;
  /** The account that the act concerns, whose owner may read of it; `null` where it concerns none. */
  readonly accountId: AccountId | null;
  /** Kept for ever: no secret, and nothing that names a person other than by an id. */
  readonly details: JsonObject;
  /** What names a person, such as names, addresses and reasons, by what it is. Erased with the account. */
  readonly texts?: Readonly<Record<string, string | null>>;
}

/** A text that stands beside the trail, where it can be erased. */
export interface PersonalText {
  /** What it is: `user`, `address` (both of the actor), `reason`, `name`. One of each in an entry. */
  readonly field: string;
  /** The person or account with whom it is erased. */
  readonly owner: string;
  readonly text: string;
}

export const PERSONAL_TEXT_MAXIMUM_CHARACTERS = 2_000;

/** What is personal of an act, by field. Longer texts are cut. */
export function personalTextsOf({ actor, subject, accountId, texts = {} }: AuditedAct): readonly PersonalText[] {
  const { user, address } = actor.origin;
  const ofActor = Object.entries({ user, address }).map(([field, text]) => ({ field, owner: actor.id, text }));
  const ofSubject = Object.entries(texts).map(([field, text]) => ({ field, owner: accountId ?? subject, text }));
  const given = [...ofActor, ...ofSubject].flatMap(({ text, ...rest }) =>
    (text === null ? [] : [{ ...rest, text: text.slice(0, PERSONAL_TEXT_MAXIMUM_CHARACTERS) }]));
  return given.toSorted((first, second) => (first.field < second.field ? -1 : 1));
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
