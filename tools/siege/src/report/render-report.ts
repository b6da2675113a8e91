import type { LoadResult } from '../load/load-messages.js';
import { COMPARED_WITH, goalsOf } from './goals.js';
import type { SiegeReport } from './siege-report.js';

function statusesOf({ statuses, unanswered, requests }: LoadResult): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
  return [`${requests} sent`, ...counts, ...(unanswered > 0 ? [`${unanswered} unanswered`] : [])].join(', ');
}

function latencyRow(name: string, { p50Milliseconds, p99Milliseconds, longestMilliseconds }: LoadResult): string {
  return `  ${name.padEnd(44)} p50 ${p50Milliseconds} ms, p99 ${p99Milliseconds} ms, longest ${longestMilliseconds} ms`;
}

/** One attack as the terminal shows it. */
export function renderReport(report: SiegeReport): string {
  const goals = goalsOf(report).map(({ what, reached, isMet }) => `  ${isMet ? 'met   ' : 'MISSED'} ${what}: ${reached}`);
  return [
    `${report.id}: ${report.title}`,
    latencyRow(`other customer beside ${COMPARED_WITH[report.comparedWith]}`, report.reference),
    latencyRow('other customer, gateway attacked', report.victim),
    `  ${'other customer was answered'.padEnd(44)} ${statusesOf(report.victim)}`,
    `  ${'attacker was answered'.padEnd(44)} ${statusesOf(report.attacker)}`,
    ...goals,
    '',
  ].join('\n');
}
