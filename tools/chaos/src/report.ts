import { renderTable } from '@tollgate/kit';
import type { KindFindings, WorldFigures } from './rounds/run-rounds.js';
import type { FaultFinding } from './faults/run-faults.js';
import type { SetupName } from './setups/setup.js';
import type { DamageFinding } from './torn-log.js';

export interface SetupReport {
  readonly setup: SetupName;
  /** Number of rounds that did not begin, because the time was over. */
  readonly notBegun: number;
  readonly kinds: readonly KindFindings[];
  readonly figures: WorldFigures;
  /** Violations that were found after the last kill. */
  readonly quietViolations: readonly string[];
}

export interface ChaosReport {
  readonly seed: number;
  readonly seconds: number;
  readonly setups: readonly SetupReport[];
  readonly torn: readonly DamageFinding[];
  readonly faults: readonly FaultFinding[];
  /** Number of fault rounds that did not begin, because the time was over. */
  readonly faultsNotBegun: number;
}

function violationsIn({ setup, kinds, quietViolations }: SetupReport): readonly string[] {
  const missed = kinds.filter(({ runs, unreached }) => runs > 0 && unreached === runs).map(({ kind }) => `no gateway died at ${kind}`);
  return [...kinds.flatMap(({ violations }) => violations), ...quietViolations, ...missed].map((text) => `${setup}: ${text}`);
}

/** All violations, including kill points at which no gateway died. */
export function violationsOf({ setups, torn, faults }: ChaosReport): readonly string[] {
  return [...setups.flatMap(violationsIn), ...torn.flatMap(({ violations }) => violations), ...faults.flatMap(({ name, violations }) => violations.map((text) => `${name}: ${text}`))];
}

function milliseconds(value: number): string {
  return String(Math.round(value));
}

const KIND_HEADING = ['killed at', 'runs', 'unreached', 'deaths', 'orphans', 'violations', 'worst restart ms', 'worst orphan ms', 'of it after restart ms'];

function renderSetup({ setup, kinds, figures, notBegun, quietViolations }: SetupReport): string {
  const rows = kinds.map((kind) => [
    kind.kind, String(kind.runs), String(kind.unreached), String(kind.deaths), String(kind.orphans), String(kind.violations.length),
    milliseconds(kind.worstRestartMilliseconds), milliseconds(kind.worstOrphanMilliseconds), milliseconds(kind.worstAfterRestartMilliseconds),
  ]);
  const { looks, missed, watchedMilliseconds, longestGapMilliseconds, audits, requests, receipts, credits, requestsCompared, mostSlots } = figures;
  const late = notBegun === 0 ? '' : `The time was up before ${notBegun} rounds; give them more with --minutes.\n`;
  return `${setup}\n${renderTable([KIND_HEADING, ...rows])}${requests} requests, ${receipts} receipts and ${credits} credits acknowledged, ${requestsCompared} requests billed and compared with what was relayed.
${looks} looks at the books, ${milliseconds(watchedMilliseconds / Math.max(1, looks))} ms apart on average and ${milliseconds(longestGapMilliseconds)} at most, ${missed} of them in vain while the servers were away; ${audits} audits; at most ${mostSlots} slots held; ${quietViolations.length} violations in quiet.\n${late}`;
}

function renderTorn({ torn }: ChaosReport): string {
  if (torn.length === 0) return '';
  const rows = torn.map((finding) => [
    finding.damage, String(finding.copies), String(finding.consistent), String(finding.shortened), String(finding.refused), String(finding.violations.length),
  ]);
  return `\n${renderTable([['log damaged by', 'copies', 'consistent', 'of them shortened', 'refused', 'violations'], ...rows])}`;
}

const FAULT_HEADING = ['fault', 's', 'replies', 'receipts', 'pending', 'free replies', 'cut off and charged', 'violations'];

function renderFaults({ faults, faultsNotBegun }: ChaosReport): string {
  const late = faultsNotBegun === 0 ? '' : `The time was up before ${faultsNotBegun} fault rounds; give them more with --minutes.\n`;
  if (faults.length === 0) return late;
  const rows = faults.map(({ name, seconds, replies, receipts, pendingReceipts, freeReplies, cutCharges, violations }) => (
    [name, String(Math.round(seconds)), ...[replies, receipts, pendingReceipts, freeReplies, cutCharges.length, violations.length].map(String)]));
  const notes = faults.flatMap((fault) => [
    ...fault.notes.map((note) => `${fault.name}: ${note}\n`),
    ...(fault.bookedLess === '0' ? [] : [`${fault.name}: pending receipts said ${fault.bookedLess} micro-units more than was booked\n`]),
  ]);
  return `\n${renderTable([FAULT_HEADING, ...rows])}${notes.join('')}${late}`;
}

/** Maximum number of violations that are printed; the JSON has all. */
const SHOWN_VIOLATIONS = 30;

export function renderReport(report: ChaosReport): string {
  const violations = violationsOf(report);
  const verdict = violations.length === 0 ? 'No violation.\n' : `${violations.length} violations:\n${violations.slice(0, SHOWN_VIOLATIONS).map((text) => `  ${text}\n`).join('')}`;
  return `\n${report.setups.map(renderSetup).join('\n')}${renderTorn(report)}${renderFaults(report)}\nSeed ${report.seed}, ${Math.round(report.seconds)} s.\n${verdict}`;
}
