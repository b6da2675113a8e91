import type { StandingFacts } from '../account.js';

export const STANDING_TRIGGERS = [
  'verify', 'suspend', 'reactivate', 'block', 'unblock', 'request-deletion', 'cancel-deletion', 'carry-out-deletion',
] as const;
export type StandingTrigger = (typeof STANDING_TRIGGERS)[number];

export const STANDING_ACTORS = ['owner', 'operator', 'system'] as const;
export type StandingActor = (typeof STANDING_ACTORS)[number];

/** The status of an account, with what cancelling a deletion would restore. */
export const STANDING_PHASES = ['active', 'suspended', 'pending', 'pending-suspended', 'deleted'] as const;
export type StandingPhase = (typeof STANDING_PHASES)[number];

/** A phase to move to, `stay` where the phase does not change, or `conflict` where the trigger is refused. */
export type PhaseMove = StandingPhase | 'stay' | 'conflict';

export interface StandingRule {
  readonly actors: readonly StandingActor[];
  /** States in which an owner may not pull this trigger, although others may. */
  readonly closedToOwners: readonly OwnerLimit[];
  readonly moves: Readonly<Record<StandingPhase, PhaseMove>>;
  /** The flags that the trigger sets. */
  readonly sets: Partial<Pick<StandingFacts, 'blocked' | 'emailVerified'>>;
}

/** In the order in which they are looked at. */
export type OwnerLimit = 'blocked' | 'suspended' | 'unverified';

const NOWHERE = { active: 'stay', suspended: 'stay', pending: 'stay', 'pending-suspended': 'stay', deleted: 'conflict' } as const;
const SIGNED_IN_OWNERS: readonly OwnerLimit[] = ['blocked', 'suspended', 'unverified'];

/** Every trigger in every phase: who may pull it, and where it leads. A deleted account stays as it is. */
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

/** Whether an operator leaves this act on their own account to another: it would end their sessions, and with them the way to undo it. */
export function isClosedToOwnAccount(trigger: StandingTrigger): boolean {
  return CLOSED_TO_OWN_ACCOUNT.includes(trigger);
}

export function phaseOf({ status, deletion }: StandingFacts): StandingPhase {
  if (status !== 'pending-deletion') return status;
  return deletion?.returnsTo === 'suspended' ? 'pending-suspended' : 'pending';
}
