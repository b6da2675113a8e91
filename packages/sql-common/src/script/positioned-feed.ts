import type { Queries } from './queries.js';
import type { Script } from './script.js';
import type { ScriptRunner, StepRunner } from './script-runner.js';

/** What a feed is read with whose entries get their positions after their transactions. */
export interface PositionedFeedParts {
  readonly queries: Queries;
  readonly runner: ScriptRunner;
  readonly stepper: StepRunner;
  /** Assigns positions in one transaction, and returns how many. Two runs are never concurrent. */
  readonly sequence: () => Script<number>;
}
