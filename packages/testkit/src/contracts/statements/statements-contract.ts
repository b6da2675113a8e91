import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';
import {
  type AccountErasure, type AccountId, type ApiKeyId, type Clock, type Ending, type Instant, instant, type MadeStatements, type ModelSlug, type MoneyAct, type NamedStatement, ServiceTokens,
  STATEMENT_DELAY_MILLISECONDS, type StatementIssuer, type StatementQuery, type StatementRecords, type StatementSummary, Statements, SYSTEM_ACTOR, verifyAllStatements,
} from '@tollgate/core';
import { anApiKey, anEnding, aServedModel } from '../../builders/builders.js';
import { deleteAccount, OWNER, requestId, STORE_ALICE, STORE_BOB, StoreDriver, type StoreSubject } from '../store-subject.js';

/** One empty database, opened by two processes. */
export interface StatementsSubject extends StoreSubject {
  readonly erasure: AccountErasure;
  readonly statements: StatementRecords;
  readonly other: { readonly statements: StatementRecords };
}

const YEAR = 2026;
const MODEL = 'small' as ModelSlug;
const ISSUER: StatementIssuer = { name: 'Example Ltd', address: '1 High Street', tax_number: 'GB 1' };
const KEY = anApiKey({ accountId: STORE_ALICE, name: 'of Alice' });

/** An instant in 2026. January is month 1. */
export function statedAt(month: number, day: number, hour = 12): Instant {
  return instant(Date.UTC(YEAR, month - 1, day, hour));
}

export function afterMonth(month: number): Instant {
  return instant(Date.UTC(YEAR, month, 1) + STATEMENT_DELAY_MILLISECONDS);
}

/** Prints the number and the name of the account, so that a test sees whether a file contains names. */
function printed(statement: NamedStatement): Promise<Uint8Array> {
  return Promise.resolve(new TextEncoder().encode(`${statement.number} ${statement.names?.account.name ?? 'without names'}`));
}

export function statementsOf(records: StatementRecords, now: Instant): Statements {
  const clock: Pick<Clock, 'now'> = { now: () => now };
  return new Statements({ records, printers: { csv: printed, pdf: printed }, issuer: ISSUER, clock: clock as Clock });
}

/** Makes all statements that are due at this time, and collects the failures. */
export async function makeStatements(records: StatementRecords, now: Instant): Promise<MadeStatements & { readonly failures: readonly unknown[] }> {
  const failures: unknown[] = [];
  const made = await statementsOf(records, now).makeAll((failure) => failures.push(failure));
  return { ...made, failures };
}

const EVERYTHING: StatementQuery = { accountId: null, month: null, before: null, limit: 100 };

function shown({ number, accountId, month, opening, closing }: StatementSummary): string {
  return `${number} ${accountId} ${month} ${opening} ${closing}`;
}

interface Act {
  readonly amount: string;
  readonly at: Instant;
  readonly reference: string;
  readonly accountId?: AccountId;
}

export function statementsContract(name: string, make: () => Promise<StatementsSubject>): void {
  describe(`StatementRecords contract: ${name}`, () => {
    let store: StatementsSubject;
    let driver: StoreDriver;

    beforeEach(async () => {
      store = await make();
      driver = await StoreDriver.start(() => store);
      await store.keys.create({ key: KEY, maximumActive: 5, maximumPerHour: 5, actor: SYSTEM_ACTOR });
    });

    /** Checks after each test that the books balance and agree with the statements. */
    afterEach(async () => {
      const [{ differences }, verified] = await Promise.all([store.ledgerAudit.verify(), verifyAllStatements(store.statements)]);
      await driver.close();
      expect([differences, verified.differences]).toEqual([[], []]);
    });

    async function book(kind: 'top-up' | 'raise' | 'lower', { amount, at, reference, accountId = STORE_ALICE }: Act): Promise<void> {
      const act = { accountId, amount: ServiceTokens.parse(amount), reference, reason: null, actor: SYSTEM_ACTOR, at };
      const booked: MoneyAct = kind === 'top-up' ? { ...act, kind } : { ...act, kind: 'correction', direction: kind };
      expect((await store.ledger.book(booked)).outcome).toBe('booked');
    }

    function ending(charge: number, endedAt: Instant, model = MODEL): Ending {
      return anEnding(charge, { endedAt, service: aServedModel({ servedBy: model }) });
    }

    async function makeAll(month: number): Promise<number> {
      return (await makeStatements(store.statements, afterMonth(month))).made;
    }

    async function stated(query: Partial<StatementQuery> = {}): Promise<readonly string[]> {
      return (await store.statements.list({ ...EVERYTHING, ...query })).statements.map(shown).toReversed();
    }

    it('makes no statement of an empty ledger, and none before the month has ended', async () => {
      expect(await makeAll(3)).toBe(0);
      await book('top-up', { amount: '5', at: statedAt(3, 2), reference: 'a' });
      expect([await makeStatements(store.statements, instant(afterMonth(3) - 1)), await stated()]).toEqual([{ made: 0, outcome: 'done', failures: [] }, []]);
      expect([await makeAll(3), await stated()]).toEqual([1, [`1 ${STORE_ALICE} 2026-03 0 5`]]);
    });

    it('states what was booked: credits, charges by day, model and key, refunds and corrections', async () => {
      await book('top-up', { amount: '100', at: statedAt(3, 1, 0), reference: 'invoice 7' });
      await driver.serve(1, ending(10, statedAt(3, 2)), { keyId: KEY.id });
      await driver.serve(2, ending(5, statedAt(3, 2, 23)), { keyId: KEY.id });
      await driver.serve(3, ending(2, statedAt(3, 2), 'large' as ModelSlug), { keyId: KEY.id });
      await driver.serve(4, ending(1, statedAt(3, 31, 23)), { keyId: 'key_other' as ApiKeyId });
      await driver.serve(5, ending(50, statedAt(4, 1, 0)), { keyId: KEY.id });
      await store.ledger.book({ kind: 'refund', requestId: requestId(1), accountId: STORE_ALICE, amount: ServiceTokens.parse('3'), reference: 'sorry', reason: null, actor: SYSTEM_ACTOR, at: statedAt(3, 9) });
      await book('lower', { amount: '4', at: statedAt(3, 10), reference: 'too much' });
      expect(await makeAll(3)).toBe(1);
      const found = await store.statements.find(1);
      expect(found).toEqual({
        object: 'statement', version: 1, number: 1, account_id: STORE_ALICE, month: '2026-03', made_at: '2026-04-01T01:00:00.000Z', issuer: ISSUER,
        opening_balance: '0', closing_balance: '81',
        totals: [
          { kind: 'charge', entries: 4, svc_tokens: '-18' }, { kind: 'correction', entries: 1, svc_tokens: '-4' },
          { kind: 'refund', entries: 1, svc_tokens: '3' }, { kind: 'top-up', entries: 1, svc_tokens: '100' },
        ],
        charges: [
          { day: '2026-03-02', model: 'large', key_id: KEY.id, entries: 1, svc_tokens: '-2' },
          { day: '2026-03-02', model: 'small', key_id: KEY.id, entries: 2, svc_tokens: '-15' },
          { day: '2026-03-31', model: 'small', key_id: 'key_other', entries: 1, svc_tokens: '-1' },
        ],
        entries: [
          { entry: expect.any(String), day: '2026-03-01', kind: 'top-up', svc_tokens: '100', request_id: null },
          { entry: expect.any(String), day: '2026-03-09', kind: 'refund', svc_tokens: '3', request_id: 'req_1' },
          { entry: expect.any(String), day: '2026-03-10', kind: 'correction', svc_tokens: '-4', request_id: null },
        ],
        entries_not_listed: 0,
        names: { account: { name: expect.any(String), email: expect.any(String) }, keys: { [KEY.id]: 'of Alice' }, references: expect.any(Object) },
      });
      expect(Object.values(found?.names?.references ?? {})).toEqual(['invoice 7', 'sorry', 'too much']);
      expect(await makeAll(4)).toBe(1);
      expect(await stated()).toEqual([`1 ${STORE_ALICE} 2026-03 0 81`, `2 ${STORE_ALICE} 2026-04 81 31`]);
    });

    it('states a late charge in the month in which it was booked', async () => {
      await book('top-up', { amount: '100', at: statedAt(3, 1), reference: 'a' });
      await driver.reserve(1, '5', { facts: { keyId: KEY.id } });
      await store.ledger.retire(OWNER);
      await store.ledger.sweep(statedAt(3, 5));
      await driver.settle(1, ending(7, statedAt(4, 2)));
      await makeAll(4);
      const [march, april] = [await store.statements.find(1), await store.statements.find(2)];
      expect([march?.closing_balance, april?.closing_balance]).toEqual(['100', '93']);
      expect(april?.totals).toEqual([{ kind: 'late-charge', entries: 1, svc_tokens: '-7' }]);
      expect(april?.charges).toEqual([{ day: '2026-04-02', model: 'small', key_id: KEY.id, entries: 1, svc_tokens: '-7' }]);
    });

    it('includes a booking that was committed after the month’s statement in the statement of the next month', async () => {
      await book('top-up', { amount: '100', at: statedAt(3, 1), reference: 'a' });
      await makeAll(3);
      await driver.serve(1, ending(3, statedAt(3, 31, 23)));
      await driver.serve(2, ending(4, statedAt(3, 2)));
      await driver.serve(3, ending(5, statedAt(4, 3)));
      await makeAll(4);
      expect(await stated()).toEqual([`1 ${STORE_ALICE} 2026-03 0 100`, `2 ${STORE_ALICE} 2026-04 100 88`]);
      expect((await store.statements.find(2))?.charges.map(({ day }) => day)).toEqual(['2026-03-02', '2026-03-31', '2026-04-03']);
    });

    it('leaves a booking of the next month to the next statement, although a booking of this month followed it', async () => {
      await book('top-up', { amount: '9', at: statedAt(3, 1), reference: 'a' });
      await book('top-up', { amount: '1', at: statedAt(4, 1, 0), reference: 'b' });
      await book('top-up', { amount: '2', at: statedAt(3, 31, 23), reference: 'c' });
      await makeAll(4);
      expect(await stated()).toEqual([`1 ${STORE_ALICE} 2026-03 0 11`, `2 ${STORE_ALICE} 2026-04 11 12`]);
    });

    it('makes a statement of an account that has a balance or an entry, and of no other', async () => {
      await book('top-up', { amount: '5', at: statedAt(3, 2), reference: 'a' });
      await book('top-up', { amount: '5', at: statedAt(3, 2), reference: 'b', accountId: STORE_BOB });
      await book('lower', { amount: '5', at: statedAt(4, 2), reference: 'c', accountId: STORE_BOB });
      expect(await makeAll(6)).toBe(6);
      expect(await stated({ accountId: STORE_BOB })).toEqual([`2 ${STORE_BOB} 2026-03 0 5`, `4 ${STORE_BOB} 2026-04 5 0`]);
      expect(await stated({ month: '2026-06' as StatementQuery['month'] })).toEqual([`6 ${STORE_ALICE} 2026-06 5 5`]);
      expect(await stated({ before: 3 })).toHaveLength(2);
      expect(await store.statements.list({ ...EVERYTHING, limit: 2 })).toMatchObject({ hasMore: true, statements: [{ number: 6 }, { number: 5 }] });
    });

    it('numbers statements without gaps and states each month once if two processes make statements concurrently', async () => {
      for (const accountId of [STORE_ALICE, STORE_BOB]) await book('top-up', { amount: '5', at: statedAt(3, 2), reference: 'a', accountId });
      const [one, other] = [store.statements, store.other.statements];
      const made = await Promise.all([one, other, one].map((records) => makeStatements(records, afterMonth(8))));
      const rest = await makeStatements(other, afterMonth(8));
      expect([...made, rest].reduce((sum, step) => sum + step.made, 0)).toBe(12);
      const numbers = (await store.statements.list(EVERYTHING)).statements.map(({ number }) => number);
      expect(numbers).toEqual(Array.from({ length: 12 }, (_, index) => 12 - index));
      expect(await store.other.statements.find(12)).toEqual(await store.statements.find(12));
    });

    it('keeps a file as it was first generated, and finds a statement only under its own account', async () => {
      await book('top-up', { amount: '5', at: statedAt(3, 2), reference: 'a' });
      await makeAll(3);
      const statements = statementsOf(store.statements, afterMonth(3));
      const file = { number: 1, format: 'pdf', hasNames: true } as const;
      const first = await statements.file(1, 'pdf', STORE_ALICE);
      expect(await store.other.statements.keepFile(file, new Uint8Array([1, 2, 3]))).toEqual(first);
      expect(await store.statements.file({ ...file, format: 'csv' })).toBeNull();
      expect([await statements.find(1, STORE_BOB), await statements.file(1, 'pdf', STORE_BOB), await statements.find(2, null)]).toEqual([null, null, null]);
    });

    it('names no person after an erasure, neither in earlier statements and files nor in the last statement', async () => {
      await book('top-up', { amount: '5', at: statedAt(11, 2), reference: 'for Alice' });
      await makeAll(10);
      await deleteAccount(store, STORE_ALICE);
      await makeAll(11);
      await book('top-up', { amount: '5', at: statedAt(11, 2), reference: 'for Bob', accountId: STORE_BOB });
      const statements = statementsOf(store.statements, afterMonth(12));
      await makeAll(12);
      const text = (bytes: Uint8Array | null): string => new TextDecoder().decode(bytes ?? new Uint8Array());
      expect(text(await statements.file(2, 'pdf', STORE_BOB))).toBe(`2 ${(await store.statements.find(2))?.names?.account.name}`);
      await deleteAccount(store, STORE_BOB);
      await store.erasure.eraseLeftovers(STORE_BOB);
      expect(await store.statements.keepFile({ number: 2, format: 'csv', hasNames: true }, new Uint8Array([1]))).toBeNull();
      expect(text(await statements.file(2, 'pdf', STORE_BOB))).toBe('2 without names');
      const all = await Promise.all([1, 2].map((number) => store.statements.find(number)));
      expect(all.map((statement) => statement?.names)).toEqual([null, null]);
      expect(all[0]).toMatchObject({ closing_balance: '0', totals: [{ kind: 'forfeiture', svc_tokens: '-5' }, { kind: 'top-up', svc_tokens: '5' }] });
      expect(JSON.stringify(all)).not.toMatch(/for (Alice|Bob)|@/);
    });
  });
}
