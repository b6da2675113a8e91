import { type AccountId, type AccountStatus, foldEmail, later, type PersonId } from '@tollgate/core';
import { type Factor, type MailLanguage, type Person, type PersonRecord, type PersonRole, UNVERIFIED_KEPT_MILLISECONDS } from '@tollgate/identity';
import type { Insertable } from 'kysely';
import { flagFromColumn, flagToColumn, instantFromColumn, instantOrNull } from '../schema/column-values.js';
import { storableText } from '../schema/storable-text.js';
import type { PersonTable } from '../schema/identity-tables.js';
import { firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

/** A person, with the standing of the person's account. */
export interface PersonRow {
  readonly id: string;
  readonly account_id: string | null;
  readonly email: string;
  readonly email_verified: bigint | number;
  readonly name: string;
  readonly role: string;
  readonly language: string | null;
  readonly password_hash: string | null;
  readonly created_at: bigint | number;
  readonly discard_at: bigint | number | null;
  readonly account_status: string | null;
  readonly account_blocked: bigint | number | null;
  readonly has_totp: unknown;
  readonly has_passkey: unknown;
}

export function personFromRow(row: PersonRow): Person {
  const factors: Factor[] = [];
  if (Number(row.has_totp) !== 0) factors.push('totp');
  if (Number(row.has_passkey) !== 0) factors.push('passkey');
  return {
    id: row.id as PersonId, accountId: row.account_id as AccountId | null, email: row.email, emailVerified: flagFromColumn(row.email_verified),
    name: row.name, role: row.role as PersonRole, factors, language: row.language as MailLanguage | null, createdAt: instantFromColumn(row.created_at),
  };
}

export function recordFromRow(row: PersonRow): PersonRecord {
  const { account_status: status, account_blocked: blocked } = row;
  const account = status === null || blocked === null ? null : { status: status as AccountStatus, blocked: flagFromColumn(blocked) };
  return { person: personFromRow(row), passwordHash: row.password_hash, account, discardAt: instantOrNull(row.discard_at) };
}

export function personToRow({ id, accountId, email, emailVerified, name, role, language, createdAt }: Person, passwordHash: string | null): Insertable<PersonTable> {
  return {
    id, account_id: accountId, email: foldEmail(storableText(email)), email_verified: flagToColumn(emailVerified), name: storableText(name), role, language,
    password_hash: passwordHash, created_at: createdAt, discard_at: emailVerified ? null : later(createdAt, UNVERIFIED_KEPT_MILLISECONDS),
  };
}

export function selectPeople(queries: Queries) {
  return queries.selectFrom('people').leftJoin('accounts', 'accounts.id', 'people.account_id')
    .select([
      'people.id', 'people.account_id', 'people.email', 'people.email_verified', 'people.name', 'people.role', 'people.language', 'people.password_hash', 'people.created_at', 'people.discard_at',
      'accounts.status as account_status', 'accounts.blocked as account_blocked',
    ])
    .select((people) => (['totp', 'passkey'] as const).map((kind) => people.exists(
      people.selectFrom('person_factors').select('person_factors.id').where('person_factors.kind', '=', kind)
        .where('person_factors.confirmed_at', 'is not', null).whereRef('person_factors.person_id', '=', 'people.id'),
    ).as(`has_${kind}`)));
}

export function* findPerson(queries: Queries, id: PersonId): Script<PersonRecord | null> {
  const row = yield* firstOf(selectPeople(queries).where('people.id', '=', id));
  return row === null ? null : recordFromRow(row);
}

/** @param email must be folded. */
export function* findPersonByEmail(queries: Queries, email: string): Script<PersonRecord | null> {
  const row = yield* firstOf(selectPeople(queries).where('people.email', '=', storableText(email)));
  return row === null ? null : recordFromRow(row);
}

export function* findPersonOfAccount(queries: Queries, accountId: AccountId): Script<PersonRecord | null> {
  const row = yield* firstOf(selectPeople(queries).where('people.account_id', '=', accountId));
  return row === null ? null : recordFromRow(row);
}
