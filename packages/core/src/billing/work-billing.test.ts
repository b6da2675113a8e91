import { describe, expect, it } from '@jest/globals';
import { createMemoryStore, ManualClock, SequentialIds } from '@tollgate/adapters-memory';
import { storeInMemory } from '@tollgate/adapters-sqlite/testing';
import {
  type AccountId, type AccountRepository, availableOf, type HeldWork, type HoldWorkCommand, type IdempotencyStore, later, type Ledger, type LedgerAudit, NO_USAGE_FILTERS,
  parseTokenRate, type ProcessId, ServiceTokens, SYSTEM_ACTOR, type UsageReader, WorkBilling, WorkConflict, type WorkUnits,
} from '@tollgate/core';
import { anAccount, FaultPlan } from '@tollgate/testkit';

const ACCOUNT = anAccount();
const AT_MOST: WorkUnits = { inputUnits: 10, outputUnits: 5 };
const PRICE = { inputUnit: parseTokenRate('1'), outputUnit: parseTokenRate('2') };
const LIFETIME = 1000;
const KEPT = 5000;

interface Store {
  readonly accounts: AccountRepository;
  readonly ledger: Ledger;
  readonly ledgerAudit: LedgerAudit;
  readonly usage: UsageReader;
  readonly idempotency: IdempotencyStore;
}

interface Wrapping {
  readonly ledger?: (ledger: Ledger) => Ledger;
  readonly idempotency?: (idempotency: IdempotencyStore) => IdempotencyStore;
  readonly open?: (clock: ManualClock) => Store | Promise<Store>;
}

async function billing(balance: string, { ledger: wrap = (ledger) => ledger, idempotency = (all) => all, open = () => createMemoryStore() }: Wrapping = {}) {
  const clock = new ManualClock();
  const store = await open(clock);
  const ids = new SequentialIds();
  await store.accounts.create(ACCOUNT, SYSTEM_ACTOR);
  await store.ledger.credit({ accountId: ACCOUNT.id, amount: ServiceTokens.parse(balance), reference: 'first', actor: SYSTEM_ACTOR, at: clock.now() });
  const serviceOf = (processId: ProcessId): WorkBilling => new WorkBilling(
    { ledger: wrap(store.ledger), idempotency: idempotency(store.idempotency), ids, clock },
    { processId, usdPerServiceToken: parseTokenRate('0.01'), holdLifetimeMilliseconds: LIFETIME, idKeptMilliseconds: KEPT },
  );
  const service = serviceOf(ids.processId());
  const command = (differences: Partial<HoldWorkCommand> = {}): HoldWorkCommand =>
    ({ accountId: ACCOUNT.id, id: 'job 1', name: 'scan', price: PRICE, atMost: AT_MOST, attribution: 'their-customer', ...differences });
  let jobs = 0;
  /** Holds work under a new id. */
  const hold = (differences: Partial<HoldWorkCommand> = {}) => service.hold(command({ id: `job of its own ${jobs += 1}`, ...differences }));
  const held = async (differences: Partial<HoldWorkCommand> = {}, by: WorkBilling = service): Promise<HeldWork> => {
    const outcome = await by.hold(command({ id: `job of its own ${jobs += 1}`, ...differences }));
    if (outcome.outcome !== 'held') throw new Error(outcome.outcome);
    return outcome.work;
  };
  const figures = async (): Promise<readonly string[]> => {
    const now = await store.ledger.balanceOf(ACCOUNT.id);
    return now === null ? [] : [availableOf(now).toString(), now.reserved.toString()];
  };
  return { store, clock, hold, held, figures, ids, serviceOf };
}

describe('WorkBilling', () => {
  it('reserves the maximum cost and charges the actual cost', async () => {
    const { store, held, figures } = await billing('100');
    const work = await held();
    expect(await figures()).toEqual(['80', '20']);
    const { charge } = await work.charge({ inputUnits: 8, outputUnits: 3 });
    expect([charge.amount.toString(), charge.usd.toString()]).toEqual(['14', '0.14']);
    expect(await figures()).toEqual(['86', '0']);
    const record = (await store.usage.list({ ...NO_USAGE_FILTERS, accountId: ACCOUNT.id, limit: 9, cursor: null }))?.records[0];
    expect(record).toMatchObject({
      requestId: work.requestId, usage: { uncachedPromptTokens: 8, visibleOutputTokens: 3, cachedPromptTokens: 0, cacheCreationTokens: 0, reasoningTokens: 0 },
    });
    expect(record).toMatchObject({ requestedModel: 'scan', attribution: 'their-customer', reason: 'completed', format: null, keyId: null });
    expect((await store.ledgerAudit.verify()).differences).toEqual([]);
  });

  it('reports an insufficient balance and reserves nothing', async () => {
    const { hold, figures } = await billing('19.999999');
    expect(await hold()).toEqual({ outcome: 'insufficient', available: ServiceTokens.parse('19.999999') });
    expect(await figures()).toEqual(['19.999999', '0']);
  });

  it('refuses an unknown account', async () => {
    const { hold } = await billing('100');
    expect((await hold({ accountId: 'acct_99' as AccountId })).outcome).toBe('insufficient');
  });

  it('grants as many of 20 concurrent holds as the balance covers', async () => {
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

  it('ends work once: later calls return the first settlement', async () => {
    const { held, figures } = await billing('100');
    const work = await held();
    const first = await work.charge({ inputUnits: 1, outputUnits: 0 });
    expect(await work.charge({ inputUnits: 10, outputUnits: 5 })).toEqual(first);
    expect(await work.release()).toEqual(first);
    expect(await figures()).toEqual(['99', '0']);
    const other = await held();
    const released = await other.release();
    expect(await other.charge(AT_MOST)).toEqual(released);
    expect(await figures()).toEqual(['99', '0']);
  });

  it('charges a cost above the hold to the available balance, and writes off what the balance cannot pay', async () => {
    const { held, figures } = await billing('25');
    const { charge, writeOff } = await (await held()).charge({ inputUnits: 30, outputUnits: 0 });
    expect([charge.amount.toString(), writeOff.toString()]).toEqual(['25', '5']);
    expect(await figures()).toEqual(['0', '0']);
  });

  it.each([[{ inputUnits: -1, outputUnits: 0 }], [{ inputUnits: 0.5, outputUnits: 0 }]])('refuses to charge %j, and keeps the hold', async (size) => {
    const { held, figures } = await billing('100');
    const work = await held();
    await expect(work.charge(size)).rejects.toThrow(RangeError);
    await work.charge({ inputUnits: 1, outputUnits: 0 });
    expect(await figures()).toEqual(['99', '0']);
  });

  it.each(['before', 'after'] as const)('leaves nothing reserved if a ledger call fails %s it takes effect and the caller repeats the charge', async (kind) => {
    for (const failingCall of [1, 2]) {
      const plan = new FaultPlan(failingCall, kind);
      const { held, figures } = await billing('100', { ledger: (ledger) => plan.watch('ledger', ledger, ['reserve', 'settle']) });
      const work = await held().catch(() => null);
      const charge = () => work?.charge({ inputUnits: 1, outputUnits: 0 });
      await charge()?.catch(() => charge());
      expect(await figures()).toEqual([work === null ? '100' : '99', '0']);
    }
  });

  it('charges the work if a call of `charge` failed and the next call is `release`', async () => {
    const plan = new FaultPlan(2, 'before');
    const { held, figures } = await billing('100', { ledger: (ledger) => plan.watch('ledger', ledger, ['reserve', 'settle']) });
    const work = await held();
    await expect(work.charge({ inputUnits: 1, outputUnits: 0 })).rejects.toThrow('failed as planned');
    expect((await work.release()).charge.amount.toString()).toBe('1');
    expect(await figures()).toEqual(['99', '0']);
  });

  it('releases a hold that the caller has not ended by its deadline', async () => {
    const { store, clock, held, figures } = await billing('100');
    await held();
    clock.advance(LIFETIME);
    await store.ledger.sweep(clock.now());
    expect(await figures()).toEqual(['100', '0']);
  });
});

const STORES: readonly (readonly [string, (clock: ManualClock) => Store | Promise<Store>])[] = [
  ['in memory', () => createMemoryStore()],
  ['SQLite', (clock) => storeInMemory(clock)],
];

describe.each(STORES)("WorkBilling with ids of the caller: %s", (_, open) => {
  const JOB = { id: 'job 1' };

  it('charges once if the same id is held again during the work and afterwards', async () => {
    const { held, hold, figures } = await billing('100', { open });
    const work = await held(JOB);
    expect(await hold(JOB)).toEqual({ outcome: 'running', requestId: work.requestId });
    await work.charge({ inputUnits: 8, outputUnits: 3 });
    expect(await hold(JOB)).toEqual({ outcome: 'charged', requestId: work.requestId });
    expect(await figures()).toEqual(['86', '0']);
  });

  it('grants the hold of an id to exactly one of 20 concurrent calls', async () => {
    const { hold, figures } = await billing('100', { open });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => hold(JOB)));
    expect(outcomes.filter(({ outcome }) => outcome === 'held')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'running')).toHaveLength(19);
    expect(await figures()).toEqual(['80', '20']);
  });

  it.each<Partial<HoldWorkCommand>>([
    { name: 'print' }, { attribution: null }, { price: { ...PRICE, inputUnit: parseTokenRate('3') } }, { price: { ...PRICE, outputUnit: parseTokenRate('3') } },
    { atMost: { ...AT_MOST, inputUnits: 9 } }, { atMost: { ...AT_MOST, outputUnits: 6 } },
  ])('refuses the id of earlier work for other work, while the earlier runs and afterwards: %j', async (difference) => {
    const { held, hold, figures } = await billing('100', { open });
    const work = await held(JOB);
    const other = () => hold({ ...JOB, ...difference });
    await expect(other()).rejects.toThrow(new WorkConflict('job 1', work.requestId));
    await work.charge({ inputUnits: 1, outputUnits: 0 });
    await expect(other()).rejects.toThrow(WorkConflict);
    expect(await figures()).toEqual(['99', '0']);
  });

  it('frees the id of work that was released or could not be paid', async () => {
    const { held, hold, figures } = await billing('20', { open });
    expect((await hold({ ...JOB, atMost: { inputUnits: 21, outputUnits: 0 } })).outcome).toBe('insufficient');
    await (await held(JOB)).release();
    await (await held({ ...JOB, name: 'print' })).charge({ inputUnits: 2, outputUnits: 0 });
    expect(await figures()).toEqual(['18', '0']);
  });

  it('charges once if another process takes over the work and both finish it', async () => {
    const { store, clock, held, figures, ids, serviceOf } = await billing('100', { open });
    const slow = await held(JOB, serviceOf(ids.processId()));
    clock.advance(LIFETIME);
    await store.ledger.sweep(clock.now());
    await store.idempotency.sweep(clock.now(), later(clock.now(), KEPT));
    const next = await held(JOB, serviceOf(ids.processId()));
    const { charge } = await next.charge({ inputUnits: 8, outputUnits: 3 });
    expect((await slow.charge({ inputUnits: 6, outputUnits: 3 })).charge.amount.toString()).toBe('0');
    expect([charge.amount.toString(), await figures()]).toEqual(['14', ['86', '0']]);
    expect((await store.ledgerAudit.verify()).differences).toEqual([]);
  });

  it('keeps the charge of a process that died before it marked the id as used', async () => {
    const { store, clock, held, hold } = await billing('100', { open, idempotency: (all) => new FaultPlan(1, 'before').watch('idempotency', all, ['finish']) });
    const work = await held(JOB);
    expect((await work.charge({ inputUnits: 1, outputUnits: 0 })).charge.amount.toString()).toBe('1');
    clock.advance(LIFETIME);
    await store.idempotency.sweep(clock.now(), later(clock.now(), KEPT));
    expect(await hold(JOB)).toEqual({ outcome: 'charged', requestId: work.requestId });
  });

  it('scopes ids to accounts, and frees them after their retention time', async () => {
    const { store, clock, held, figures } = await billing('100', { open });
    const bob = anAccount({ id: 'acct_bob' as AccountId, email: 'bob@example.test' });
    await store.accounts.create(bob, SYSTEM_ACTOR);
    await store.ledger.credit({ accountId: bob.id, amount: ServiceTokens.parse('20'), reference: 'first', actor: SYSTEM_ACTOR, at: clock.now() });
    await (await held(JOB)).charge(AT_MOST);
    await (await held({ ...JOB, accountId: bob.id })).charge(AT_MOST);
    clock.advance(KEPT);
    await (await held(JOB)).charge(AT_MOST);
    expect(await figures()).toEqual(['60', '0']);
  });

  it('holds work whose id is also a client’s idempotency key in the same store', async () => {
    const { store, clock, hold, ids } = await billing('100', { open });
    const name = { accountId: ACCOUNT.id, key: JOB.id, requestId: ids.requestId() };
    await store.idempotency.claim({ ...name, ownerId: ids.processId(), fingerprint: 'a generation', at: clock.now(), expiresAt: later(clock.now(), KEPT) });
    expect((await hold(JOB)).outcome).toBe('held');
  });

  it.each(['', 'x'.repeat(201), 'ünï', 'a\nb'])('refuses the id %j', async (id) => {
    const { hold, figures } = await billing('100', { open });
    await expect(hold({ id })).rejects.toThrow(RangeError);
    expect(await figures()).toEqual(['100', '0']);
  });
});
