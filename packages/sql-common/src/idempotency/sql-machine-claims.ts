import type { AccountId, Instant, MachineAnswer, MachineClaim, MachineClaims, RequestId, StoredClaim } from '@tollgate/core';
import { instantFromColumn } from '../schema/column-values.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { tryToClaim } from './claim-machine-request.js';

export class SqlMachineClaims implements MachineClaims {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  async find({ machineId, key }: Pick<MachineClaim, 'machineId' | 'key'>, now: Instant): Promise<StoredClaim | null> {
    const row = await this.runner.read(() => firstOf(this.queries.selectFrom('machine_requests').select(['request_id', 'fingerprint', 'subject', 'claimed_at', 'status', 'answer'])
      .where('machine_id', '=', machineId).where('key', '=', key).where('expires_at', '>', BigInt(now))));
    if (row === null) return null;
    const { request_id: requestId, fingerprint, subject, claimed_at: claimedAt, status, answer } = row;
    return {
      requestId: requestId as RequestId, fingerprint, subject, claimedAt: instantFromColumn(claimedAt), answer: status === null || answer === null ? null : { status: Number(status), body: answer },
    };
  }

  storeAnswer(claim: MachineClaim, answer: MachineAnswer & { readonly accountId: AccountId | null }, now: Instant): Promise<boolean> {
    return this.runner.write(() => this.store(claim, answer, now));
  }

  private* store(claim: MachineClaim, { status, body, accountId }: MachineAnswer & { readonly accountId: AccountId | null }, at: Instant): Script<boolean> {
    const { queries } = this;
    const { machineId, key, requestId } = claim;
    const made = yield* firstOf(queries.selectFrom('machine_requests').select('account_id').where('machine_id', '=', machineId).where('key', '=', key).where('request_id', '=', requestId));
    if (made === null && !(yield* tryToClaim(queries, claim, { at, subject: null, accountId }))) return false;
    const deleted = yield* firstOf(queries.selectFrom('accounts').select('id').where('id', '=', made?.account_id ?? accountId).where('status', '=', 'deleted'));
    if (deleted !== null) return true;
    yield* changesOf(queries.updateTable('machine_requests').set({ status, answer: body }).where('machine_id', '=', machineId).where('key', '=', key).where('request_id', '=', requestId));
    return true;
  }
}
