import type { RollUpPart } from './roll-up-columns.js';
import type { UsageStatements } from './usage-statements.js';

/** Adds a request to the sums by model and key, and to those by user. */
export function addToRollUps(usage: UsageStatements, part: RollUpPart): void {
  usage.addToDay.run(part);
  usage.addToUserDay.run(part);
}
