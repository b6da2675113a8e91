import { describe, expect, it } from '@jest/globals';
import { AUDITED_MONEY_ACTS } from '../billing/money-act.js';
import { SYSTEM_ACTOR } from '../platform/actor.js';
import { AUDITED_ACTS, type AuditedAct, type AuditedAction } from '../platform/audited-act.js';
import type { AccountId } from '../primitives/ids.js';
import { instant } from '../primitives/time.js';
import { eventOfAct } from './event-of-act.js';

function act(action: AuditedAction, differences: Partial<AuditedAct> = {}): AuditedAct {
  return { actor: SYSTEM_ACTOR, at: instant(0), action, subject: 'subject', accountId: 'acct_1' as AccountId, details: {}, ...differences };
}

const ALL = Object.entries(AUDITED_ACTS).flatMap(([kind, verbs]) => verbs.map((verb) => `${kind}.${verb}` as AuditedAction));

/** Acts on accounts that have no event here: views, and money acts, whose event is written with the booking. */
const WITHOUT = new Set<AuditedAction>(['account.viewed', ...Object.values(AUDITED_MONEY_ACTS).filter((action) => action !== AUDITED_MONEY_ACTS.forfeiture)]);

describe('an audited act', () => {
  it('on an account or key has an event, unless it is a view or its event is written with a booking', () => {
    const without = ALL.filter((action) => /^(account|key)\./.test(action) && eventOfAct(act(action)) === null);
    expect(new Set(without)).toEqual(WITHOUT);
  });

  it('on anything but accounts and keys has no event, except for a changed address, maintenance and a disabled webhook', () => {
    const withEvent = ALL.filter((action) => !/^(account|key)\./.test(action) && eventOfAct(act(action)) !== null);
    expect(withEvent).toEqual(['person.email-changed', 'webhook.disabled', 'platform.maintenance-on', 'platform.maintenance-off']);
  });

  it('has no personal texts in its event', () => {
    const texts = { name: 'Alice', reason: 'late payer', from: 'a@example.test', to: 'b@example.test' };
    const shown = ALL.map((action) => JSON.stringify(eventOfAct(act(action, { texts })))).join(' ');
    for (const text of Object.values(texts)) expect(shown).not.toContain(text);
  });

  it('on a person without an account has no event', () => {
    expect(eventOfAct(act('person.email-changed', { accountId: null }))).toBeNull();
  });

  it('names changed fields in its event as the API does', () => {
    expect(eventOfAct(act('account.changed', { details: { planId: 'pro' }, texts: { name: null } }))?.data).toEqual({ changed: ['plan_id'] });
  });
});
