import type { PlatformSnapshot } from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import { incidentLimitFromRow } from './incident-limit-row.js';
import { networkMatcher, parseNetworkRange } from './network-range.js';

/** The setting that says whether the service is in maintenance: `on` or `off`. */
export const MAINTENANCE_SETTING = 'maintenance';

/** Reads all that operators have switched. */
export function* platformSnapshot(queries: Queries): Script<PlatformSnapshot> {
  const maintenance = yield* firstOf(queries.selectFrom('platform_settings').select('value').where('name', '=', MAINTENANCE_SETTING));
  const limits = (yield* rowsOf(queries.selectFrom('incident_limits').selectAll())).map(incidentLimitFromRow);
  const networks = yield* rowsOf(queries.selectFrom('network_blocks').select('network'));
  const ranges = networks.map(({ network }) => parseNetworkRange(network)).filter((range) => range !== null);
  return {
    maintenance: maintenance?.value === 'on',
    incidentLimits: new Map(limits.map((limit) => [limit.model, limit])),
    isNetworkBlocked: networkMatcher(ranges),
  };
}
