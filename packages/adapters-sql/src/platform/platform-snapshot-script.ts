import type { PlatformSnapshot } from '@tollgate/core';
import { instantOrNull } from '../schema/column-values.js';
import type { Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import { incidentLimitFromRow } from './incident-limit-row.js';
import { MAINTENANCE_SETTING, maintenanceFromSetting } from './maintenance-setting.js';
import { blockedNetworks } from './network-blocks.js';

/** Reads all that operators have set. */
export function* platformSnapshot(queries: Queries): Script<PlatformSnapshot> {
  const maintenance = yield* firstOf(queries.selectFrom('platform_settings').select('value').where('name', '=', MAINTENANCE_SETTING));
  const limits = (yield* rowsOf(queries.selectFrom('incident_limits').selectAll())).map(incidentLimitFromRow);
  const networks = yield* rowsOf(queries.selectFrom('blocks').select(['subject', 'expires_at']).where('kind', '=', 'network'));
  const next = yield* firstOf(queries.selectFrom('blocks').select('expires_at').where('expires_at', 'is not', null).orderBy('expires_at').limit(1));
  return {
    maintenance: maintenance === null ? null : maintenanceFromSetting(maintenance.value),
    incidentLimits: new Map(limits.map((limit) => [limit.model, limit])),
    nextBlockEndsAt: next === null ? null : instantOrNull(next.expires_at),
    isNetworkBlocked: blockedNetworks(networks.map(({ subject, expires_at }) => ({ network: subject, expiresAt: instantOrNull(expires_at) }))),
  };
}
