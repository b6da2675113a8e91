import type { KindFindings } from '../rounds/findings.js';
import type { DamageFinding } from '../torn/torn-log.js';

export interface ChaosReport {
  readonly seed: number;
  readonly seconds: number;
  /** Rounds that were asked for and not begun, since the time was up. */
  readonly notBegun: number;
  readonly kinds: readonly KindFindings[];
  /** What was found where nobody is killed: slots, a second gateway, a stop. */
  readonly quietViolations: readonly string[];
  readonly torn: readonly DamageFinding[];
}

/** All that is wrong. A point that no gateway has died at shows nothing, so it counts as well. */
export function violationsOf({ kinds, quietViolations, torn }: ChaosReport): readonly string[] {
  const missed = kinds.filter(({ runs, unreached }) => runs > 0 && unreached === runs).map(({ kind }) => `no gateway died at ${kind}`);
  return [...kinds, ...torn].flatMap(({ violations }) => violations).concat(quietViolations, missed);
}
