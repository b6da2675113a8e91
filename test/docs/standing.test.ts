import { expect, test } from '@jest/globals';
import {
  decideStanding, instant, phaseOf, STANDING_ACTORS, STANDING_TRIGGERS, type StandingActor, type StandingDecision, type StandingFacts, type StandingTrigger,
} from '@tollgate/core';
import { readDocument, tableRows } from './documents.js';

const AT = instant(0);
const GOOD: StandingFacts = { status: 'active', emailVerified: true, blocked: false, deletion: null };

/** States in the order of the page's columns. Deletions are due, because the system may carry out only those. */
const STATES: readonly StandingFacts[] = [
  GOOD,
  { ...GOOD, emailVerified: false },
  { ...GOOD, status: 'suspended' },
  { ...GOOD, status: 'pending-deletion', deletion: { dueAt: AT, returnsTo: 'active' } },
  { ...GOOD, status: 'pending-deletion', deletion: { dueAt: AT, returnsTo: 'suspended' } },
  { ...GOOD, blocked: true },
  { ...GOOD, status: 'deleted' },
];

const PHASES = {
  active: 'active', suspended: 'suspended', pending: 'pending', 'pending-suspended': 'pending and suspended', deleted: 'deleted',
} as const;

function cellOf(facts: StandingFacts, decision: StandingDecision): string {
  if (decision.outcome === 'unchanged') return '=';
  if (decision.outcome === 'refused') return decision.code;
  if (decision.to.blocked !== facts.blocked) return decision.to.blocked ? 'blocked' : 'not blocked';
  if (decision.to.emailVerified !== facts.emailVerified) return 'verified';
  return PHASES[phaseOf(decision.to)];
}

function rowOf(trigger: StandingTrigger, actor: StandingActor): readonly string[] {
  const request = { trigger, actor, at: AT, graceMilliseconds: 1 };
  return [trigger, actor, ...STATES.map((facts) => cellOf(facts, decideStanding(facts, request)))];
}

test('support.md lists which actor may do which act in each state of an account', () => {
  const rows = STANDING_TRIGGERS.flatMap((trigger) => STANDING_ACTORS.map((actor) => rowOf(trigger, actor)));
  const offered = rows.filter(([, , ...cells]) => cells.some((cell) => cell !== 'not_found'));
  expect(tableRows(readDocument('docs/support.md'), 'standing')).toEqual(offered);
});
