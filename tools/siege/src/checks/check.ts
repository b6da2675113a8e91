import type { Installation } from '../installation/installation.js';
import type { Goal } from './goal.js';

/** What a check found about one thing that it looked at. */
export interface CheckSection {
  readonly heading: string;
  readonly goals: readonly Goal[];
}

/** What a check works with. */
export interface CheckTools {
  /** Starts a gateway with these settings, which ends with the check. */
  readonly start: (environment: Readonly<Record<string, string>>) => Promise<Installation>;
}

/** A try whose outcome, not its load, tells whether the gateway holds. */
export interface Check {
  readonly id: string;
  readonly title: string;
  readonly run: (tools: CheckTools) => Promise<readonly CheckSection[]>;
}

/** A check as the terminal shows it. */
export function renderSection(check: Check, { heading, goals }: CheckSection): string {
  return [`${check.id}: ${heading}`, ...goals.map(({ what, reached, isMet }) => `  ${isMet ? 'met   ' : 'MISSED'} ${what}: ${reached}`), ''].join('\n');
}
