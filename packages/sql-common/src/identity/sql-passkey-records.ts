import type { AuditedBy, Instant, PasskeyId, PersonId } from '@tollgate/core';
import {
  type AddPasskeyOutcome, counterAdvances, MAX_PASSKEYS, type NewPasskey, type PasskeyRecords, type PasskeyRemoval,
  type PasskeyUse, type RemovePasskeyOutcome, type StoredPasskey,
} from '@tollgate/identity';
import { flagFromColumn, flagToColumn, instantFromColumn } from '../schema/column-values.js';
import { storableText } from '../schema/storable-text.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { auditPerson } from './audit-person.js';
import { lowerSessions } from './remove-person.js';
import { storeMail } from './store-mail.js';
import { takeChallenge } from './take-challenge.js';

interface PasskeyRow {
  readonly id: string;
  readonly person_id: string;
  readonly secret: string;
  readonly created_at: bigint | number;
  readonly credential_id: string;
  readonly name: string;
  readonly counter: bigint | number;
  readonly backed_up: bigint | number;
  readonly transports: string;
  readonly last_used_at: bigint | number | null;
}

function passkeyFromRow(row: PasskeyRow): StoredPasskey {
  const passkey = {
    id: row.id as PasskeyId, personId: row.person_id as PersonId, name: row.name, backedUp: flagFromColumn(row.backed_up),
    createdAt: instantFromColumn(row.created_at), lastUsedAt: row.last_used_at === null ? null : instantFromColumn(row.last_used_at),
  };
  const transports = JSON.parse(row.transports) as readonly string[];
  return { passkey, credential: { credentialId: row.credential_id, publicKey: row.secret, counter: Number(row.counter), transports } };
}

/** Writing scripts run one after another, so no passkey can change between their reads and their writes. */
export class SqlPasskeyRecords implements PasskeyRecords {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  add(passkey: NewPasskey, by: AuditedBy): Promise<AddPasskeyOutcome> {
    return this.runner.write(() => this.insertNew(passkey, by));
  }

  list(personId: PersonId): Promise<readonly StoredPasskey[]> {
    return this.runner.read(() => this.ofPerson(personId));
  }

  findByCredential(credentialId: string): Promise<StoredPasskey | null> {
    return this.runner.read(() => this.withCredential(credentialId));
  }

  use(use: PasskeyUse): Promise<boolean> {
    return this.runner.write(() => this.noteUse(use));
  }

  async rename(personId: PersonId, id: PasskeyId, name: string): Promise<boolean> {
    const own = this.queries.selectFrom('person_factors').select('id').where('id', '=', id).where('person_id', '=', personId);
    const renamed = this.queries.updateTable('passkeys').set({ name: storableText(name) }).where('factor_id', 'in', own);
    return await this.runner.write(() => changesOf(renamed)) === 1;
  }

  remove(removal: PasskeyRemoval, by: AuditedBy): Promise<RemovePasskeyOutcome> {
    return this.runner.write(() => this.delete(removal, by));
  }

  private* insertNew(addition: NewPasskey, by: AuditedBy): Script<AddPasskeyOutcome> {
    const { passkey: { id, personId }, credential, challenge, notice } = addition;
    if (!(yield* this.isSignedIn(addition)) || !(yield* takeChallenge(this.queries, challenge, by.at))) return 'refused';
    if ((yield* this.withCredential(credential.credentialId)) !== null) return 'known';
    if ((yield* this.ofPerson(personId)).length >= MAX_PASSKEYS) return 'too-many';
    yield* this.insert(addition);
    yield* this.raise(addition, by.at);
    yield* auditPerson(this.queries, { action: 'passkey-added', id: personId, details: { passkeyId: id } }, by);
    yield* storeMail(this.queries, notice);
    return 'added';
  }

  private* insert({ passkey, credential }: NewPasskey): Script<void> {
    const { id, personId, createdAt } = passkey;
    yield* changesOf(this.queries.insertInto('person_factors').values({
      id, person_id: personId, kind: 'passkey', secret: credential.publicKey, created_at: createdAt, confirmed_at: createdAt,
    }));
    yield* changesOf(this.queries.insertInto('passkeys').values({
      factor_id: id, credential_id: credential.credentialId, name: storableText(passkey.name), counter: BigInt(credential.counter),
      backed_up: flagToColumn(passkey.backedUp), transports: JSON.stringify(credential.transports), last_used_at: null,
    }));
  }

  private* ofPerson(personId: PersonId): Script<readonly StoredPasskey[]> {
    const rows = yield* rowsOf(this.select().where('person_factors.person_id', '=', personId).orderBy('person_factors.created_at').orderBy('person_factors.id'));
    return rows.map(passkeyFromRow);
  }

  private* withCredential(credentialId: string): Script<StoredPasskey | null> {
    const row = yield* firstOf(this.select().where('passkeys.credential_id', '=', credentialId));
    return row === null ? null : passkeyFromRow(row);
  }

  private* noteUse({ id, counter, backedUp, challenge, at }: PasskeyUse): Script<boolean> {
    const stored = yield* firstOf(this.queries.selectFrom('passkeys').select('counter').where('factor_id', '=', id));
    if (stored === null || !counterAdvances(Number(stored.counter), counter)) return false;
    if (!(yield* takeChallenge(this.queries, challenge, at))) return false;
    const noted = { counter: BigInt(counter), backed_up: flagToColumn(backedUp), last_used_at: BigInt(at) };
    return (yield* changesOf(this.queries.updateTable('passkeys').set(noted).where('factor_id', '=', id))) === 1;
  }

  private* delete({ personId, id, evenIfLast, notice }: PasskeyRemoval, by: AuditedBy): Script<RemovePasskeyOutcome> {
    const confirmed = yield* rowsOf(this.queries.selectFrom('person_factors').select(['id', 'kind'])
      .where('person_id', '=', personId).where('confirmed_at', 'is not', null));
    if (!confirmed.some((factor) => factor.id === id && factor.kind === 'passkey')) return 'no-such-passkey';
    if (confirmed.length === 1 && !evenIfLast) return 'last-factor';
    yield* changesOf(this.queries.deleteFrom('person_factors').where('id', '=', id));
    yield* lowerSessions(this.queries, personId);
    yield* auditPerson(this.queries, { action: 'passkey-removed', id: personId, details: { passkeyId: id } }, by);
    yield* storeMail(this.queries, notice);
    return 'removed';
  }

  private* isSignedIn({ passkey: { personId }, sessionId, tokenHash }: NewPasskey): Script<boolean> {
    const session = this.queries.selectFrom('sessions').select('id').where('id', '=', sessionId).where('person_id', '=', personId).where('token_hash', '=', tokenHash);
    return (yield* firstOf(session)) !== null;
  }

  /** Sets a new session token, so that one that an attacker planted before the proof becomes useless. */
  private* raise({ sessionId, nextTokenHash }: NewPasskey, at: Instant): Script<void> {
    const raised = { token_hash: nextTokenHash, assurance: 'two-factor', proven_at: at, wrong_codes: 0 };
    yield* changesOf(this.queries.updateTable('sessions').set(raised).where('id', '=', sessionId));
  }

  private select() {
    return this.queries.selectFrom('passkeys').innerJoin('person_factors', 'person_factors.id', 'passkeys.factor_id').select([
      'person_factors.id', 'person_factors.person_id', 'person_factors.secret', 'person_factors.created_at', 'passkeys.credential_id', 'passkeys.name',
      'passkeys.counter', 'passkeys.backed_up', 'passkeys.transports', 'passkeys.last_used_at',
    ]);
  }
}
