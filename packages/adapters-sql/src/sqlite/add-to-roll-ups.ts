import type { RollUpPart } from './roll-up-columns.js';
import type { UsageStatements } from './usage-statements.js';

/** Adds a request to the sums by model and key, and to those by user where it names one; what is left of a day is that of requests which name none. */
export function addToRollUps(usage: UsageStatements, part: RollUpPart): void {
  usage.addToDay.run(part);
  if (part.facts.attribution !== null) usage.addToUserDay.run(part);
}
