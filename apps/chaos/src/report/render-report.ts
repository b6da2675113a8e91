import { type ChaosReport, violationsOf } from './report.js';
import { renderTable } from './table.js';

function milliseconds(value: number): string {
  return String(Math.round(value));
}

function renderKinds({ kinds }: ChaosReport): string {
  const heading = ['killed at', 'runs', 'unreached', 'requests', 'receipts', 'credits', 'orphans', 'violations', 'worst recovery ms', 'of it after ready ms'];
  const rows = kinds.map((kind) => [
    kind.kind, String(kind.runs), String(kind.unreached), String(kind.requests), String(kind.receipts), String(kind.credits), String(kind.orphans), String(kind.violations.length),
    milliseconds(kind.worstRecoveryMilliseconds), milliseconds(kind.worstAfterReadyMilliseconds),
  ]);
  return renderTable([heading, ...rows]);
}

function renderTorn({ torn }: ChaosReport): string {
  const rows = torn.map((finding) => [
    finding.damage, String(finding.copies), String(finding.consistent), String(finding.shortened), String(finding.refused), String(finding.violations.length),
  ]);
  return renderTable([['log damaged by', 'copies', 'consistent', 'of them shortened', 'refused', 'violations'], ...rows]);
}

/** Enough to see what is wrong; all of them are in the JSON. */
const SHOWN_VIOLATIONS = 30;

/** The report as a person reads it. */
export function renderReport(report: ChaosReport): string {
  const violations = violationsOf(report);
  const notBegun = report.notBegun === 0 ? '' : `The time was up before ${report.notBegun} rounds; give them more with --minutes.\n`;
  const verdict = violations.length === 0 ? 'No violation.\n' : `${violations.length} violations:\n${violations.slice(0, SHOWN_VIOLATIONS).map((text) => `  ${text}\n`).join('')}`;
  return `\n${renderKinds(report)}\n${renderTorn(report)}\nSeed ${report.seed}, ${Math.round(report.seconds)} s.\n${notBegun}${verdict}`;
}
