import type { AccountId, JsonObject } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import type { Actor } from './actor.js';

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
