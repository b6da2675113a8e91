import { type AuditedAct, type AuditedBy, type Instant, later, type MachineId, type MachineScope, MILLISECONDS_PER_MINUTE, type TokenHash } from '@tollgate/core';
import type { Machine, MachineBySecret, MachineCreation, MachineRecords, MachineRotation } from '@tollgate/identity';
import { type Selectable, sql } from 'kysely';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { MACHINE_COLUMNS } from '../schema/column-lists.js';
import { instantFromColumn, instantOrNull } from '../schema/column-values.js';
import { storableText } from '../schema/storable-text.js';
import type { MachineTable } from '../schema/identity-tables.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';

function machineFromRow(row: Selectable<MachineTable>): Machine {
  return {
    id: row.id as MachineId, name: row.name, hint: row.hint, scopes: JSON.parse(row.scopes) as readonly MachineScope[], networks: JSON.parse(row.networks) as readonly string[],
    createdAt: instantFromColumn(row.created_at), expiresAt: instantFromColumn(row.expires_at), previousExpiresAt: instantOrNull(row.previous_expires_at),
    revokedAt: instantOrNull(row.revoked_at), lastUsedAt: instantOrNull(row.last_used_at),
  };
}

/** Writing scripts run one after another, so no count can change between their reads and their writes. */
export class SqlMachineRecords implements MachineRecords {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  create(creation: MachineCreation, by: AuditedBy): Promise<'created' | 'too-many'> {
    return this.runner.write(() => this.insert(creation, by));
  }

  async list(): Promise<readonly Machine[]> {
    const newest = this.queries.selectFrom('machines').select(MACHINE_COLUMNS).orderBy('created_at', 'desc').orderBy('id', 'desc');
    return (await this.runner.read(() => rowsOf(newest))).map(machineFromRow);
  }

  rotate(rotation: MachineRotation, by: AuditedBy): Promise<Machine | null> {
    return this.runner.write(() => this.replaceSecret(rotation, by));
  }

  revoke(id: MachineId, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => this.end(id, by));
  }

  async findByHash(hash: TokenHash): Promise<MachineBySecret | null> {
    const row = await this.runner.read(() => firstOf(this.queries.selectFrom('machines').select(MACHINE_COLUMNS)
      .where((machine) => machine.or([machine('hash', '=', hash), machine('previous_hash', '=', hash)]))));
    if (row === null) return null;
    const machine = machineFromRow(row);
    return { machine, secretExpiresAt: row.hash === hash ? machine.expiresAt : machine.previousExpiresAt ?? machine.createdAt };
  }

  async noteUse(id: MachineId, at: Instant): Promise<void> {
    await this.runner.write(() => changesOf(this.queries.updateTable('machines').set({ last_used_at: at }).where('id', '=', id)
      .where((machine) => machine.or([machine('last_used_at', 'is', null), machine('last_used_at', '<=', BigInt(later(at, -MILLISECONDS_PER_MINUTE)))]))));
  }

  private* insert({ machine, hash, maximum }: MachineCreation, by: AuditedBy): Script<'created' | 'too-many'> {
    const count = yield* firstOf(this.queries.selectFrom('machines').select(({ fn }) => fn.countAll<bigint>().as('machines')).where('revoked_at', 'is', null));
    if (Number(count?.machines ?? 0n) >= maximum) return 'too-many';
    const { id, name, hint, scopes, networks, createdAt, expiresAt } = machine;
    yield* changesOf(this.queries.insertInto('machines').values({
      id, name: storableText(name), hash, hint, previous_hash: null, previous_expires_at: null, scopes: JSON.stringify(scopes), networks: JSON.stringify(networks),
      created_at: createdAt, expires_at: expiresAt, revoked_at: null, last_used_at: null,
    }));
    yield* this.audit('machine.created', { id, details: { scopes, networks, expiresAt }, texts: { name } }, by);
    return 'created';
  }

  private* replaceSecret({ id, hash, hint, expiresAt, previousExpiresAt }: MachineRotation, by: AuditedBy): Script<Machine | null> {
    const earlier = sql<bigint>`case when expires_at < ${BigInt(previousExpiresAt)} then expires_at else ${BigInt(previousExpiresAt)} end`;
    const rotated = yield* changesOf(this.queries.updateTable('machines')
      .set({ hash, hint, expires_at: expiresAt, previous_hash: sql<string>`hash`, previous_expires_at: earlier })
      .where('id', '=', id).where('revoked_at', 'is', null));
    if (rotated === 0) return null;
    const row = yield* firstOf(this.queries.selectFrom('machines').select(MACHINE_COLUMNS).where('id', '=', id));
    const machine = row === null ? null : machineFromRow(row);
    yield* this.audit('machine.rotated', { id, details: { expiresAt, previousExpiresAt: machine?.previousExpiresAt ?? null } }, by);
    return machine;
  }

  private* end(id: MachineId, by: AuditedBy): Script<boolean> {
    const revoked = yield* changesOf(this.queries.updateTable('machines').set({ revoked_at: by.at }).where('id', '=', id).where('revoked_at', 'is', null));
    if (revoked === 0) return false;
    yield* this.audit('machine.revoked', { id, details: {} }, by);
    return true;
  }

  private audit(action: `machine.${'created' | 'rotated' | 'revoked'}`, { id, details, texts = {} }: Pick<AuditedAct, 'details' | 'texts'> & { readonly id: MachineId }, by: AuditedBy): Script<void> {
    return appendAuditEntry(this.queries, { ...by, action, subject: id, accountId: null, details, texts });
  }
}
