import {
  type AccountId, AUDIT_PAGE_MAXIMUM, type AuditPage, type AuditQuery, type AuditTrail, type AuditTrailVerification, type AuditedBy, invariant, readAuditCursor,
} from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { AuditChain } from './audit-chain.js';
import { listAuditEntries } from './audit-list-script.js';
import { recordAccountView } from './record-account-view.js';

/** The audit trail in any SQL database. */
export class SqlAuditTrail implements AuditTrail {
  private readonly chain: AuditChain;

  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {
    this.chain = new AuditChain(queries);
  }

  verifyAuditTrail(): Promise<AuditTrailVerification> {
    return this.runner.readAtLeisure(() => this.chain.verify());
  }

  async list({ cursor, ...filters }: AuditQuery): Promise<AuditPage | null> {
    invariant(filters.limit >= 1 && filters.limit <= AUDIT_PAGE_MAXIMUM, 'pages of the audit trail are bounded');
    const after = cursor === null ? null : readAuditCursor(cursor);
    if (cursor !== null && after === null) return null;
    return this.runner.read(() => listAuditEntries(this.queries, filters, after));
  }

  recordView(accountId: AccountId, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => recordAccountView(this.queries, accountId, by));
  }
}
