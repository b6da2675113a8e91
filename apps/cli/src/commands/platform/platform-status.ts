import { hasExpired, type JsonObject, type NetworkBlock, rfc3339 } from '@tollgate/core';
import { encodeIncidentLimit, timeOrNull } from '@tollgate/wire-kit';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { list, table } from '../../program/table.js';

export async function setMaintenance(session: OperatorSession, state: 'on' | 'off'): Promise<Report> {
  await session.store.controls.setMaintenance(state, session.act());
  return { json: { maintenance: state === 'on' }, lines: [`Maintenance is ${state}.`] };
}

export async function platformStatus({ store, clock }: OperatorSession): Promise<Report> {
  const { maintenance, incidentLimits } = store.platform.current();
  const now = clock.now();
  const limits = [...incidentLimits.values()].filter((limit) => !hasExpired(limit, now));
  const blocks = await store.controls.listNetworkBlocks();
  return {
    json: { maintenance, blocked_networks: blocks.map(encodeNetworkBlock), incident_limits: limits.map(encodeIncidentLimit) },
    lines: [
      ...list({ Maintenance: maintenance ? 'on' : 'off', 'Blocked networks': blocks.length, 'Limited models': limits.length }),
      ...(blocks.length === 0 ? [] : ['', ...table(['NETWORK', 'SINCE', 'REASON'], blocks.map(({ network, blockedAt, reason }) =>
        [network, rfc3339(blockedAt), reason]))]),
      ...(limits.length === 0 ? [] : ['', ...table(['MODEL', 'REQUESTS/MIN', 'TOKENS/MIN', 'CONCURRENT', 'UNTIL'], limits.map((limit) =>
        [limit.model, limit.requestsPerMinute, limit.tokensPerMinute, limit.concurrentRequests, timeOrNull(limit.expiresAt)]))]),
    ],
  };
}

function encodeNetworkBlock({ network, reason, blockedAt }: NetworkBlock): JsonObject {
  return { network, reason, blocked_at: rfc3339(blockedAt) };
}
