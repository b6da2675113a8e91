import { expect, it } from '../test-runner.js';
import { type AccountId, later, MAX_BALANCE, type MoneyAct, type MoneyActOutcome, type RequestId, reversalReferenceOf, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { anEnding } from '../../builders/builders.js';
import { OTHER_OWNER, progressOf, requestId, reservationId, type StartStore, STORE_ALICE, STORE_BOB, STORE_NOON } from '../store-subject.js';

type Differences = Partial<Omit<MoneyAct, 'amount' | 'kind'>>;

function common(amount: string, reference: string, differences: Differences): Omit<MoneyAct, 'kind'> {
  return { accountId: STORE_ALICE, amount: ServiceTokens.parse(amount), reference, reason: null, actor: SYSTEM_ACTOR, at: STORE_NOON, ...differences };
}

function refund(amount: string, reference: string, request: RequestId = requestId(1), differences: Differences = {}): MoneyAct {
  return { ...common(amount, reference, differences), kind: 'refund', requestId: request };
}

function correction(direction: 'raise' | 'lower', amount: string, reference: string, differences: Differences = {}): MoneyAct {
  return { ...common(amount, reference, differences), kind: 'correction', direction };
}

function ofPayment(amount: string, reference: string): MoneyAct {
  return { ...common(amount, reference, {}), kind: 'payment' };
}

function refundOfPayment(direction: 'raise' | 'lower', amount: string, reference: string): MoneyAct {
  return { ...common(amount, reference, {}), kind: 'payment-refund', direction };
}

function dispute(direction: 'raise' | 'lower', amount: string, reference: string): MoneyAct {
  return { ...common(amount, reference, {}), kind: 'dispute', direction };
}

function given(kind: 'top-up' | 'signup-credit', amount: string, reference: string, differences: Differences = {}): MoneyAct {
  return { ...common(amount, reference, differences), kind };
}

export function moneyActsContract(start: StartStore): void {
  it('books every kind of act once per reference, and changes no usage record', async () => {
    const driver = await start();
    const { ledger, usage } = driver.store;
    await driver.credit('100');
    await driver.serve(1, anEnding(10));
    const used = await usage.tokensUsed(STORE_ALICE, STORE_NOON);
    const record = await usage.find(STORE_ALICE, requestId(1));
    const acts = [
      given('top-up', '1', 'a'), given('signup-credit', '2', 'b'), refund('3', 'c'), correction('raise', '4', 'd', { reason: 'a "gift" ' }), correction('lower', '5', 'e'),
    ];
    const outcomes = await Promise.all([...acts, ...acts].map((act) => ledger.book(act)));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([...acts.map(() => 'booked'), ...acts.map(() => 'repeated')]);
    expect(await driver.balance()).toBe('95/0/95');
    expect(await usage.tokensUsed(STORE_ALICE, STORE_NOON)).toEqual(used);
    expect(await usage.find(STORE_ALICE, requestId(1))).toEqual(record);
  });

  it('answers a repeated credit even after its expiry, and refuses a new credit whose expiry has passed', async () => {
    const { ledger } = (await start()).store;
    const expiresAt = later(STORE_NOON, 1000);
    const credit: MoneyAct = { ...common('1', 'r', {}), kind: 'top-up', expiresAt };
    expect(await ledger.book(credit)).toMatchObject({ outcome: 'booked' });
    for (const at of [later(expiresAt, -1), expiresAt, later(expiresAt, 1)]) expect(await ledger.book({ ...credit, at })).toMatchObject({ outcome: 'repeated' });
    expect(await ledger.credit({ ...common('1', 'r', {}), expiresAt, at: expiresAt })).toMatchObject({ outcome: 'repeated' });
    await expect(ledger.book({ ...credit, reference: 'new', at: expiresAt })).rejects.toMatchObject({ code: 'invalid_request', param: 'expires_at' });
  });

  it.each<readonly [name: string, first: MoneyAct, second: MoneyAct]>([
    ['kind', given('top-up', '1', 'r'), given('signup-credit', '1', 'r')],
    ['amount', given('top-up', '1', 'r'), given('top-up', '2', 'r')],
    ['direction', correction('raise', '1', 'r'), correction('lower', '1', 'r')],
    ['direction, after one that lowers', correction('lower', '1', 'r'), correction('raise', '1', 'r')],
    ['request', refund('1', 'r'), refund('1', 'r', requestId(2))],
  ])('refuses a used reference for an act of another %s', async (_, first, second) => {
    const driver = await start();
    await driver.credit('100');
    await driver.serve(1, anEnding(10));
    await driver.serve(2, anEnding(10));
    expect(await driver.store.ledger.book(first)).toMatchObject({ outcome: 'booked' });
    const balance = await driver.balance();
    expect(await driver.store.ledger.book(second)).toEqual({ outcome: 'reference-used-otherwise' });
    expect(await driver.balance()).toBe(balance);
  });

  it('lets two accounts use the same reference', async () => {
    const { ledger } = (await start()).store;
    for (const accountId of [STORE_ALICE, STORE_BOB]) {
      expect(await ledger.book(given('top-up', '5', 'r', { accountId }))).toMatchObject({ outcome: 'booked' });
      expect(await ledger.book(correction('lower', '1', 's', { accountId }))).toMatchObject({ outcome: 'booked' });
    }
  });

  it('refunds at most the charge of a request, in one refund or several', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.serve(1, anEnding(10));
    expect(await driver.store.ledger.book(refund('10.000001', 'too much'))).toEqual({ outcome: 'exceeds-charge', refundable: ServiceTokens.parse('10') });
    expect(await driver.store.ledger.book(refund('7', 'first'))).toMatchObject({ outcome: 'booked' });
    expect(await driver.store.ledger.book(refund('4', 'second'))).toEqual({ outcome: 'exceeds-charge', refundable: ServiceTokens.parse('3') });
    expect(await driver.store.ledger.book(refund('3', 'third'))).toMatchObject({ outcome: 'booked' });
    expect(await driver.store.ledger.book(refund('0.000001', 'fourth'))).toEqual({ outcome: 'exceeds-charge', refundable: ServiceTokens.ZERO });
    expect(await driver.balance()).toBe('100/0/100');
  });

  it('reverses the part of a charge that was not refunded, once, whatever amount is given', async () => {
    const driver = await start();
    await driver.credit('100');
    for (const number of [1, 2]) await driver.serve(number, anEnding(10));
    const reversal = (amount: string, request: RequestId): Promise<MoneyActOutcome> => driver.store.ledger.book(refund(amount, reversalReferenceOf(request), request));
    await driver.store.ledger.book(refund('4', 'sorry'));
    expect(await reversal('10', requestId(1))).toMatchObject({ outcome: 'booked', balance: { posted: ServiceTokens.parse('90') } });
    for (const amount of ['10', '6', '1']) expect(await reversal(amount, requestId(1))).toMatchObject({ outcome: 'repeated' });
    await driver.store.ledger.book(refund('10', 'all', requestId(2)));
    expect(await reversal('10', requestId(2))).toEqual({ outcome: 'exceeds-charge', refundable: ServiceTokens.ZERO });
    expect(await driver.balance()).toBe('100/0/100');
    const acts = (await driver.store.usage.transfersOf(STORE_ALICE, requestId(1))).map(({ kind, amount }) => `${kind} ${amount.toString()}`);
    expect(acts).toEqual(['charge 10', 'refund 4', 'refund 6']);
  });

  it('accepts the reference of a request’s reversal for that reversal only', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.serve(1, anEnding(10));
    const reference = reversalReferenceOf(requestId(1));
    expect(await driver.store.ledger.book(given('top-up', '1', reference))).toEqual({ outcome: 'reference-used-otherwise' });
    expect(await driver.store.ledger.book(refund('1', reference, requestId(2)))).toEqual({ outcome: 'reference-used-otherwise' });
    expect(await driver.store.ledger.book(refund('10', reference))).toMatchObject({ outcome: 'booked' });
  });

  it('refuses to raise a balance above the maximum, and does not change it', async () => {
    const driver = await start();
    await driver.credit('100');
    await expect(driver.store.ledger.book({ ...given('top-up', '1', 'r'), amount: MAX_BALANCE.minus(ServiceTokens.parse('99.999999')) })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await driver.store.ledger.book({ ...given('top-up', '1', 'r'), amount: MAX_BALANCE.minus(ServiceTokens.parse('100')) })).toMatchObject({ outcome: 'booked' });
    expect((await driver.store.ledger.balanceOf(STORE_ALICE))?.posted).toEqual(MAX_BALANCE);
  });

  it('adds a late charge to the refundable amount', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '20', { owner: OTHER_OWNER });
    await driver.store.ledger.checkpoint({
      ownerId: OTHER_OWNER, progress: new Map([[reservationId(1), progressOf(5)]]), at: STORE_NOON, leaseExpiresAt: STORE_NOON,
    });
    await driver.store.ledger.sweep(STORE_NOON);
    expect(await driver.store.ledger.book(refund('6', 'early'))).toEqual({ outcome: 'exceeds-charge', refundable: ServiceTokens.parse('5') });
    await driver.settle(1, anEnding(8));
    expect(await driver.store.ledger.book(refund('8', 'whole'))).toMatchObject({ outcome: 'booked' });
    expect(await driver.balance()).toBe('100/0/100');
  });

  it('refunds at most the charge of a request under concurrent refunds', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.serve(1, anEnding(10));
    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, number) => driver.store.ledger.book(refund('3', `refund ${number}`))));
    expect(outcomes.filter(({ outcome }) => outcome === 'booked')).toHaveLength(3);
    expect(outcomes.filter(({ outcome }) => outcome === 'exceeds-charge')).toHaveLength(97);
    expect(await driver.balance()).toBe('99/0/99');
  });

  it('refuses to refund a request that is unknown, of another account, or still running', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.credit('100', STORE_BOB);
    await driver.serve(1, anEnding(10));
    await driver.reserve(2, '20');
    const refused = [refund('1', 'a', 'req_none' as RequestId), refund('1', 'b', requestId(1), { accountId: STORE_BOB }), refund('1', 'c', requestId(2))];
    for (const act of refused) expect(await driver.store.ledger.book(act)).toEqual({ outcome: 'no-such-request' });
  });

  it('lowers a balance by at most the available amount under concurrent corrections', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '40');
    expect(await driver.store.ledger.book(correction('lower', '60.000001', 'too much'))).toEqual({ outcome: 'exceeds-balance', available: ServiceTokens.parse('60') });
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, number) => driver.store.ledger.book(correction('lower', '25', `correction ${number}`))));
    expect(outcomes.filter(({ outcome }) => outcome === 'booked')).toHaveLength(2);
    expect(await driver.balance()).toBe('50/40/10');
    await driver.settle(1, anEnding(40));
    expect(await driver.balance()).toBe('10/0/10');
  });

  it('deducts at most the available balance for a payment refund, dispute or expiry, and returns what a won dispute deducted', async () => {
    const driver = await start();
    driver.broken.add('I15');
    const { ledger } = driver.store;
    await ledger.book(ofPayment('100', 'sandbox:pay_1'));
    await driver.reserve(1, '40');
    const refunded = [refundOfPayment('lower', '50', 'sandbox:pay_1:refund:a'), refundOfPayment('lower', '50', 'sandbox:pay_1:refund:b')];
    const outcomes = await Promise.all([...refunded, ...refunded].map((act) => ledger.book(act)));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['booked', 'booked', 'repeated', 'repeated']);
    expect(outcomes.map((outcome) => ('uncovered' in outcome ? outcome.uncovered.toString() : ''))).toEqual(['0', '40', '', '']);
    expect(await driver.balance()).toBe('40/40/0');
    const taken = await Promise.all([dispute('lower', '7', 'sandbox:pay_1:dispute:a'), { ...common('3', 'expiry:1', {}), kind: 'expiry' as const }].map((act) => ledger.book(act)));
    expect(taken).toEqual([{ outcome: 'nothing-available', uncovered: ServiceTokens.parse('7') }, { outcome: 'nothing-available', uncovered: ServiceTokens.parse('3') }]);
    await driver.settle(1, anEnding(10));
    expect(await ledger.book(dispute('lower', '70', 'sandbox:pay_1:dispute:a'))).toMatchObject({ outcome: 'booked', uncovered: ServiceTokens.parse('40') });
    expect(await ledger.book(dispute('raise', '30', 'sandbox:pay_1:dispute:a:won'))).toMatchObject({ outcome: 'booked' });
    expect(await driver.balance()).toBe('30/0/30');
  });

  it('accepts the reference of a payment or a voucher only for an act of that kind', async () => {
    const driver = await start();
    driver.broken.add('I15');
    const { ledger } = driver.store;
    for (const reference of ['sandbox:pay_1', 'sandbox:pay_1:refund:a', 'voucher:vch_1:acct_alice']) {
      expect(await ledger.book(given('top-up', '1', reference))).toEqual({ outcome: 'reference-used-otherwise' });
    }
    expect(await ledger.book(ofPayment('1', 'sandbox:pay_1'))).toMatchObject({ outcome: 'booked' });
    expect(await ledger.book(ofPayment('1', 'order 1'))).toEqual({ outcome: 'reference-used-otherwise' });
    expect(await ledger.book({ ...common('1', 'voucher:vch_1:acct_alice', {}), kind: 'voucher' })).toMatchObject({ outcome: 'booked' });
  });

  it('refuses an act on an unknown account, and an amount of zero', async () => {
    const driver = await start();
    expect(await driver.store.ledger.book(given('top-up', '1', 'r', { accountId: 'acct_nobody' as AccountId }))).toEqual({ outcome: 'no-such-account' });
    await expect(driver.store.ledger.book(given('top-up', '0', 'r'))).rejects.toThrow('more than zero');
  });
}
