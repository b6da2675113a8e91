import { describe, expect, it } from '@jest/globals';
import { Findings, type RoundFinding } from '../rounds/findings.js';
import { renderReport } from './render-report.js';
import { type ChaosReport, violationsOf } from './report.js';

const ROUND: RoundFinding = { reached: true, requests: 10, receipts: 4, credits: 2, orphans: 3, recoveryMilliseconds: 500, afterReadyMilliseconds: 2, violations: [] };

function reportOf(rounds: readonly Partial<RoundFinding>[]): ChaosReport {
  const findings = new Findings(['after-auth']);
  for (const round of rounds) findings.add('after-auth', { ...ROUND, ...round });
  return { seed: 1, seconds: 2, notBegun: 0, kinds: findings.all, quietViolations: [], torn: [] };
}

describe('the report of a chaos run', () => {
  it('adds up rounds and keeps the worst of them', () => {
    expect(reportOf([{ recoveryMilliseconds: 900 }, { afterReadyMilliseconds: 7 }]).kinds).toEqual([{
      kind: 'after-auth', runs: 2, unreached: 0, requests: 20, receipts: 8, credits: 4, orphans: 6, violations: [],
      worstRecoveryMilliseconds: 900, worstAfterReadyMilliseconds: 7,
    }]);
  });

  it('says so when nothing is wrong', () => {
    expect(renderReport(reportOf([{}]))).toContain('No violation.');
  });

  it('counts what was found anywhere', () => {
    const report: ChaosReport = {
      ...reportOf([{ violations: ['I2'] }]),
      quietViolations: ['I10'],
      torn: [{ damage: 'cut', copies: 1, consistent: 1, shortened: 0, refused: 0, violations: ['I3'] }],
    };
    expect(violationsOf(report)).toEqual(['I2', 'I3', 'I10']);
    expect(renderReport(report)).toContain('3 violations');
  });

  it('takes a point that no gateway died at for a failure, but not one that some missed', () => {
    expect(violationsOf(reportOf([{ reached: false }]))).toEqual(['no gateway died at after-auth']);
    expect(violationsOf(reportOf([{ reached: false }, {}]))).toEqual([]);
  });
});
