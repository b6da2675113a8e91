import type { Growth } from '../seed/growth.js';
import { counted, EMPTY_DATABASE, type GrownDatabase } from './grown-database.js';
import type { ScenarioResult } from './scenario.js';

/** How many of each thing there are in the databases of its curve, apart from the empty one. */
export type DatabasePoints = Readonly<Record<keyof Growth, readonly number[]>>;

const CURVES: readonly { readonly of: keyof Growth; readonly id: string; readonly things: string }[] = [
  { of: 'accounts', id: 'database-accounts', things: 'accounts' },
  { of: 'keys', id: 'database-keys', things: 'keys' },
  { of: 'usageRows', id: 'database-usage-rows', things: 'usage rows' },
];

/** The databases of all curves: each holds much of one thing, and of the others what an empty one holds. */
export function databasesOf(points: DatabasePoints): readonly GrownDatabase[] {
  return CURVES.flatMap(({ of, things }) => points[of].map((count): GrownDatabase => (
    { id: `tollgate-${of}-${count}`, title: counted(count, things), growth: { ...EMPTY_DATABASE.growth, [of]: count } })));
}

/** A result for each curve, of what was measured on its databases and on the empty one in the same rounds. */
export function curvesIn({ figures, measurements }: ScenarioResult): readonly ScenarioResult[] {
  return CURVES.map(({ of, id, things }) => ({
    id, title: `Cost by ${things} in the database`, baseline: EMPTY_DATABASE.id, figures,
    measurements: measurements.filter(({ subject }) => subject === EMPTY_DATABASE.id || subject.startsWith(`tollgate-${of}-`)),
  }));
}
