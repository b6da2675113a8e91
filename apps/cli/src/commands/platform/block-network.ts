import { misuse } from '../../program/command-failure.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';

const TEXTS = {
  blocked: 'is blocked', 'blocked-already': 'was blocked already', unblocked: 'is not blocked any more', 'not-blocked': 'was not blocked',
} as const;

export async function blockNetwork(session: OperatorSession, network: string, reason: string | null): Promise<Report> {
  return reportOf(network, await session.store.controls.blockNetwork(network, reason, session.act()));
}

export async function unblockNetwork(session: OperatorSession, network: string): Promise<Report> {
  return reportOf(network, await session.store.controls.unblockNetwork(network, session.act()));
}

function reportOf(network: string, outcome: keyof typeof TEXTS | 'malformed'): Report {
  if (outcome === 'malformed') throw misuse(`argument <network> is no address and no CIDR range: ${network}`);
  return { json: { network, outcome }, lines: [`${network} ${TEXTS[outcome]}.`] };
}
