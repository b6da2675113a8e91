import { copyFileSync, linkSync, mkdtempSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { type AccountId, GatewayError, isStoreLost, type KeyHash, later, type ProcessId } from '@tollgate/core';
import { STORE_NOON } from '@tollgate/testkit';
import { openSqliteStore, type SqliteStore } from '../open-sqlite-store.js';

const PROCESS = 'process_1' as ProcessId;

let folder: string;
let file: string;
let store: SqliteStore;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-file-'));
  file = join(folder, 'tollgate.db');
  store = await openSqliteStore({ file, clock: new ManualClock(STORE_NOON), processId: PROCESS, role: 'gateway' });
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

async function renewLease(): Promise<void> {
  await store.ledger.checkpoint({ ownerId: PROCESS, progress: new Map(), at: STORE_NOON, leaseExpiresAt: later(STORE_NOON, 15_000) });
}

function refusal(work: Promise<unknown>): Promise<unknown> {
  return work.then(() => null, (thrown: unknown) => thrown);
}

/** Code and cause of each failure that the lost file causes; `false` for other outcomes. */
async function answers(): Promise<readonly unknown[]> {
  const refusals = await Promise.all([
    renewLease(),
    store.ledger.sweep(STORE_NOON),
    store.ledger.balanceOf('acct_1' as AccountId),
    store.keys.findByHash('hash' as KeyHash),
    store.accounts.list({ limit: 1, after: null }),
  ].map(refusal));
  return refusals.map((thrown) => thrown instanceof GatewayError && isStoreLost(thrown) && [thrown.code, messageOf(thrown.cause)]);
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.replace(/;.*/, '') : '';
}

function lost(what: string): readonly unknown[] {
  return Array.from({ length: 5 }, () => ['service_unavailable', `${what} while it is in use`]);
}

describe('a database file in use', () => {
  it('is no longer read or written after a lease renewal finds it deleted', async () => {
    unlinkSync(file);
    await refusal(renewLease());
    expect(await answers()).toEqual(lost(`${file} was deleted`));
  });

  it('is no longer read or written after a lease renewal finds it replaced', async () => {
    copyFileSync(file, `${file}.backup`);
    renameSync(`${file}.backup`, file);
    await refusal(renewLease());
    expect(await answers()).toEqual(lost(`${file} was replaced`));
  });

  it.each(['-wal', '-shm'])('is no longer read or written after a lease renewal finds its %s file deleted', async (ending) => {
    linkSync(`${file}${ending}`, join(folder, 'kept'));
    unlinkSync(`${file}${ending}`);
    await refusal(renewLease());
    expect(await answers()).toEqual(lost(`${file}${ending} was deleted`));
  });

  it('is used again after it was restored', async () => {
    renameSync(file, `${file}.moved`);
    await refusal(renewLease());
    expect(await answers()).toEqual(lost(`${file} was deleted`));
    renameSync(`${file}.moved`, file);
    await renewLease();
    expect(await store.accounts.list({ limit: 1, after: null })).toMatchObject({ accounts: [] });
  });
});
