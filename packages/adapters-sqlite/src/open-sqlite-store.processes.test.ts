import { execFile } from 'node:child_process';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AccountId, later, type ModelSlug, type ProcessId, ServiceTokens, SYSTEM_ACTOR, UNTIL_UNBLOCKED } from '@tollgate/core';
import {
  anAccount, anApiKey, anEnding, changeStanding, MAINTENANCE, receiptOf, reservationId, STORE_ALICE, STORE_NOON, StoreDriver,
} from '@tollgate/testkit';
import Database from 'better-sqlite3';
import type { SqliteStore } from './open-sqlite-store.js';
import { storeFile, type StoreFile } from './test-support/stores.js';

const run = promisify(execFile);
const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const COMMAND_LINE = 'process_cli' as ProcessId;
const EARLIER = 'process_earlier' as ProcessId;

/** Runs the SQL in a separate process, and returns its process id. In the SQL, `@pid` stands for that id. */
async function inAnotherProcess(file: string, statements: string): Promise<number> {
  const program = `
    import Database from 'better-sqlite3';
    const connection = new Database(process.argv[1], { timeout: 5000 });
    connection.exec(process.argv[2].replaceAll('@pid', String(process.pid)));
    process.stdout.write(String(process.pid));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program, file, statements], { cwd: import.meta.dirname, env: {} });
  return Number(stdout);
}

describe('a database that several processes use', () => {
  let place: StoreFile;
  let driver: StoreDriver;
  let gateway: SqliteStore;

  beforeEach(async () => {
    place = storeFile();
    gateway = await place.open();
    driver = await StoreDriver.start(() => gateway);
    await driver.credit('100');
    await gateway.keys.create({ key: anApiKey(), maximumActive: 5, maximumPerHour: 5, actor: SYSTEM_ACTOR });
  });

  afterEach(async () => {
    await driver.close();
    place.remove();
  });

  it('refuses a key at the next request after another process has revoked it', async () => {
    expect((await gateway.keys.findByHash(anApiKey().hash))?.key.revokedAt).toBeNull();
    await inAnotherProcess(place.file, 'UPDATE api_keys SET revoked_at = 7');
    expect((await gateway.keys.findByHash(anApiKey().hash))?.key.revokedAt).toBe(7);
  });

  it('shows, at the next read, the settings that another process has changed', async () => {
    const other = await place.open(COMMAND_LINE);
    expect(gateway.platform.current()).toMatchObject({ maintenance: null });
    await other.controls.setMaintenance(MAINTENANCE, BY);
    await other.controls.blockNetwork('10.0.0.0/8', UNTIL_UNBLOCKED, BY);
    await other.controls.setIncidentLimit({ model: 'small' as ModelSlug, setAt: BY.at, requestsPerMinute: 1, tokensPerMinute: null, concurrentRequests: null, expiresAt: null }, BY);
    await changeStanding(other.accounts, STORE_ALICE, { status: 'suspended' }, BY);
    expect(gateway.platform.current()).toMatchObject({ maintenance: MAINTENANCE });
    expect(gateway.platform.current().isNetworkBlocked('10.1.2.3', BY.at)).toBe(true);
    expect(gateway.platform.current().incidentLimits.size).toBe(1);
    expect((await gateway.keys.findByHash(anApiKey().hash))?.account.status).toBe('suspended');
    await other.close();
  });

  it('spends no balance twice when two processes reserve concurrently', async () => {
    const other = await place.open(COMMAND_LINE);
    const drivers = [driver, new StoreDriver(other)];
    const outcomes = await Promise.all(Array.from({ length: 60 }, (_, number) => drivers[number % 2]?.reserve(number, '10')));
    expect(outcomes.filter((outcome) => outcome?.outcome === 'reserved')).toHaveLength(10);
    expect((await gateway.ledgerAudit.verify()).differences).toEqual([]);
    await other.close();
  });

  it('releases the whole reservation, including an extension by another process', async () => {
    const other = await place.open(COMMAND_LINE);
    await driver.reserve(1, '5');
    await other.ledger.extend(reservationId(1), ServiceTokens.parse('3'));
    expect(receiptOf(await driver.settle(1, anEnding(7)))).toEqual(['7', '0.07', '0']);
    expect(await driver.balance()).toBe('93/0/93');
    expect((await gateway.ledgerAudit.verify()).differences).toEqual([]);
    await other.close();
  });

  it('settles requests while other processes write', async () => {
    const other = await place.open(COMMAND_LINE);
    await Promise.all(Array.from({ length: 40 }, async (_, number) => {
      await other.accounts.create(anAccount({ id: `acct_${number}` as AccountId, email: `${number}@example.test` }), SYSTEM_ACTOR);
      await driver.serve(number, anEnding(1));
    }));
    expect(await driver.balance()).toBe('60/0/60');
    expect((await other.ledgerAudit.verify()).differences).toEqual([]);
    await other.close();
  });

  it('ends the reservations of a dead process on this machine even before its lease expires', async () => {
    await driver.reserve(1, '10', { owner: EARLIER });
    const lease = `INSERT INTO process_leases (process_id, expires_at, host, pid, start_marker) VALUES ('${EARLIER}', ${later(STORE_NOON, 60_000)}, '${hostname()}', @pid, NULL)`;
    await inAnotherProcess(place.file, lease);
    expect(await gateway.ledger.sweep(STORE_NOON)).toHaveLength(1);
    expect(await driver.balance()).toBe('100/0/100');
  });

  it.each([
    ['on another machine', `'elsewhere', 2147483647, NULL`],
    ['that runs', `'${hostname()}', ${process.pid}, NULL`],
    ['that does not say where it runs', 'NULL, NULL, NULL'],
  ])('does not sweep the reservations of a process %s until its lease has expired', async (_, identity) => {
    await driver.reserve(1, '10', { owner: EARLIER });
    const direct = new Database(place.file);
    direct.exec(`INSERT INTO process_leases (process_id, expires_at, host, pid, start_marker) VALUES ('${EARLIER}', ${later(STORE_NOON, 60_000)}, ${identity})`);
    direct.close();
    expect(await gateway.ledger.sweep(later(STORE_NOON, 59_999))).toHaveLength(0);
    expect(await gateway.ledger.sweep(later(STORE_NOON, 60_000))).toHaveLength(1);
  });

  it('distinguishes a process from an earlier one with the same process id', async () => {
    await driver.reserve(1, '10', { owner: EARLIER });
    const direct = new Database(place.file);
    direct.exec(`INSERT INTO process_leases (process_id, expires_at, host, pid, start_marker) VALUES ('${EARLIER}', ${later(STORE_NOON, 60_000)}, '${hostname()}', ${process.pid}, 'another start')`);
    direct.close();
    expect(await gateway.ledger.sweep(STORE_NOON)).toHaveLength(process.platform === 'linux' ? 1 : 0);
  });

  it('counts its own process as alive until it closes, even after its lease has expired', async () => {
    await driver.reserve(1, '10', { owner: 'process_store' as ProcessId });
    expect(await gateway.ledger.sweep(later(STORE_NOON, 60_000))).toHaveLength(0);
    await gateway.close();
    gateway = await place.open(COMMAND_LINE);
    expect(await gateway.ledger.sweep(STORE_NOON)).toHaveLength(1);
    driver = new StoreDriver(gateway);
    expect(receiptOf(await driver.settle(1, anEnding(3)))[0]).toBe('3');
  });
});
