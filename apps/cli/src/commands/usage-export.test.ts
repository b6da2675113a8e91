import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { openSqliteStore } from '@tollgate/adapters-sqlite';
import type { SqlStore } from '@tollgate/sql-common';
import {
  type AccountId, ALL_ACCOUNTS, type ApiKeyId, later, NO_USAGE_FILTERS, type ProcessId, type RequestId, type ReservationId, ServiceTokens,
} from '@tollgate/core';
import { anEnding, requestFacts } from '@tollgate/testkit';
import { encodeOperatorUsageRecord, usageExportForm } from '@tollgate/wire-kit';
import { type CreatedAccount, TollgateFolder } from '../test-support/tollgate-run.js';

const GATEWAY = 'process_gateway' as ProcessId;
const AMOUNT = ServiceTokens.parse('400');

let folder: TollgateFolder;
let ada: CreatedAccount;
/** The expected export of all records in each format. */
let everything: { readonly csv: string; readonly ndjson: string };

async function serve(store: SqlStore, number: number, owner: CreatedAccount, attribution: string | null): Promise<void> {
  const facts = requestFacts({ requestId: `req_${number}` as RequestId, accountId: owner.account.id as AccountId, keyId: owner.key.id as ApiKeyId, attribution });
  const reservationId = `rsv_${number}` as ReservationId;
  const at = facts.startedAt;
  await store.ledger.reserve({ reservationId, ownerId: GATEWAY, amount: AMOUNT, floor: AMOUNT, facts, expiresAt: later(at, 60_000) });
  await store.ledger.settle({ reservationId, ending: anEnding(number, { endedAt: later(at, number * 1_000) }) });
}

beforeAll(async () => {
  folder = await TollgateFolder.withDatabase();
  const make = (name: string): Promise<CreatedAccount> => folder.json('accounts', 'create', '--email', `${name}@example.test`, '--name', name, '--credit', '1000');
  ada = await make('ada');
  const bob = await make('bob');
  const store = await openSqliteStore({ file: join(folder.path, 'tollgate.db'), clock: new ManualClock(), processId: GATEWAY });
  await serve(store, 1, ada, '=cmd');
  await serve(store, 2, bob, null);
  await serve(store, 3, ada, 'ann');
  const records = (await store.usage.list({ ...NO_USAGE_FILTERS, accountId: ALL_ACCOUNTS, limit: 100, cursor: null }))?.records ?? [];
  await store.close();
  const { head, line } = usageExportForm('csv', { reader: 'operator', bom: true });
  everything = { csv: head + records.map(line).join(''), ndjson: records.map((record) => `${JSON.stringify(encodeOperatorUsageRecord(record))}\n`).join('') };
});
afterAll(() => folder.remove());

const filesOf = (): readonly string[] => readdirSync(folder.path).filter((name) => name.startsWith('usage')).toSorted();

/** Ids of the requests in an NDJSON export with these options. */
async function exported(...options: readonly string[]): Promise<readonly string[]> {
  const { exitCode, out, error } = await folder.run('usage', 'export', '--format', 'ndjson', ...options);
  expect([exitCode, error]).toEqual([0, '']);
  return out.split('\n').filter(Boolean).map((line) => (JSON.parse(line) as { readonly request_id: string }).request_id);
}

describe('usage export', () => {
  it('writes only the records to standard output, newest first, as CSV or NDJSON', async () => {
    expect(await folder.run('usage', 'export', '--all')).toEqual({ exitCode: 0, out: everything.csv, error: '' });
    expect(await folder.run('usage', 'export', '--all', '--format', 'ndjson', '--json')).toEqual({ exitCode: 0, out: everything.ndjson, error: '' });
    expect(everything.csv).toContain(",'=cmd,");
    expect(everything.csv.startsWith('\uFEFFaccount_id,')).toBe(true);
    expect((await folder.run('usage', 'export', '--all', '--no-bom')).out).toBe(everything.csv.slice(1));
  });

  it.each([
    [['--account', 'ada@example.test'], ['req_3', 'req_1']],
    [['--all', '--user', 'ann'], ['req_3']],
    [['--all', '--model', 'large'], []],
    [['--all', '--from', '2026-11-18T12:00:02Z'], ['req_3', 'req_2']],
    [['--all', '--to', '2026-11-18T12:00:02Z'], ['req_1']],
  ])('with the options %j contains the requests %j', async (options, requests) => {
    expect(await exported(...options)).toEqual(requests);
  });

  it('of one key contains only the requests of that key', async () => {
    expect(await exported('--all', '--key', ada.key.id)).toEqual(['req_3', 'req_1']);
  });

  it('writes a file readable by its owner only, prints its path, and shows progress at a terminal', async () => {
    const { exitCode, out, progress } = await folder.runWatched('usage', 'export', '--all', '--output', 'usage.csv');
    const file = join(folder.path, 'usage.csv');
    expect([exitCode, out, progress]).toEqual([0, `3 records in ${file}\n`, ['3 records exported']]);
    expect(readFileSync(file, 'utf8')).toBe(everything.csv);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(filesOf()).toEqual(['usage.csv']);
  });

  it('overwrites a file only after a confirmation or with --yes', async () => {
    const file = join(folder.path, 'usage.ndjson');
    writeFileSync(file, 'mine');
    const argv = ['usage', 'export', '--all', '--format', 'ndjson', '--output', 'usage.ndjson'];
    expect(await folder.run(...argv)).toMatchObject({ exitCode: 2, out: '', error: expect.stringContaining('exists and will be overwritten. Repeat the command with --yes') });
    expect(await folder.runAnswering('n', ...argv)).toMatchObject({ exitCode: 1, asked: `${file} exists and will be overwritten. Continue? [y/N] ` });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(await folder.json(...argv, '--yes')).toEqual({ file, records: 3 });
    expect(readFileSync(file, 'utf8')).toBe(everything.ndjson);
  });

  it('leaves no file after a failure', async () => {
    const taken = join(folder.path, 'usage-folder');
    mkdirSync(taken);
    expect(await folder.run('usage', 'export', '--all', '--output', 'usage-folder', '--yes')).toMatchObject({ exitCode: 2, error: `error: option '--output <file>': ${taken} is not a file\n` });
    expect(await folder.run('usage', 'export', '--account', 'acct_none', '--output', 'usage-none.csv')).toMatchObject({ exitCode: 1, out: '' });
    expect(existsSync(join(folder.path, 'usage-none.csv'))).toBe(false);
    expect(filesOf().filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it.each([
    [[], 'error: exactly one of the options --account and --all is needed\n'],
    [['--all', '--account', 'ada@example.test'], 'error: exactly one of the options --account and --all is needed\n'],
    [['--all', '--format', 'xml'], "error: option '--format <format>' argument 'xml' is invalid. Allowed choices are csv, ndjson.\n"],
  ])('with %j is a misuse', async (options, error) => {
    expect(await folder.run('usage', 'export', ...options)).toEqual({ exitCode: 2, out: '', error });
  });
});
