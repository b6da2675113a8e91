import { describe, expect, it } from '@jest/globals';
import type { DeadProcess } from './checks/dead-processes.js';
import { Findings, sumOf } from './rounds/run-rounds.js';
import type { RoundFinding } from './rounds/run-round.js';
import { type ChaosReport, renderReport, type SetupReport, violationsOf } from './report.js';

const DEAD: DeadProcess = { processId: 'one', kind: 'after-auth', diedAt: 1000, succeededAt: 1900, orphans: 3, heldUntil: 2000 };
const WORLD = { looks: 3, missed: 1, watchedMilliseconds: 600, audits: 2, longestGapMilliseconds: 250, requests: 9, receipts: 5, credits: 2, requestsCompared: 7, mostSlots: 4 };

function setupOf(rounds: readonly Partial<RoundFinding>[], differences: Partial<SetupReport> = {}): SetupReport {
  const findings = new Findings(['after-auth']);
  for (const round of rounds) findings.addRound('after-auth', { reached: true, restartMilliseconds: 400, ...round });
  findings.addDead(DEAD);
  return { setup: 'sqlite', notBegun: 0, kinds: findings.all, figures: sumOf([WORLD]), quietViolations: [], ...differences };
}

function reportOf(...setups: readonly SetupReport[]): ChaosReport {
  return { seed: 1, seconds: 2, setups, torn: [], faults: [], faultsNotBegun: 0 };
}

describe('the report of a chaos run', () => {
  it('adds up rounds and deaths, and shows the maximum of other figures', () => {
    expect(setupOf([{ restartMilliseconds: 900 }, {}]).kinds).toEqual([{
      kind: 'after-auth', runs: 2, unreached: 0, deaths: 1, orphans: 3, violations: [],
      worstRestartMilliseconds: 900, worstOrphanMilliseconds: 1000, worstAfterRestartMilliseconds: 100,
    }]);
  });

  it('adds up the counts of all test worlds, and shows the maximum of gaps and slots', () => {
    const other = { ...WORLD, longestGapMilliseconds: 900, mostSlots: 1 };
    expect(sumOf([WORLD, other])).toEqual({
      looks: 6, missed: 2, watchedMilliseconds: 1200, audits: 4, longestGapMilliseconds: 900, requests: 18, receipts: 10, credits: 4, requestsCompared: 14, mostSlots: 4,
    });
  });

  it('states that there is no violation', () => {
    expect(renderReport(reportOf(setupOf([{}])))).toContain('No violation.');
  });

  it('counts violations in all parts of the run', () => {
    const findings = new Findings(['after-auth']);
    findings.addRound('after-auth', { reached: true, restartMilliseconds: 1 });
    findings.addViolation('after-auth', 'I2');
    const report: ChaosReport = {
      ...reportOf(setupOf([], { kinds: findings.all }), setupOf([{}], { setup: 'postgres', quietViolations: ['I13'] })),
      torn: [{ damage: 'cut', copies: 1, consistent: 1, shortened: 0, refused: 0, violations: ['I3'] }],
      faults: [{ name: 'failover', seconds: 1, replies: 9, receipts: 5, pendingReceipts: 1, freeReplies: 2, cutCharges: ['7 req_1 5'], bookedLess: '3', notes: ['one note'], violations: ['silence'] }],
      faultsNotBegun: 2,
    };
    expect(violationsOf(report)).toEqual(['sqlite: I2', 'postgres: I13', 'I3', 'failover: silence']);
    const text = renderReport(report);
    for (const part of ['4 violations', 'failover: one note', 'failover: pending receipts said 3 micro-units more', 'before 2 fault rounds']) expect(text).toContain(part);
  });

  it('reports a violation if no gateway died at a kill point in any round', () => {
    expect(violationsOf(reportOf(setupOf([{ reached: false }])))).toEqual(['sqlite: no gateway died at after-auth']);
    expect(violationsOf(reportOf(setupOf([{ reached: false }, {}])))).toEqual([]);
  });
});
