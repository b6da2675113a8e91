import { AUDITED_MONEY_ACTS, lowersBalance, type MoneyAct } from '@tollgate/core';
import type { MemoryAuditTrail } from './memory-audit-trail.js';

export function auditAct(audit: MemoryAuditTrail, act: MoneyAct): void {
  const { accountId, amount, reference, reason, at, actor, kind } = act;
  const details = {
    kind, amount: amount.toString(), reference, ...(act.kind === 'refund' ? { request: act.requestId } : {}), ...(lowersBalance(act) ? { direction: 'lower' } : {}),
  };
  audit.record({ actor, action: AUDITED_MONEY_ACTS[kind], subject: accountId, accountId, at, details, texts: { reason } });
}
