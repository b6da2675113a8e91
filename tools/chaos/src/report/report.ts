import type { KindFindings } from '../rounds/findings.js';
import type { WorldFigures } from '../rounds/run-rounds.js';
import type { SetupName } from '../setups/setup.js';
import type { DamageFinding } from '../torn/torn-log.js';

export interface SetupReport {
  readonly setup: SetupName;
  /** Rounds that were asked for and not begun, since the time was up. */
  readonly notBegun: number;
  readonly kinds: readonly KindFindings[];
  readonly figures: WorldFigures;
  /** What was found when nobody was killed any more. */
  readonly quietViolations: readonly string[];
}

export interface ChaosReport {
  readonly seed: number;
  readonly seconds: number;
  readonly setups: readonly SetupReport[];
  readonly torn: readonly DamageFinding[];
}

function violationsIn({ setup, kinds, quietViolations }: SetupReport): readonly string[] {
  const missed = kinds.filter(({ runs, unreached }) => runs > 0 && unreached === runs).map(({ kind }) => `no gateway died at ${kind}`);
  return [...kinds.flatMap(({ violations }) => violations), ...quietViolations, ...missed].map((text) => `${setup}: ${text}`);
}

/** All that is wrong. A point that no gateway has died at shows nothing, so it counts as well. */
export function violationsOf({ setups, torn }: ChaosReport): readonly string[] {
  return [...setups.flatMap(violationsIn), ...torn.flatMap(({ violations }) => violations)];
}
