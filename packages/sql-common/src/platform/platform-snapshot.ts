import { type BlockTerms, hasBlockEnded, type Instant, networkMatcher, parseNetwork, type PlatformSnapshot } from '@tollgate/core';
import { INCIDENT_LIMIT_COLUMNS } from '../schema/column-lists.js';
import { instantOrNull } from '../schema/column-values.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import { incidentLimitFromRow, MAINTENANCE_SETTING, maintenanceFromSetting } from './platform-rows.js';

export interface NetworkBlock extends Pick<BlockTerms, 'expiresAt'> {
  /** Network in canonical CIDR form. */
  readonly network: string;
}

/** Compiles the networks at first, and again whenever one of their blocks has ended. */
function blockedNetworks(blocks: readonly NetworkBlock[]): PlatformSnapshot['isNetworkBlocked'] {
  let inForce = blocks;
  let matches = matcherOf(inForce);
  let endsAt = firstEnd(inForce);
  return (address, now) => {
    if (endsAt !== null && endsAt <= now) {
      inForce = inForce.filter((block) => !hasBlockEnded(block, now));
      matches = matcherOf(inForce);
      endsAt = firstEnd(inForce);
    }
    return matches(address);
  };
}

function matcherOf(blocks: readonly NetworkBlock[]): (address: string) => boolean {
  return networkMatcher(blocks.map(({ network }) => parseNetwork(network)).filter((network) => network !== null), 'inside');
}

function firstEnd(blocks: readonly NetworkBlock[]): Instant | null {
  let first: Instant | null = null;
  for (const { expiresAt } of blocks) if (expiresAt !== null && (first === null || expiresAt < first)) first = expiresAt;
  return first;
}

export function* platformSnapshot(queries: Queries): Script<PlatformSnapshot> {
  const maintenance = yield* firstOf(queries.selectFrom('platform_settings').select('value').where('name', '=', MAINTENANCE_SETTING));
  const limits = (yield* rowsOf(queries.selectFrom('incident_limits').select(INCIDENT_LIMIT_COLUMNS))).map(incidentLimitFromRow);
  const networks = yield* rowsOf(queries.selectFrom('blocks').select(['subject', 'expires_at']).where('kind', '=', 'network'));
  const next = yield* firstOf(queries.selectFrom('blocks').select('expires_at').where('expires_at', 'is not', null).orderBy('expires_at').limit(1));
  return {
    maintenance: maintenance === null ? null : maintenanceFromSetting(maintenance.value),
    incidentLimits: new Map(limits.map((limit) => [limit.model, limit])),
    nextBlockEndsAt: next === null ? null : instantOrNull(next.expires_at),
    isNetworkBlocked: blockedNetworks(networks.map(({ subject, expires_at }) => ({ network: subject, expiresAt: instantOrNull(expires_at) }))),
  };
}
