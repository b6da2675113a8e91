import type { Installation } from '../installation/installation.js';
import type { Goal } from './goal.js';

export interface CheckSection {
  readonly heading: string;
  readonly goals: readonly Goal[];
}

interface CheckTools {
  /** Starts gateways, which are stopped at the end of the check. */
  readonly start: (environment: Readonly<Record<string, string>>) => Promise<Installation>;
}

/** A scenario that is judged by its outcome, not by its effect on another customer. */
export interface Check {
  readonly id: string;
  readonly title: string;
  readonly run: (tools: CheckTools) => Promise<readonly CheckSection[]>;
}

export function renderSection(check: Check, { heading, goals }: CheckSection): string {
  return [`${check.id}: ${heading}`, ...goals.map(({ what, reached, isMet }) => `  ${isMet ? 'met   ' : 'MISSED'} ${what}: ${reached}`), ''].join('\n');
}
