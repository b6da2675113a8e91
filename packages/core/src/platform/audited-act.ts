import type { AccountId, JsonObject } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import type { Actor } from './actor.js';

/** An act that is recorded in the transaction that performs it. */
export interface AuditedAct {
  readonly actor: Actor;
  readonly at: Instant;
  /** Subject and verb: `account.created`. */
  readonly action: string;
  /** The id of the changed object. */
  readonly subject: string;
  /** The account whose owner may read the entry; `null` for none. */
  readonly accountId: AccountId | null;
  /** Never erased: must contain no secrets, and identify people by ids only. */
  readonly details: JsonObject;
  /** Personal texts (names, addresses, reasons) by field; erased with the account. */
  readonly texts?: Readonly<Record<string, string | null>>;
}

/** A personal text, stored outside the hash chain so that it can be erased. */
export interface PersonalText {
  /** `user` or `address` (of the actor), `reason` or `name`; unique within an entry. */
  readonly field: string;
  /** The person or account with which the text is erased. */
  readonly owner: string;
  readonly text: string;
}

export const MAX_PERSONAL_TEXT_CHARACTERS = 2_000;

/** Longer texts are truncated. */
export function personalTextsOf({ actor, subject, accountId, texts = {} }: AuditedAct): readonly PersonalText[] {
  const { user, address } = actor.origin;
  const ofActor = Object.entries({ user, address }).map(([field, text]) => ({ field, owner: actor.id, text }));
  const ofSubject = Object.entries(texts).map(([field, text]) => ({ field, owner: accountId ?? subject, text }));
  const given = [...ofActor, ...ofSubject].flatMap(({ text, ...rest }) =>
    (text === null ? [] : [{ ...rest, text: text.slice(0, MAX_PERSONAL_TEXT_CHARACTERS) }]));
  return given.toSorted((first, second) => (first.field < second.field ? -1 : 1));
}
