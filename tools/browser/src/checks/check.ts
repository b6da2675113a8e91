import type { CheckContext } from './check-context.js';

/** Something that the dashboard promises, tried in a real browser. Rejects with what was not so. */
export interface Check {
  /** As the design lists them. */
  readonly number: number;
  readonly title: string;
  run(context: CheckContext): Promise<void>;
}
