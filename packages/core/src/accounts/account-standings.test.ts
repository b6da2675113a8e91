import { beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryStore, ManualClock, type MemoryStore } from '@tollgate/adapters-memory';
import {
  type AccountId, AccountStandings, type AccountStandingsPorts, type Actor, GATEWAY_ORIGIN, later, MILLISECONDS_PER_DAY, standingOf, SYSTEM_ACTOR,
} from '@tollgate/core';
import { anAccount, changeStanding } from '@tollgate/testkit';

const OWNER: Actor = { kind: 'owner', id: 'alice', origin: GATEWAY_ORIGIN };
const OPERATOR: Actor = { kind: 'operator', id: 'olga', origin: GATEWAY_ORIGIN };
const { id } = anAccount();

describe('AccountStandings', () => {
  let store: MemoryStore;
  let clock: ManualClock;
  let standings: AccountStandings;

  beforeEach(async () => {
    store = createMemoryStore();
    clock = new ManualClock();
    standings = new AccountStandings({ accounts: store.accounts, clock });
    await store.accounts.create(anAccount(), SYSTEM_ACTOR);
  });

  it('performs and audits an allowed act once, even if it is repeated', async () => {
    for (let time = 0; time < 2; time += 1) await standings.perform({ accountId: id, trigger: 'suspend', actor: OPERATOR });
    await standings.perform({ accountId: id, trigger: 'reactivate', actor: OPERATOR });
    const requested = await standings.perform({ accountId: id, trigger: 'request-deletion', actor: OWNER, graceMilliseconds: MILLISECONDS_PER_DAY });
    expect(requested).toEqual({
      outcome: 'changed',
      account: { ...anAccount(), status: 'pending-deletion', deletion: { dueAt: later(clock.now(), MILLISECONDS_PER_DAY), returnsTo: 'active' } },
    });
    expect(store.audit.entries.map(({ action }) => action)).toEqual(['account.created', 'account.suspended', 'account.reactivated', 'account.deletion-requested']);
  });

  it('refuses a forbidden act and changes nothing', async () => {
    expect(await standings.perform({ accountId: id, trigger: 'suspend', actor: OWNER })).toMatchObject({ outcome: 'refused', code: 'not_found' });
    expect(await standings.perform({ accountId: 'acct_none' as AccountId, trigger: 'suspend', actor: OPERATOR })).toEqual({ outcome: 'no-such-account' });
    expect(await store.accounts.findById(id)).toEqual(anAccount());
  });

  it('decides again if the account changed between read and write', async () => {
    const racing: AccountStandingsPorts['accounts'] = {
      findById: async (asked) => {
        const seen = await store.accounts.findById(asked);
        if (seen?.blocked === false) await changeStanding(store.accounts, asked, { blocked: true }, { actor: OPERATOR, at: clock.now() });
        return seen;
      },
      moveStanding: (asked, move, by) => store.accounts.moveStanding(asked, move, by),
    };
    const request = { accountId: id, trigger: 'request-deletion', actor: OWNER, graceMilliseconds: 0 } as const;
    expect(await new AccountStandings({ accounts: racing, clock }).perform(request)).toMatchObject({ outcome: 'refused', code: 'account_blocked' });
    expect(standingOf(await store.accounts.findById(id) ?? anAccount())).toBe('blocked');
  });
});
