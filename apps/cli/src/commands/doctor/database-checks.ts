import { type DatabaseInspection, databasePlaceName, type DatabasePlace, IN_MEMORY, type InspectedDatabase } from '@tollgate/adapters-sql';
import { type Check, ok, problem, warning } from './check.js';

const CLOSE_MILLISECONDS = 1_000;
const FAR_MILLISECONDS = 5_000;

export function databaseCheck(place: DatabasePlace, inspection: DatabaseInspection): Check {
  const name = 'database';
  if (place.kind === 'sqlite' && place.path === IN_MEMORY) return warning(name, 'it is in memory, and all that is in it is lost when the gateway stops. Set DATABASE_URL to keep it.');
  switch (inspection.outcome) {
    case 'missing': return problem(name, `${inspection.message} (DATABASE_URL). The first start of the gateway makes one, and so does \`tollgate database create\`.`);
    case 'unavailable': return problem(name, `${inspection.message}. Check DATABASE_URL, and that the server or the file can be reached.`);
    case 'inspected': return schemaCheck(name, databasePlaceName(place), inspection);
  }
}

function schemaCheck(name: string, place: string, { pendingSteps, unknownSteps }: InspectedDatabase): Check {
  if (unknownSteps.length > 0) {
    return problem(name, `${place} was written by a newer version of Tollgate (it has ${unknownSteps.join(', ')}). Use that version, or restore a backup made before it.`);
  }
  if (pendingSteps.length > 0) {
    return warning(name, `${place} has the schema of an older version. Make a backup: the next start of the gateway takes ${pendingSteps.join(', ')}, and there is no way back.`);
  }
  return ok(name, `${place} has the schema of this version`);
}

/** Gateways judge each other's leases by their clocks. `null` where the database has none of its own. */
export function clockCheck(aheadMilliseconds: number | null): Check {
  const name = 'clock';
  if (aheadMilliseconds === null) return ok(name, 'the database has no clock of its own');
  const difference = Math.abs(aheadMilliseconds);
  const finding = `this machine's clock is ${(difference / 1_000).toFixed(1)} s ${aheadMilliseconds > 0 ? 'behind' : 'ahead of'} the database server's`;
  if (difference <= CLOSE_MILLISECONDS) return ok(name, finding);
  const judge = difference <= FAR_MILLISECONDS ? warning : problem;
  return judge(name, `${finding}. Synchronise both, with NTP for instance: gateways judge each other's leases by them.`);
}
