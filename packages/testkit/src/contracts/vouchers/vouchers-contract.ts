import {
  type AccountId, type CreateVouchers, instant, later, MAX_BALANCE, MAX_VOUCHERS_PER_BATCH, MAX_WRONG_VOUCHERS, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, NO_AUDIT_FILTERS, type RedemptionOutcome, ServiceTokens,
  SYSTEM_ACTOR, type VoucherBatchId, voucherReferenceOf, VOUCHERS_PER_STEP,
} from '@tollgate/core';
import { accountEvents } from '../events/events-subject.js';
import { STORE_ALICE, STORE_BOB, STORE_NOON } from '../store-subject.js';
import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';
import { voucherBy, VouchersDriver, type VouchersSubject } from './vouchers-subject.js';

type Start = () => VouchersDriver;

const NEVER_ISSUED = '7K3QF-0A1BC-DEFGH-JKMN7';
const TOKENS = ServiceTokens.parse('5');

function outcomesOf(redemptions: readonly RedemptionOutcome[]): readonly string[] {
  return redemptions.map(({ outcome }) => outcome);
}

export function vouchersContract(name: string, make: () => Promise<VouchersSubject>): void {
  describe(`vouchers contract: ${name}`, () => {
    let driver: VouchersDriver;
    beforeEach(async () => {
      driver = await VouchersDriver.start(make);
    });
    afterEach(async () => {
      await driver.assertSoundBooks();
      await driver.subject.close?.();
    });
    redemptionContract(() => driver);
    refusalsContract(() => driver);
    wrongTriesContract(() => driver);
    batchesContract(() => driver);
    creationContract(() => driver);
  });
}

function redemptionContract(start: Start): void {
  it('credits a code once per account, and returns the first booking when it is redeemed again', async () => {
    const driver = start();
    const { batch, texts: [code] } = await driver.issue({ usesPerVoucher: 3, creditExpiresAfterDays: 30 });
    const first = await driver.redeem(STORE_ALICE, code?.toLowerCase().replaceAll('-', ' '));
    const use = {
      number: 1, voucherId: `voucher_${batch.id.slice('vbatch_'.length)}-1`, hint: `${code?.slice(0, 5)}…`, accountId: STORE_ALICE, amount: TOKENS, at: STORE_NOON,
      creditExpiresAt: later(STORE_NOON, 30 * MILLISECONDS_PER_DAY),
    };
    expect(first).toEqual({ outcome: 'redeemed', use, balance: { posted: TOKENS, reserved: ServiceTokens.ZERO } });
    const again = await driver.redeem(STORE_ALICE, code, { at: later(STORE_NOON, 1), over: driver.elsewhere });
    expect(again).toEqual({ outcome: 'repeated', use, balance: { posted: TOKENS, reserved: ServiceTokens.ZERO } });
    expect(await driver.balance()).toBe('5');
    expect(await driver.redeem(STORE_BOB, code)).toMatchObject({ outcome: 'redeemed', use: { number: 2 } });
    const page = await driver.vouchers.uses(batch.id, { limit: 10, cursor: null });
    expect(page?.uses.map(({ number, accountId }) => [number, accountId])).toEqual([[2, STORE_BOB], [1, STORE_ALICE]]);
    expect(await driver.vouchers.find(batch.id)).toEqual({ ...batch, uses: 2 });
  });

  it('books the credit with event and audit entry, under a reference that only this redemption has', async () => {
    const driver = start();
    const { batch, texts: [code] } = await driver.issue();
    await driver.redeem(STORE_ALICE, code);
    const reference = voucherReferenceOf(`voucher_${batch.id.slice('vbatch_'.length)}-1`, STORE_ALICE);
    expect(await accountEvents(driver.subject.store.events, STORE_ALICE, 'balance.')).toMatchObject([['balance.booked', { kind: 'voucher', amount: '5', balance: '5', reference }]]);
    const page = await driver.subject.store.auditTrail.list({ ...NO_AUDIT_FILTERS, accountId: STORE_ALICE, limit: 1, cursor: null });
    expect(page?.records[0]?.details).toEqual({ kind: 'voucher', amount: '5', reference });
  });

  it('books exactly as many credits as the code has uses when two gateways redeem it concurrently', async () => {
    const driver = start();
    const { batch, texts: [code] } = await driver.issue({ usesPerVoucher: 7 });
    const accounts: AccountId[] = [];
    for (let number = 0; number < 20; number += 1) accounts.push(await driver.addAccount({ id: `acct_${number}` as AccountId, email: `${number}@example.test`, createdAt: instant(number + 2) }));
    const redemptions = await Promise.all(accounts.map((id, index) => driver.redeem(id, code, { over: index % 2 === 0 ? driver.vouchers : driver.elsewhere })));
    expect(outcomesOf(redemptions).toSorted()).toEqual([...Array<string>(7).fill('redeemed'), ...Array<string>(13).fill('refused')]);
    const balances = await Promise.all(accounts.map((id) => driver.balance(id)));
    expect(balances.filter((balance) => balance === '5')).toHaveLength(7);
    expect(await driver.vouchers.find(batch.id)).toMatchObject({ uses: 7 });
  });

  it('credits an account once when it redeems one code several times concurrently', async () => {
    const driver = start();
    const { texts: [code] } = await driver.issue({ usesPerVoucher: 10 });
    const redemptions = await Promise.all(Array.from({ length: 10 }, (_, index) => driver.redeem(STORE_ALICE, code, { over: index % 2 === 0 ? driver.vouchers : driver.elsewhere })));
    expect(outcomesOf(redemptions).toSorted()).toEqual(['redeemed', ...Array<string>(9).fill('repeated')]);
    expect(await driver.balance()).toBe('5');
  });

  it('credits a mailbox once per code, whichever account redeems it, and recognises the mailbox by any of its hashes', async () => {
    const driver = start();
    const { texts: [code, second] } = await driver.issue({ vouchers: 2, usesPerVoucher: 2 });
    await driver.redeem(STORE_ALICE, code, { mailbox: 'shared' });
    expect(await driver.redeem(STORE_BOB, code, { mailbox: 'shared' })).toEqual({ outcome: 'refused' });
    const rotated = { accountId: STORE_BOB, code: code ?? '', mailboxHashes: ['hash under a new key', 'older hash of shared'] };
    expect(await driver.elsewhere.redeem(rotated, voucherBy())).toEqual({ outcome: 'refused' });
    expect(await driver.redeem(STORE_BOB, second, { mailbox: 'shared' })).toMatchObject({ outcome: 'redeemed' });
    expect([await driver.balance(), await driver.balance(STORE_BOB)]).toEqual(['5', '5']);
  });

  it('refuses a code, and does not use it up, if the balance would exceed the maximum', async () => {
    const driver = start();
    const { batch, texts: [code] } = await driver.issue({ amount: MAX_BALANCE });
    await driver.subject.store.ledger.credit({ accountId: STORE_ALICE, amount: TOKENS, reference: 'r', actor: SYSTEM_ACTOR, at: STORE_NOON });
    await expect(driver.redeem(STORE_ALICE, code)).rejects.toMatchObject({ code: 'invalid_request' });
    expect([await driver.balance(), (await driver.vouchers.find(batch.id))?.uses]).toEqual(['5', 0]);
    expect(await driver.redeem(STORE_BOB, code)).toMatchObject({ outcome: 'redeemed' });
  });
}

function refusalsContract(start: Start): void {
  it('gives the same refusal for codes that were never issued, are used up, have expired or were revoked', async () => {
    const driver = start();
    const [used, revoked, expiring] = [await driver.issue(), await driver.issue(), await driver.issue({ expiresAt: later(STORE_NOON, 2) })];
    await driver.redeem(STORE_BOB, used.texts[0]);
    await driver.vouchers.revoke(revoked.batch.id, voucherBy());
    for (const code of [NEVER_ISSUED, 'no code', 'x'.repeat(100), used.texts[0], revoked.texts[0]]) expect(await driver.redeem(STORE_ALICE, code)).toEqual({ outcome: 'refused' });
    expect(await driver.redeem(STORE_ALICE, expiring.texts[0], { at: later(STORE_NOON, 2) })).toEqual({ outcome: 'refused' });
    expect(await driver.balance()).toBe('0');
    expect(await driver.redeem(STORE_ALICE, expiring.texts[0], { at: later(STORE_NOON, 1) })).toMatchObject({ outcome: 'redeemed' });
  });

  it.each([
    ['suspended', { status: 'suspended' }], ['unverified', { emailVerified: false }], ['blocked', { blocked: true }],
    ['pending', { status: 'pending-deletion', deletion: { dueAt: later(STORE_NOON, 1), returnsTo: 'active' } }],
  ] as const)('gives nothing to an account that is %s', async (state, standing) => {
    const driver = start();
    const { batch, texts: [code] } = await driver.issue();
    const id = await driver.addAccount({ id: `acct_${state}` as AccountId, email: `${state}@example.test`, ...standing });
    expect(await driver.redeem(id, code)).toEqual({ outcome: 'account-inactive' });
    expect([await driver.balance(id), (await driver.vouchers.find(batch.id))?.uses]).toEqual(['0', 0]);
  });
}

function wrongTriesContract(start: Start): void {
  it(`refuses every code for the rest of the hour after ${MAX_WRONG_VOUCHERS} wrong codes of an account at two gateways`, async () => {
    const driver = start();
    const { texts: [code] } = await driver.issue({ usesPerVoucher: 2 });
    const tries = await Promise.all(Array.from({ length: 15 }, (_, index) => driver.redeem(STORE_ALICE, NEVER_ISSUED, { over: index % 2 === 0 ? driver.vouchers : driver.elsewhere })));
    expect(outcomesOf(tries).toSorted()).toEqual([...Array<string>(10).fill('refused'), ...Array<string>(5).fill('too-many-tries')]);
    const until = later(STORE_NOON, MILLISECONDS_PER_HOUR);
    expect(await driver.redeem(STORE_ALICE, code, { at: later(until, -1) })).toEqual({ outcome: 'too-many-tries', until });
    expect(await driver.redeem(STORE_BOB, code)).toMatchObject({ outcome: 'redeemed' });
    expect(await driver.redeem(STORE_ALICE, code, { at: until })).toMatchObject({ outcome: 'redeemed' });
    expect([await driver.balance(), await driver.balance(STORE_BOB)]).toEqual(['5', '5']);
  });
}

function batchesContract(start: Start): void {
  it('lists batches and their uses, newest first, page by page', async () => {
    const driver = start();
    const ids: VoucherBatchId[] = [];
    for (const minute of [0, 0, 1]) ids.push((await driver.issue({ usesPerVoucher: 2 }, later(STORE_NOON, minute))).batch.id);
    const first = await driver.vouchers.list({ limit: 2, cursor: null });
    expect(first?.batches.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const second = await driver.vouchers.list({ limit: 2, cursor: first?.nextCursor ?? '' });
    expect([second?.batches.map(({ id }) => id), second?.nextCursor]).toEqual([[ids[0]], null]);
    expect([await driver.vouchers.list({ limit: 2, cursor: 'x' }), await driver.vouchers.uses(ids[0] as VoucherBatchId, { limit: 2, cursor: 'x' })]).toEqual([null, null]);
    const { batch, texts: [code] } = await driver.issue({ usesPerVoucher: 2 });
    for (const account of [STORE_ALICE, STORE_BOB]) await driver.redeem(account, code);
    const newest = await driver.vouchers.uses(batch.id, { limit: 1, cursor: null });
    expect(newest).toMatchObject({ uses: [{ accountId: STORE_BOB }], nextCursor: '2' });
    expect(await driver.vouchers.uses(batch.id, { limit: 1, cursor: newest?.nextCursor ?? '' })).toMatchObject({ uses: [{ accountId: STORE_ALICE }], nextCursor: null });
  });

  it('revokes the unused codes of a batch once, and audits creation and revocation without naming a code', async () => {
    const driver = start();
    const { batch, texts } = await driver.issue({ vouchers: 2, note: 'for the fair', expiresAt: later(STORE_NOON, MILLISECONDS_PER_DAY) });
    await driver.redeem(STORE_ALICE, texts[0]);
    expect(await driver.elsewhere.revoke(batch.id, voucherBy(later(STORE_NOON, 1)))).toEqual({ ...batch, uses: 1, revokedAt: later(STORE_NOON, 1) });
    expect(await driver.vouchers.revoke(batch.id, voucherBy())).toBeNull();
    expect(await driver.vouchers.revoke('vbatch_none' as VoucherBatchId, voucherBy())).toBeNull();
    expect(await driver.redeem(STORE_BOB, texts[1])).toEqual({ outcome: 'refused' });
    expect(await driver.redeem(STORE_ALICE, texts[0])).toMatchObject({ outcome: 'repeated' });
    const page = await driver.subject.store.auditTrail.list({ ...NO_AUDIT_FILTERS, limit: 10, cursor: null });
    expect(page?.records.filter(({ subject }) => subject === batch.id).map(({ action, details, texts: words }) => ({ action, details, words }))).toEqual([
      { action: 'voucher-batch.revoked', details: { uses: 1 }, words: {} },
      {
        action: 'voucher-batch.created', words: { name: 'Spring' },
        details: { svcTokens: '5', codes: 2, usesPerCode: 1, expiresAt: later(STORE_NOON, MILLISECONDS_PER_DAY), creditExpiresAfterDays: null },
      },
    ]);
    const everything = JSON.stringify(page);
    expect(texts.filter((text) => everything.includes(text))).toEqual([]);
  });
}

const INVALID: readonly (readonly [Partial<CreateVouchers>, string])[] = [
  [{ name: ' ' }, 'name: must be one line of 1 to 200 characters.'],
  [{ note: 'x'.repeat(501) }, 'note: must have at most 500 characters.'],
  [{ vouchers: 0 }, 'code_count: must be from 1 to 10000.'],
  [{ vouchers: MAX_VOUCHERS_PER_BATCH + 1 }, 'code_count: must be from 1 to 10000.'],
  [{ usesPerVoucher: 0 }, 'uses_per_code: must be from 1 to 1000000.'],
  [{ creditExpiresAfterDays: 0 }, 'credit_expires_after_days: must be from 1 to 3650.'],
  [{ expiresAt: STORE_NOON }, 'expires_at: must be in the future.'],
  [{ expiresAt: later(STORE_NOON, 3_650 * MILLISECONDS_PER_DAY + 1) }, 'expires_at: must be at most 3650 days ahead.'],
];

function creationContract(start: Start): void {
  it('stores all codes of a large batch, in several steps', async () => {
    const driver = start();
    const vouchers = VOUCHERS_PER_STEP + 1;
    const { batch, texts } = await driver.issue({ vouchers });
    expect([batch.vouchers, new Set(texts).size]).toEqual([vouchers, vouchers]);
    expect(await driver.redeem(STORE_ALICE, texts.at(-1))).toMatchObject({ outcome: 'redeemed', use: { voucherId: expect.stringMatching(new RegExp(`-${vouchers}$`)) } });
    expect(await driver.redeem(STORE_ALICE, texts[0])).toMatchObject({ outcome: 'redeemed', use: { voucherId: expect.stringMatching(/-1$/) } });
    expect(await driver.balance()).toBe('10');
  });

  it('stores no code of a batch whose creation fails, and removes a batch that a dead process left incomplete', async () => {
    const driver = start();
    const { vouchers: records } = driver.subject.store;
    const unfinished: string[] = [];
    const failing = driver.over(Object.assign(Object.create(records) as typeof records, {
      publish: () => Promise.reject(new Error('no publication')),
      add: async (...args: Parameters<typeof records.add>) => {
        unfinished.push(args[0]);
        await records.add(...args);
      },
    }));
    await expect(failing.create({ name: 'Lost', note: null, amount: TOKENS, vouchers: 3, usesPerVoucher: 1, expiresAt: null, creditExpiresAfterDays: null }, voucherBy())).rejects.toThrow('no publication');
    const anHourLater = later(STORE_NOON, MILLISECONDS_PER_HOUR + 1);
    expect([unfinished.length, await records.unpublished(anHourLater)]).toEqual([1, []]);

    const dead = 'vbatch_dead' as VoucherBatchId;
    const { batch } = await driver.issue();
    await records.begin({ ...batch, id: dead });
    const code = driver.subject.ids.voucherCode();
    await records.add(dead, [{ id: 'voucher_dead-1' as never, hash: driver.subject.tokens.hash(code.reveal()), hint: code.hint() }]);
    expect(await driver.redeem(STORE_ALICE, code.reveal())).toEqual({ outcome: 'refused' });
    expect([await driver.vouchers.find(dead), (await driver.vouchers.list({ limit: 10, cursor: null }))?.batches.map(({ id }) => id)]).toEqual([null, [batch.id]]);
    expect(await driver.vouchers.revoke(dead, voucherBy())).toBeNull();
    await driver.issue({}, later(STORE_NOON, MILLISECONDS_PER_HOUR));
    expect(await records.unpublished(anHourLater)).toEqual([dead]);
    await driver.issue({}, anHourLater);
    expect(await records.unpublished(anHourLater)).toEqual([]);
  });

  it('refuses invalid terms, and names the field', async () => {
    for (const [differences, message] of INVALID) await expect(start().issue(differences)).rejects.toThrow(message);
  });
}
