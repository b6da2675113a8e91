import { describe, expect, it } from '@jest/globals';
import { anAccount } from '@tollgate/testkit';
import { instant, later } from '../primitives/time.js';
import { type StandingFacts, standingOf } from './account.js';
import {
  decideStanding, phaseOf, sameStanding, STANDING_ACTORS, STANDING_TRIGGERS, type StandingActor, type StandingDecision, type StandingRequest,
  type StandingTrigger,
} from './standing.js';

const NOON = instant(1_000_000);
const GRACE = 5000;
const DUE = later(NOON, GRACE);

const STATUSES: readonly Pick<StandingFacts, 'status' | 'deletion'>[] = [
  { status: 'active', deletion: null },
  { status: 'suspended', deletion: null },
  { status: 'pending-deletion', deletion: { dueAt: DUE, returnsTo: 'active' } },
  { status: 'pending-deletion', deletion: { dueAt: DUE, returnsTo: 'suspended' } },
  { status: 'deleted', deletion: null },
];

const STATES: readonly StandingFacts[] = STATUSES.flatMap((status) => [true, false].flatMap((emailVerified) =>
  [true, false].map((blocked) => ({ ...status, emailVerified, blocked }))));

function ask(facts: StandingFacts, trigger: StandingTrigger, actor: StandingActor, differences: Partial<StandingRequest> = {}): StandingDecision {
  return decideStanding(facts, { trigger, actor, at: NOON, graceMilliseconds: GRACE, ...differences });
}

/** The state after an accepted trigger. */
function after(facts: StandingFacts, trigger: StandingTrigger, actor: StandingActor = 'operator', differences: Partial<StandingRequest> = {}): StandingFacts {
  const decision = ask(facts, trigger, actor, differences);
  if (decision.outcome === 'refused') throw new Error(decision.message);
  return decision.outcome === 'moves' ? decision.to : facts;
}

function codeOf(decision: StandingDecision): string {
  return decision.outcome === 'refused' ? decision.code : decision.outcome;
}

/** A second, independent statement of the rules: the code of the refusal that takes precedence, or `null` if the trigger is allowed. */
function expectedRefusal(facts: StandingFacts, trigger: StandingTrigger, actor: StandingActor): string | null {
  const mayPull = { owner: ['verify', 'request-deletion', 'cancel-deletion'], system: ['carry-out-deletion'], operator: STANDING_TRIGGERS }[actor] as readonly string[];
  if (!mayPull.includes(trigger)) return 'not_found';
  if (facts.status === 'deleted') return trigger === 'carry-out-deletion' ? null : 'conflict';
  if (trigger === 'carry-out-deletion' && facts.status !== 'pending-deletion') return 'conflict';
  if (actor === 'owner' && trigger !== 'verify') {
    if (facts.blocked) return 'account_blocked';
    if (facts.status === 'suspended' || facts.deletion?.returnsTo === 'suspended') return 'account_inactive';
    if (!facts.emailVerified) return 'email_not_verified';
  }
  return actor === 'system' ? 'conflict' : null;
}

const CELLS = STATES.flatMap((facts) => STANDING_TRIGGERS.flatMap((trigger) => STANDING_ACTORS.map((actor) => ({ facts, trigger, actor }))));

describe('decideStanding', () => {
  it('refuses exactly the acts that the rules forbid, in every state, with the code of the first rule that applies', () => {
    expect(CELLS).toHaveLength(20 * 8 * 3);
    for (const { facts, trigger, actor } of CELLS) {
      const decision = ask(facts, trigger, actor);
      const refusal = decision.outcome === 'refused' ? decision.code : null;
      expect({ facts, trigger, actor, refusal }).toEqual({ facts, trigger, actor, refusal: expectedRefusal(facts, trigger, actor) });
    }
  });

  it('verifies only by `verify`, blocks only by `block`, unblocks only by `unblock`, and ignores a repeated act', () => {
    const cells = CELLS.filter(({ facts, trigger, actor }) => actor === 'operator' && facts.status !== 'deleted' && trigger !== 'carry-out-deletion');
    for (const { facts, trigger } of cells) {
      const to = after(facts, trigger);
      expect(ask(to, trigger, 'operator')).toEqual({ outcome: 'unchanged' });
      expect(to.emailVerified).toBe(facts.emailVerified || trigger === 'verify');
      expect(to.blocked).toBe(trigger === 'block' || (facts.blocked && trigger !== 'unblock'));
    }
  });

  it('restores the standing if an act is followed by its opposite', () => {
    const opposites = [['suspend', 'reactivate'], ['block', 'unblock'], ['request-deletion', 'cancel-deletion']] as const;
    for (const [act, opposite] of opposites) {
      for (const facts of STATES.filter((state) => state.status !== 'deleted' && ask(state, act, 'operator').outcome === 'moves')) {
        expect(after(after(facts, act), opposite)).toEqual(facts);
      }
    }
  });

  it('keeps a suspension while a deletion is pending, whichever of the two came first', () => {
    const active = anAccount();
    const one = after(after(active, 'suspend'), 'request-deletion');
    const other = after(after(active, 'request-deletion'), 'suspend');
    expect([phaseOf(one), phaseOf(other), sameStanding(one, other)]).toEqual(['pending-suspended', 'pending-suspended', true]);
    expect(phaseOf(after(one, 'cancel-deletion'))).toBe('suspended');
    expect(phaseOf(after(one, 'reactivate'))).toBe('pending');
  });

  it('makes the due date earlier, never later, if the deletion is requested again', () => {
    const pending = after(anAccount(), 'request-deletion');
    expect(pending.deletion?.dueAt).toBe(DUE);
    expect(after(pending, 'request-deletion', 'owner', { at: later(NOON, 10) }).deletion?.dueAt).toBe(DUE);
    expect(after(pending, 'request-deletion', 'operator', { graceMilliseconds: 0 }).deletion?.dueAt).toBe(NOON);
    expect(after(pending, 'suspend', 'operator', { at: later(NOON, 10) }).deletion?.dueAt).toBe(DUE);
  });

  it('lets operators, but not the system, delete before the due date', () => {
    const pending = after(anAccount(), 'request-deletion');
    expect([later(DUE, -1), DUE].map((at) => codeOf(ask(pending, 'carry-out-deletion', 'system', { at })))).toEqual(['conflict', 'moves']);
    expect(standingOf(after(pending, 'carry-out-deletion'))).toBe('deleted');
    expect(after(pending, 'carry-out-deletion').deletion).toBeNull();
  });

  it('states why an act is forbidden', () => {
    const messages = [
      ask(anAccount({ blocked: true }), 'request-deletion', 'owner'), ask(anAccount({ status: 'deleted' }), 'suspend', 'operator'),
      ask(after(anAccount(), 'request-deletion'), 'carry-out-deletion', 'system'),
    ].map((decision) => (decision.outcome === 'refused' ? decision.message : ''));
    expect(messages).toEqual([
      'The account is blocked; only an operator can do this.', 'The account is deleted and cannot be changed.',
      'The deletion is due at 1970-01-01T00:16:45.000Z.',
    ]);
  });
});
