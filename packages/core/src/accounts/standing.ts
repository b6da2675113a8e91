import type { Actor } from '../platform/actor.js';
import { assertNever } from '../primitives/assert-never.js';
import { type Instant, later, rfc3339 } from '../primitives/time.js';
import type { PendingDeletion, StandingFacts } from './account.js';

export const STANDING_TRIGGERS = [
  'verify', 'suspend', 'reactivate', 'block', 'unblock', 'request-deletion', 'cancel-deletion', 'carry-out-deletion',
] as const;
export type StandingTrigger = (typeof STANDING_TRIGGERS)[number];

export const STANDING_ACTORS = ['owner', 'operator', 'system'] as const;
export type StandingActor = (typeof STANDING_ACTORS)[number];

/** A machine has the rights of an operator. */
export function standingActorOf({ kind }: Pick<Actor, 'kind'>): StandingActor {
  return kind === 'machine' ? 'operator' : kind;
}

/** `pending-suspended`: a deletion is pending, and its cancellation restores the suspension. */
export const STANDING_PHASES = ['active', 'suspended', 'pending', 'pending-suspended', 'deleted'] as const;
export type StandingPhase = (typeof STANDING_PHASES)[number];

/** `stay`: no change; `conflict`: refused. */
export type PhaseMove = StandingPhase | 'stay' | 'conflict';

export interface StandingRule {
  readonly actors: readonly StandingActor[];
  /** States in which the owner may not use the trigger. */
  readonly closedToOwners: readonly OwnerLimit[];
  readonly moves: Readonly<Record<StandingPhase, PhaseMove>>;
  readonly sets: Partial<Pick<StandingFacts, 'blocked' | 'emailVerified'>>;
}

export type OwnerLimit = 'blocked' | 'suspended' | 'unverified';

const NOWHERE = { active: 'stay', suspended: 'stay', pending: 'stay', 'pending-suspended': 'stay', deleted: 'conflict' } as const;
const SIGNED_IN_OWNERS: readonly OwnerLimit[] = ['blocked', 'suspended', 'unverified'];

/** Who may use each trigger, and the next phase from each phase. `deleted` is final. */
export const STANDING_RULES: Readonly<Record<StandingTrigger, StandingRule>> = {
  verify: { actors: ['owner', 'operator'], closedToOwners: [], moves: NOWHERE, sets: { emailVerified: true } },
  suspend: {
    actors: ['operator'], closedToOwners: [], sets: {},
    moves: { ...NOWHERE, active: 'suspended', pending: 'pending-suspended' },
  },
  reactivate: {
    actors: ['operator'], closedToOwners: [], sets: {},
    moves: { ...NOWHERE, suspended: 'active', 'pending-suspended': 'pending' },
  },
  block: { actors: ['operator'], closedToOwners: [], moves: NOWHERE, sets: { blocked: true } },
  unblock: { actors: ['operator'], closedToOwners: [], moves: NOWHERE, sets: { blocked: false } },
  'request-deletion': {
    actors: ['owner', 'operator'], closedToOwners: SIGNED_IN_OWNERS, sets: {},
    moves: { ...NOWHERE, active: 'pending', suspended: 'pending-suspended' },
  },
  'cancel-deletion': {
    actors: ['owner', 'operator'], closedToOwners: SIGNED_IN_OWNERS, sets: {},
    moves: { ...NOWHERE, pending: 'active', 'pending-suspended': 'suspended' },
  },
  'carry-out-deletion': {
    actors: ['operator', 'system'], closedToOwners: [], sets: {},
    moves: { active: 'conflict', suspended: 'conflict', pending: 'deleted', 'pending-suspended': 'deleted', deleted: 'stay' },
  },
};

const CLOSED_TO_OWN_ACCOUNT: readonly StandingTrigger[] = ['suspend', 'block', 'request-deletion', 'carry-out-deletion'];

/** True for acts by which operators would lose their own access, so that they could not undo the act. */
export function isClosedToOwnAccount(trigger: StandingTrigger): boolean {
  return CLOSED_TO_OWN_ACCOUNT.includes(trigger);
}

export function phaseOf({ status, deletion }: StandingFacts): StandingPhase {
  if (status !== 'pending-deletion') return status;
  return deletion?.returnsTo === 'suspended' ? 'pending-suspended' : 'pending';
}

export interface StandingRequest {
  readonly trigger: StandingTrigger;
  readonly actor: StandingActor;
  readonly at: Instant;
  /** For `request-deletion` only. */
  readonly graceMilliseconds: number;
}

export interface StandingRefusal {
  readonly outcome: 'refused';
  /** `not_found`: the actor may never use this trigger. `conflict`: the account's state forbids it to every actor, or the deletion is not due yet. */
  readonly code: 'account_blocked' | 'account_inactive' | 'email_not_verified' | 'conflict' | 'not_found';
  readonly message: string;
}

export type StandingDecision =
  | { readonly outcome: 'moves'; readonly to: StandingFacts }
  | { readonly outcome: 'unchanged' }
  | StandingRefusal;

const OWNER_REFUSALS: Readonly<Record<OwnerLimit, Omit<StandingRefusal, 'outcome'>>> = {
  blocked: { code: 'account_blocked', message: 'The account is blocked; only an operator can do this.' },
  suspended: { code: 'account_inactive', message: 'The account is suspended; only an operator can do this.' },
  unverified: { code: 'email_not_verified', message: 'The e-mail address of this account is not verified yet.' },
};

const CONFLICTS: Readonly<Record<Exclude<StandingPhase, 'pending' | 'pending-suspended'>, string>> = {
  active: 'The account is active; request its deletion first.',
  suspended: 'The account is suspended; request its deletion first.',
  deleted: 'The account is deleted and cannot be changed.',
};

function refused(refusal: Omit<StandingRefusal, 'outcome'>): StandingRefusal {
  return { outcome: 'refused', ...refusal };
}

/** True also while the deletion of a suspended account is pending. */
export function isSuspended(facts: Pick<StandingFacts, 'status' | 'deletion'>): boolean {
  return facts.status === 'suspended' || facts.deletion?.returnsTo === 'suspended';
}

function meets(limit: OwnerLimit, facts: StandingFacts): boolean {
  switch (limit) {
    case 'blocked': return facts.blocked;
    case 'suspended': return isSuspended(facts);
    case 'unverified': return !facts.emailVerified;
    default: return assertNever(limit);
  }
}

function ownerRefusal(facts: StandingFacts, limits: readonly OwnerLimit[]): StandingRefusal | null {
  const limit = limits.find((candidate) => meets(candidate, facts));
  return limit === undefined ? null : refused(OWNER_REFUSALS[limit]);
}

/** Operators may carry out a deletion before its due date; the system may not. */
function isEarly(facts: StandingFacts, { trigger, actor, at }: StandingRequest): boolean {
  return trigger === 'carry-out-deletion' && actor === 'system' && facts.deletion !== null && at < facts.deletion.dueAt;
}

function deletionAt(dueAt: Instant, phase: StandingPhase, before: PendingDeletion | null): PendingDeletion | null {
  if (phase !== 'pending' && phase !== 'pending-suspended') return null;
  const earliest = before === null || dueAt < before.dueAt ? dueAt : before.dueAt;
  return { dueAt: earliest, returnsTo: phase === 'pending' ? 'active' : 'suspended' };
}

function statusOf(phase: StandingPhase): StandingFacts['status'] {
  return phase === 'pending' || phase === 'pending-suspended' ? 'pending-deletion' : phase;
}

function moved(facts: StandingFacts, move: Exclude<PhaseMove, 'conflict'>, { trigger, at, graceMilliseconds }: StandingRequest): StandingFacts {
  const phase = move === 'stay' ? phaseOf(facts) : move;
  // `deletionAt` keeps the earlier date, so a second request can never postpone the deletion.
  const isDated = trigger === 'request-deletion' || facts.deletion === null;
  const dueAt = isDated ? later(at, graceMilliseconds) : facts.deletion.dueAt;
  return {
    status: statusOf(phase),
    emailVerified: STANDING_RULES[trigger].sets.emailVerified ?? facts.emailVerified,
    blocked: STANDING_RULES[trigger].sets.blocked ?? facts.blocked,
    deletion: deletionAt(dueAt, phase, facts.deletion),
  };
}

export function sameStanding(first: StandingFacts, second: StandingFacts): boolean {
  return first.status === second.status && first.emailVerified === second.emailVerified && first.blocked === second.blocked
    && first.deletion?.dueAt === second.deletion?.dueAt && first.deletion?.returnsTo === second.deletion?.returnsTo;
}

export function decideStanding(facts: StandingFacts, request: StandingRequest): StandingDecision {
  const { actors, closedToOwners, moves } = STANDING_RULES[request.trigger];
  if (!actors.includes(request.actor)) return refused({ code: 'not_found', message: 'There is no such action.' });
  const phase = phaseOf(facts);
  const move = moves[phase];
  if (move === 'conflict') return refused({ code: 'conflict', message: CONFLICTS[phase as keyof typeof CONFLICTS] });
  const limit = request.actor === 'owner' ? ownerRefusal(facts, closedToOwners) : null;
  if (limit !== null) return limit;
  if (isEarly(facts, request)) {
    return refused({ code: 'conflict', message: `The deletion is due at ${rfc3339(facts.deletion?.dueAt ?? request.at)}.` });
  }
  const to = moved(facts, move, request);
  return sameStanding(facts, to) ? { outcome: 'unchanged' } : { outcome: 'moves', to };
}
