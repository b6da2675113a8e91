import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { openSqliteStore } from '@tollgate/adapters-sqlite';
import { type AccountId, instant, type ProcessId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { anAccount, anEnding, STORE_ALICE, StoreDriver } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { TollgateFolder } from '../test-support/tollgate-run.js';

const AT = instant(Date.UTC(2026, 2, 5));

interface Listed { readonly statements: readonly { readonly number: number; readonly month: string }[]; readonly has_more: boolean }
interface Verified { readonly accounts: number; readonly statements: number; readonly differences: readonly { readonly number: number | null; readonly fault: string }[] }

let folder: TollgateFolder;
let file: string;

/** Alice has a credit and a charge in March. */
beforeAll(async () => {
  folder = await TollgateFolder.withDatabase();
  file = join(folder.path, 'tollgate.db');
  const store = await openSqliteStore({ file, clock: new ManualClock(AT), processId: 'process_test' as ProcessId });
  const driver = new StoreDriver(store);
  await store.accounts.create(anAccount({ id: STORE_ALICE, email: 'alice@example.test' }), SYSTEM_ACTOR);
  await store.ledger.credit({ accountId: STORE_ALICE, amount: ServiceTokens.parse('100'), reference: 'invoice 7', actor: SYSTEM_ACTOR, at: AT });
  await driver.serve(1, anEnding(10, { endedAt: AT }));
  await store.close();
});
afterAll(() => folder.remove());

describe('statements', () => {
  it('are made once for every completed month, and can be listed and shown', async () => {
    expect((await folder.run('statements', 'list')).out).toContain('They are made an hour after the end of a month.');
    const { made } = await folder.json<{ readonly made: number }>('statements', 'make');
    expect(made).toBeGreaterThan(0);
    expect((await folder.run('statements', 'make')).out).toContain('0 statements were made.');
    const { statements, has_more: hasMore } = await folder.json<Listed>('statements', 'list', '--account', 'alice@example.test', '--month', '2026-03');
    expect([statements, hasMore]).toMatchObject([[{ number: 1, month: '2026-03' }], false]);
    const { out } = await folder.run('statements', 'show', '1');
    expect(out).toMatch(/opening balance +0\n.*\n?/);
    expect(out).toMatch(/charge +1 +-10/);
    expect(out).toMatch(/closing balance +90/);
    expect(out).toMatch(/top-up +\d+ +100 +invoice 7/);
    expect(await folder.run('statements', 'show', '999')).toMatchObject({ exitCode: 1, error: expect.stringContaining('there is no statement 999') });
  });

  it('are exported in each format, a PDF only to a file', async () => {
    expect(JSON.parse((await folder.run('statements', 'export', '1', '--format', 'json')).out)).toMatchObject({ number: 1, closing_balance: '90' });
    expect((await folder.run('statements', 'export', '1', '--format', 'csv')).out).toContain('closing_balance');
    expect(await folder.run('statements', 'export', '1')).toMatchObject({ exitCode: 2, error: expect.stringContaining('--output') });
    const path = join(folder.path, 'march.pdf');
    expect((await folder.run('statements', 'export', '1', '--output', 'march.pdf')).out).toContain(path);
    const first = readFileSync(path);
    expect([first.subarray(0, 5).toString(), statSync(path).mode & 0o777]).toEqual(['%PDF-', 0o600]);
    expect(await folder.run('statements', 'export', '1', '--output', 'march.pdf')).toMatchObject({ exitCode: 2, error: expect.stringMatching(/exists and will be overwritten/) });
    await folder.run('statements', 'export', '1', '--output', 'march.pdf', '--yes');
    expect(readFileSync(path).equals(first)).toBe(true);
  });

  it('are verified against the ledger; a changed statement is named, with exit code 1', async () => {
    expect(await folder.json<Verified>('statements', 'verify')).toMatchObject({ differences: [] });
    expect((await folder.run('statements', 'verify')).out).toMatch(/\d+ statements of \d+ accounts compared with the ledger: no difference\./);
    const direct = new Database(file);
    for (const name of direct.prepare("select name from sqlite_master where type = 'trigger' and tbl_name = 'statements'").pluck().all()) direct.exec(`drop trigger ${String(name)}`);
    direct.exec("update statements set document = replace(document, '\"closing_balance\":\"90\"', '\"closing_balance\":\"91\"') where number = 1");
    direct.close();
    const { exitCode, out } = await folder.run('statements', 'verify');
    expect([exitCode, out]).toEqual([1, expect.stringMatching(/1 +acct_alice +its opening balance and totals do not add up to its closing balance/)]);
  });

  it('that cannot be made are named by `statements make`, with account and reason, and its exit code is 1', async () => {
    const other = await TollgateFolder.withDatabase();
    const path = join(other.path, 'tollgate.db');
    const store = await openSqliteStore({ file: path, clock: new ManualClock(AT), processId: 'process_test' as ProcessId });
    for (const id of ['acct_1', 'acct_2'] as AccountId[]) {
      await store.accounts.create(anAccount({ id, email: `${id}@example.test` }), SYSTEM_ACTOR);
      await store.ledger.credit({ accountId: id, amount: ServiceTokens.parse('100'), reference: id, actor: SYSTEM_ACTOR, at: AT });
    }
    await store.close();
    const direct = new Database(path);
    direct.pragma('ignore_check_constraints = ON');
    for (const name of direct.prepare("select name from sqlite_master where type = 'trigger' and tbl_name = 'ledger_entries'").pluck().all()) direct.exec(`drop trigger ${String(name)}`);
    direct.exec("update ledger_entries set amount = 0.5 where reference = 'acct_1'");
    direct.close();
    const { exitCode, error } = await other.run('statements', 'make');
    other.remove();
    expect([exitCode, error]).toEqual([1, expect.stringMatching(/^Error: the statement of acct_1 for 2026-03 could not be made: TypeError: Cannot mix BigInt/)]);
  });

  it.each([['show', 'x'], ['list', '--month', '2026-13'], ['export', '1', '--format', 'xml'], ['list', '--cursor', '0']])('refuse the invalid arguments %s %s %s', async (...args) => {
    expect((await folder.run('statements', ...args)).exitCode).toBe(2);
  });
});
