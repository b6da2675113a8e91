import {
  decideStanding, type Instant, later, MILLISECONDS_PER_DAY, phaseOf, STANDING_PHASES, STANDING_RULES, STANDING_TRIGGERS, type StandingActor, type StandingDecision, type StandingFacts,
  type StandingPhase, type StandingTrigger,
} from '@tollgate/core';

/** Days from the creation of the cells until a scheduled deletion is due. All acts come before that. */
const DAYS_UNTIL_DUE = 1;
export const GRACE_DAYS = 30;

export interface StandingCell {
  readonly name: string;
  readonly facts: StandingFacts;
  readonly trigger: StandingTrigger;
}

function factsIn(phase: StandingPhase, flags: Pick<StandingFacts, 'emailVerified' | 'blocked'>, now: Instant): StandingFacts {
  const dueAt = later(now, DAYS_UNTIL_DUE * MILLISECONDS_PER_DAY);
  if (phase === 'pending') return { status: 'pending-deletion', deletion: { dueAt, returnsTo: 'active' }, ...flags };
  if (phase === 'pending-suspended') return { status: 'pending-deletion', deletion: { dueAt, returnsTo: 'suspended' }, ...flags };
  return { status: phase, deletion: null, ...flags };
}

/** A cell for every phase, pair of flags and act. */
export function standingCells(now: Instant): readonly StandingCell[] {
  const flags = [true, false].flatMap((emailVerified) => [false, true].map((blocked) => ({ emailVerified, blocked })));
  return STANDING_PHASES.flatMap((phase) => flags.flatMap((pair) => STANDING_TRIGGERS.map((trigger) => ({
    name: `${trigger} of ${phase}${pair.emailVerified ? '' : ', not verified'}${pair.blocked ? ', blocked' : ''}`, facts: factsIn(phase, pair, now), trigger,
  }))));
}

export function mayPull(trigger: StandingTrigger, actor: StandingActor): boolean {
  return STANDING_RULES[trigger].actors.includes(actor);
}

function decide(facts: StandingFacts, trigger: StandingTrigger, actor: StandingActor, at: Instant, days = GRACE_DAYS): StandingDecision {
  return decideStanding(facts, { trigger, actor, at, graceMilliseconds: days * MILLISECONDS_PER_DAY });
}

function after(facts: StandingFacts, decision: StandingDecision): StandingFacts {
  return decision.outcome === 'moves' ? decision.to : facts;
}

interface Expected {
  readonly decision: StandingDecision;
  readonly facts: StandingFacts;
}

/** The decision of the core. Where operators delete an account at once, the interfaces first request a deletion that is due immediately. */
export function expectedOf({ facts, trigger }: StandingCell, actor: StandingActor, at: Instant): Expected {
  const isRequestedFirst = trigger === 'carry-out-deletion' && actor === 'operator' && phaseOf(facts) !== 'deleted';
  const before = isRequestedFirst ? after(facts, decide(facts, 'request-deletion', actor, at, 0)) : facts;
  const decision = decide(before, trigger, actor, at);
  return { decision, facts: after(before, decision) };
}

/** Outcome or refusal that both interfaces must give. */
export function outcomeOf({ trigger }: StandingCell, decision: StandingDecision): string {
  if (decision.outcome === 'refused') return `${decision.code}: ${decision.message}`;
  const isMove = decision.outcome === 'moves';
  if (trigger === 'carry-out-deletion') return isMove ? 'deleted' : 'deleted-already';
  return isMove ? 'changed' : 'unchanged';
}

export function factsOf({ status, emailVerified, blocked, deletion }: StandingFacts): StandingFacts {
  return { status, emailVerified, blocked, deletion };
}
