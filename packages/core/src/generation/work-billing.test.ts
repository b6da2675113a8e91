import { describe, expect, it } from '@jest/globals';
import { createMemoryStore, ManualClock, SequentialIds } from '@tollgate/adapters-memory';
import {
  type AccountId, availableOf, type HeldWork, type Ledger, type ModelSlug, NO_USAGE_FILTERS, parseTokenRate, ServiceTokens, SYSTEM_ACTOR, WorkBilling,
  type WorkSize,
} from '@tollgate/core';
import { anAccount, aPrice, FaultPlan } from '@tollgate/testkit';

const ACCOUNT = anAccount();
const AT_MOST: WorkSize = { inputTokens: 10, outputTokens: 5 };

async function billing(balance: string, wrap: (ledger: Ledger) => Ledger = (ledger) => ledger) {
  const store = createMemoryStore();
  const clock = new ManualClock();
  const ids = new SequentialIds();
  await store.accounts.create(ACCOUNT, SYSTEM_ACTOR);
  await store.ledger.credit({ accountId: ACCOUNT.id, amount: ServiceTokens.parse(balance), reference: 'first', actor: SYSTEM_ACTOR, at: clock.now() });
  const service = new WorkBilling(
    { ledger: wrap(store.ledger), ids, clock },
    { processId: ids.processId(), usdPerServiceToken: parseTokenRate('0.01'), holdLifetimeMilliseconds: 1000 },
  );
  const hold = (accountId: AccountId = ACCOUNT.id) =>
    service.hold({ accountId, work: 'scan' as ModelSlug, price: aPrice('1', '9', '9', '2'), atMost: AT_MOST, attribution: 'their-customer' });
  const held = async (): Promise<HeldWork> => {
    const outcome = await hold();
    if (outcome.outcome !== 'held') throw new Error(outcome.outcome);
    return outcome.work;
  };
  const figures = async (): Promise<readonly string[]> => {
    const now = await store.ledger.balanceOf(ACCOUNT.id);
    return now === null ? [] : [availableOf(now).toString(), now.reserved.toString()];
  };
  return { store, clock, hold, held, figures };
}

describe('WorkBilling', () => {
  it('reserves the maximum cost and charges the actual size', async () => {
    const { store, held, figures } = await billing('100');
    const work = await held();
    expect(await figures()).toEqual(['80', '20']);
    const { charge } = await work.charge({ inputTokens: 8, outputTokens: 3 });
    expect([charge.amount.toString(), charge.usd.toString()]).toEqual(['14', '0.14']);
    expect(await figures()).toEqual(['86', '0']);
    const record = (await store.usage.list({ ...NO_USAGE_FILTERS, accountId: ACCOUNT.id, limit: 9, cursor: null }))?.records[0];
    expect(record).toMatchObject({ requestedModel: 'scan', attribution: 'their-customer', reason: 'completed', format: null, keyId: null });
    expect((await store.ledger.verify()).differences).toEqual([]);
  });

  it('reports an insufficient balance and reserves nothing', async () => {
    const { hold, figures } = await billing('19.999999');
    expect(await hold()).toEqual({ outcome: 'insufficient', available: ServiceTokens.parse('19.999999') });
    expect(await figures()).toEqual(['19.999999', '0']);
  });

  it('refuses an unknown account', async () => {
    const { hold } = await billing('100');
    expect((await hold('acct_99' as AccountId)).outcome).toBe('insufficient');
  });

  it('makes as many holds as the balance covers, concurrently or one by one', async () => {
    const { hold, figures } = await billing('70');
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => hold()));
    expect(outcomes.filter(({ outcome }) => outcome === 'held')).toHaveLength(3);
    expect(await figures()).toEqual(['10', '60']);
  });

  it('releases the whole reservation if the work was not done', async () => {
    const { held, figures } = await billing('100');
    expect((await (await held()).release()).charge.amount.isZero()).toBe(true);
    expect(await figures()).toEqual(['100', '0']);
  });

  it('ends once: later endings return the first settlement', async () => {
    const { held, figures } = await billing('100');
    const work = await held();
    const first = await work.charge({ inputTokens: 1, outputTokens: 0 });
    expect(await work.charge({ inputTokens: 10, outputTokens: 5 })).toEqual(first);
    expect(await work.release()).toEqual(first);
    expect(await figures()).toEqual(['99', '0']);
    const other = await held();
    const released = await other.release();
    expect(await other.charge(AT_MOST)).toEqual(released);
    expect(await figures()).toEqual(['99', '0']);
  });

  it('charges more than the hold from the available balance and writes the rest off', async () => {
    const { held, figures } = await billing('25');
    const { charge, writeOff } = await (await held()).charge({ inputTokens: 30, outputTokens: 0 });
    expect([charge.amount.toString(), writeOff.toString()]).toEqual(['25', '5']);
    expect(await figures()).toEqual(['0', '0']);
  });

  it.each([[{ inputTokens: -1, outputTokens: 0 }], [{ inputTokens: 0.5, outputTokens: 0 }]])('refuses a size of %j without ending the hold', async (size) => {
    const { held, figures } = await billing('100');
    const work = await held();
    await expect(work.charge(size)).rejects.toThrow(RangeError);
    await work.charge({ inputTokens: 1, outputTokens: 0 });
    expect(await figures()).toEqual(['99', '0']);
  });

  it.each(['before', 'after'] as const)('survives a ledger that fails %s its effect: nothing stays reserved, and an ending may be repeated', async (kind) => {
    for (const failingCall of [1, 2]) {
      const plan = new FaultPlan(failingCall, kind);
      const { held, figures } = await billing('100', (ledger) => plan.watch('ledger', ledger, ['reserve', 'settle']));
      const work = await held().catch(() => null);
      const charge = () => work?.charge({ inputTokens: 1, outputTokens: 0 });
      await charge()?.catch(() => charge());
      expect(await figures()).toEqual([work === null ? '100' : '99', '0']);
    }
  });

  it('charges completed work although its release failed first', async () => {
    const plan = new FaultPlan(2, 'before');
    const { held, figures } = await billing('100', (ledger) => plan.watch('ledger', ledger, ['reserve', 'settle']));
    const work = await held();
    await expect(work.charge({ inputTokens: 1, outputTokens: 0 })).rejects.toThrow('failed as planned');
    expect((await work.release()).charge.amount.toString()).toBe('1');
    expect(await figures()).toEqual(['99', '0']);
  });

  it('releases a hold that was not ended by its deadline', async () => {
    const { store, clock, held, figures } = await billing('100');
    await held();
    clock.advance(1000);
    await store.ledger.sweep(clock.now());
    expect(await figures()).toEqual(['100', '0']);
  });
});
