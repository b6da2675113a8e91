import { hasExpired } from '@tollgate/core';
import { encodeBlock, encodeMaintenance, encodeRecordedLimit, timeOrNull } from '@tollgate/wire-kit';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { list, table } from '../../program/table.js';
import { allBlocks, blockTable } from './blocks.js';
import { maintenanceLine } from './maintenance.js';

export async function platformStatus(session: OperatorSession): Promise<Report> {
  const { store, clock } = session;
  const { maintenance } = store.platform.current();
  const now = clock.now();
  const limits = (await store.controls.listIncidentLimits()).filter((limit) => !hasExpired(limit, now));
  const blocks = await allBlocks(session);
  return {
    json: { maintenance: encodeMaintenance(maintenance, now), blocks: blocks.map(encodeBlock), incident_limits: limits.map(encodeRecordedLimit) },
    lines: [
      maintenanceLine(maintenance, session),
      ...(maintenance?.message === undefined || maintenance.message === null ? [] : [`  ${maintenance.message}`]),
      ...list({ Blocked: blocks.length, 'Limited models': limits.length }),
      ...(blocks.length === 0 ? [] : ['', ...blockTable(blocks)]),
      ...(limits.length === 0 ? [] : ['', ...table(['MODEL', 'REQUESTS/MIN', 'TOKENS/MIN', 'CONCURRENT', 'UNTIL', 'BY'], limits.map((limit) =>
        [limit.model, limit.requestsPerMinute, limit.tokensPerMinute, limit.concurrentRequests, timeOrNull(limit.expiresAt), limit.setBy]))]),
    ],
  };
}
