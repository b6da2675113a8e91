import { type AuditedBy, type Instant, later, type MachineId, MILLISECONDS_PER_DAY, type PersonId } from '@tollgate/core';
import {
  type MachineLink, type MachineLinkRefusal, mayChangeAddress, maySignIn, ownAct, type Person, type PersonRecord, type StoredToken, type TokenEffect, type TokenRedemption,
} from '@tollgate/identity';
import { PERSON_TOKEN_COLUMNS } from '../schema/column-lists.js';
import { instantFromColumn } from '../schema/column-values.js';
import { storableText } from '../schema/storable-text.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import { auditPerson } from './audit-person.js';
import { findPerson, findPersonOfAccount } from './person-rows.js';
import { isAddressTaken, moveAddress } from './replace-address.js';
import { discardPerson, removeTracesByMailbox } from './remove-person.js';
import { markVerified, renameWithAccount } from './verify-address.js';

interface Redeemed {
  readonly record: PersonRecord;
  readonly token: StoredToken;
  readonly by: AuditedBy;
}

/** Time for which expired tokens are kept. It is longer than the differences between gateways' clocks. */
const EXPIRED_KEPT_MILLISECONDS = MILLISECONDS_PER_DAY;

export interface TokenIssue {
  readonly at: Instant;
  /** If given, an audit entry is written. */
  readonly by?: AuditedBy | undefined;
}

export function* putToken(queries: Queries, { hash, personId, purpose, newEmail, expiresAt, machineId }: StoredToken, { at, by }: TokenIssue): Script<boolean> {
  if ((yield* findPerson(queries, personId)) === null) return false;
  yield* changesOf(queries.deleteFrom('person_tokens')
    .where((token) => token.or([token('expires_at', '<=', BigInt(later(at, -EXPIRED_KEPT_MILLISECONDS))), token.and({ person_id: personId, purpose })])));
  const newEmailColumn = newEmail === null ? null : storableText(newEmail);
  yield* changesOf(queries.insertInto('person_tokens').values({ hash, person_id: personId, purpose, new_email: newEmailColumn, expires_at: expiresAt, machine_id: machineId }));
  if (by !== undefined) yield* auditPerson(queries, newEmail === null ? { action: 'link-issued', id: personId, details: { purpose } } : { action: 'email-change-requested', id: personId, texts: { to: newEmail } }, by);
  return true;
}

export function* putMachineLink(queries: Queries, { accountId, hash, machineId, expiresAt }: MachineLink, by: AuditedBy): Script<'issued' | MachineLinkRefusal> {
  const record = yield* findPersonOfAccount(queries, accountId);
  const refusal = refusalOf(record);
  if (record === null || refusal !== null) return refusal ?? 'no-person';
  yield* putToken(queries, { hash, personId: record.person.id, purpose: 'machine-sign-in', newEmail: null, expiresAt, machineId }, { at: by.at, by });
  return 'issued';
}

function refusalOf(record: PersonRecord | null): MachineLinkRefusal | null {
  if (record === null) return 'no-person';
  const { person, account } = record;
  if (person.role === 'operator') return 'operator';
  if (account?.blocked === true) return 'blocked';
  if (!person.emailVerified) return 'unverified';
  return maySignIn(person, account) ? null : 'deleted';
}

export function* findToken(queries: Queries, { hash, purpose }: Pick<StoredToken, 'hash' | 'purpose'>, at: Instant): Script<StoredToken | null> {
  const row = yield* firstOf(queries.selectFrom('person_tokens').select(PERSON_TOKEN_COLUMNS)
    .where('hash', '=', hash).where('purpose', '=', purpose).where('expires_at', '>', BigInt(at)));
  if (row === null) return null;
  const { person_id: personId, new_email: newEmail, expires_at: expiresAt, machine_id: machineId } = row;
  return { hash, purpose, personId: personId as PersonId, newEmail, expiresAt: instantFromColumn(expiresAt), machineId: machineId as MachineId | null };
}

export function* redeemToken(queries: Queries, { hash, purpose, effect, at, address }: TokenRedemption): Script<Person | null> {
  const token = yield* findToken(queries, { hash, purpose }, at);
  const record = token === null ? null : yield* findPerson(queries, token.personId);
  if (token === null || record === null) return null;
  const { id } = record.person;
  const by = ownAct(id, at, address);
  if (!(yield* hasEffect(queries, effect, { record, token, by }))) return null;
  // Deletes the token, so that no other redemption of it succeeds. A token whose effect was refused is not deleted.
  yield* changesOf(queries.deleteFrom('person_tokens').where('hash', '=', hash));
  return (yield* findPerson(queries, id))?.person ?? record.person;
}

function* hasEffect(queries: Queries, effect: TokenEffect, redeemed: Redeemed): Script<boolean> {
  switch (effect.kind) {
    case 'verify-email': return yield* verify(queries, effect, redeemed);
    case 'set-password': return yield* setPassword(queries, effect, redeemed);
    case 'change-email': return yield* changeEmail(queries, redeemed);
    case 'disown': return yield* disown(queries, redeemed);
    case 'none': return true;
  }
}

function* verify(queries: Queries, { provenHash, ...verified }: Extract<TokenEffect, { readonly kind: 'verify-email' }>, { record, by }: Redeemed): Script<boolean> {
  if (record.passwordHash !== provenHash) return false;
  yield* markVerified(queries, record.person, { ...verified, by });
  return true;
}

function* setPassword(queries: Queries, { passwordHash, name, ...verified }: Extract<TokenEffect, { readonly kind: 'set-password' }>, { record, by }: Redeemed): Script<boolean> {
  const { id, emailVerified } = record.person;
  yield* removeTracesByMailbox(queries, record.person);
  if (name !== null && !emailVerified) yield* renameWithAccount(queries, record.person, { name, at: by.at });
  yield* changesOf(queries.updateTable('people').set({ password_hash: passwordHash }).where('id', '=', id));
  yield* auditPerson(queries, { action: 'password-set', id }, by);
  yield* markVerified(queries, record.person, { ...verified, by });
  return true;
}

/** Changes the address of the person and the account. Deletes all tokens of the person, because they were mailed to the old address. */
function* changeEmail(queries: Queries, { record: { person, account }, token: { newEmail }, by }: Redeemed): Script<boolean> {
  if (newEmail === null || person.accountId === null || !mayChangeAddress(person, account) || (yield* isAddressTaken(queries, newEmail))) return false;
  yield* changesOf(queries.deleteFrom('person_tokens').where('person_id', '=', person.id));
  yield* moveAddress(queries, { accountId: person.accountId, person, to: newEmail }, by);
  return true;
}

function* disown(queries: Queries, { record: { person }, by }: Redeemed): Script<boolean> {
  if (person.emailVerified) return false;
  yield* discardPerson(queries, person, { ...by, action: 'disowned' });
  return true;
}
