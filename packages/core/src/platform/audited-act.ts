import type { AccountId } from '../primitives/ids.js';
import type { JsonObject } from '../primitives/json.js';
import type { Instant } from '../primitives/time.js';
import type { Actor } from './actor.js';

/** Acts by kind of the changed object. */
export const AUDITED_ACTS = {
  account: [
    'created', 'changed', 'verified', 'suspended', 'reactivated', 'blocked', 'unblocked', 'deletion-requested', 'deletion-cancelled', 'deleted', 'viewed',
    'credited', 'signup-credit', 'voucher', 'payment', 'payment-refund', 'dispute', 'refund', 'correction', 'expiry',
  ],
  key: ['created', 'changed', 'revoked', 'blocked', 'unblocked'],
  person: [
    'registered', 'invited-again', 'verified', 'renamed', 'role-changed', 'email-change-requested', 'email-changed', 'password-set', 'password-changed', 'link-issued', 'issuer-linked',
    'sessions-ended', 'factors-removed', 'totp-added', 'totp-removed', 'recovery-codes-renewed', 'recovery-code-used', 'passkey-added', 'passkey-removed',
    'agreed', 'mailed-again', 'sign-up-discarded', 'disowned', 'discarded', 'erased',
  ],
  note: ['added', 'changed', 'removed'],
  payment: ['opened', 'paid', 'failed', 'expired', 'unbookable', 'refunded', 'refund-failed', 'disputed', 'dispute-won', 'dispute-lost', 'refund-requested', 'check-requested'],
  machine: ['created', 'rotated', 'revoked'],
  webhook: ['created', 'changed', 'rotated', 'deleted', 'disabled', 'tested', 'resent'],
  'voucher-batch': ['created', 'revoked'],
  network: ['blocked', 'unblocked'],
  platform: ['maintenance-on', 'maintenance-off'],
  'incident-limit': ['set', 'cleared'],
  installation: ['secret-rotated', 'secret-forgotten'],
  usage: ['exported'],
  upstream: ['tested'],
} as const;

type AuditedKind = keyof typeof AUDITED_ACTS;
type ActionOn<Kind extends AuditedKind> = `${Kind}.${(typeof AUDITED_ACTS)[Kind][number]}`;

/** Kind and verb: `account.created`. */
export type AuditedAction = { readonly [Kind in AuditedKind]: ActionOn<Kind> }[AuditedKind];
export type PersonVerb = (typeof AUDITED_ACTS)['person'][number];
/** Actions whose entries the account's owner may read. */
export type OwnersAction = ActionOn<'account'> | ActionOn<'key'> | ActionOn<'person'> | ActionOn<'webhook'> | ActionOn<'payment'>;
/** Actions whose entries only operators may read. */
export type OperatorsAction = Exclude<AuditedAction, OwnersAction>;

/** An act is recorded in the transaction that performs it, or beforehand if it changes no data. */
export interface AuditedAct {
  readonly actor: Actor;
  readonly at: Instant;
  readonly action: AuditedAction;
  /** Id of the changed object. */
  readonly subject: string;
  /** Account that the act concerns; `null` for none. */
  readonly accountId: AccountId | null;
  /** Never erased, so they contain no secrets and name people by id only. */
  readonly details: JsonObject;
  /** Names, addresses, reasons by field; erased with the account or, if there is none, with the person that is the subject. */
  readonly texts?: Readonly<Record<string, string | null>>;
}

/** A text that is stored outside the hash chain, so that it can be erased. */
export interface PersonalText {
  /** `user` or `address` of the actor, or a field of the act, such as `reason` or `name`; unique within an entry. */
  readonly field: string;
  /** Id of the person or account with which the text is erased. With any other id, such as a machine's, the text is never erased. */
  readonly owner: string;
  readonly text: string;
}

export const MAX_PERSONAL_TEXT_CHARACTERS = 2_000;

/** Truncates texts to `MAX_PERSONAL_TEXT_CHARACTERS`. */
export function personalTextsOf({ actor, subject, accountId, texts = {} }: AuditedAct): readonly PersonalText[] {
  const { user, address } = actor.origin;
  const ofActor = Object.entries({ user, address }).map(([field, text]) => ({ field, owner: actor.id, text }));
  const ofSubject = Object.entries(texts).map(([field, text]) => ({ field, owner: accountId ?? subject, text }));
  const given = [...ofActor, ...ofSubject].flatMap(({ text, ...rest }) =>
    (text === null ? [] : [{ ...rest, text: text.slice(0, MAX_PERSONAL_TEXT_CHARACTERS) }]));
  return given.toSorted((first, second) => (first.field < second.field ? -1 : 1));
}
