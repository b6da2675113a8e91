import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSqliteStore } from '@tollgate/adapters-sqlite';
import { SystemClock } from '@tollgate/adapters-node';
import { instant, later, PAY_AS_YOU_GO, type ProcessId, SYSTEM_ACTOR } from '@tollgate/core';
import { MAIL_RANKS } from '@tollgate/identity';
import type { SqlStore } from '@tollgate/sql-common';
import { anAccount, aStoredMail } from '@tollgate/testkit';
import { join } from 'node:path';
import { TollgateFolder } from '../test-support/tollgate-run.js';

interface Listed { readonly id: string; readonly kind: string; readonly to: string; readonly state: string; readonly error_reason: string | null; readonly resendable: boolean }

/** The real time: the hourly limit counts only messages of the past hour. */
const NOW = instant(Date.now());
let folder: TollgateFolder;

async function withStore(use: (store: SqlStore) => Promise<void>): Promise<void> {
  const store = await openSqliteStore({ file: join(folder.path, 'tollgate.db'), clock: new SystemClock(), processId: 'process_gateway' as ProcessId });
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

beforeAll(async () => {
  folder = await TollgateFolder.withDatabase();
  await folder.json('operators', 'create', 'ada@example.test');
  await withStore(async ({ mail, accounts }) => {
    await accounts.create(anAccount({ email: 'bob@other.test', planId: PAY_AS_YOU_GO }), SYSTEM_ACTOR);
    await mail.store(aStoredMail(1, { kind: 'reset-password', to: 'ada@example.test', storedAt: later(NOW, -3000) }));
    await mail.store(aStoredMail(2, { kind: 'balance-low', to: 'bob@other.test', storedAt: later(NOW, -2000) }));
    const [first, second] = await mail.claim({ at: NOW, leaseExpiresAt: later(NOW, 1000), most: 9, ranks: MAIL_RANKS });
    if (first !== undefined) await mail.finish(first, { state: 'given-up', failure: '550 5.1.1' }, NOW);
    if (second !== undefined) await mail.finish(second, { state: 'delivered' }, NOW);
  });
});
afterAll(() => folder.remove());

const listed = (...options: readonly string[]) => folder.json<{ readonly mail: readonly Listed[]; readonly next_cursor: string | null }>('mail', 'list', ...options);

describe('mail list', () => {
  it('states the recipient, whether the message was delivered, and why not', async () => {
    const { out } = await folder.run('mail', 'list');
    expect(out).toMatch(/^mail_1 .* reset-password +ada@example\.test +given-up +1 .* the address does not exist \(550 5\.1\.1\)$/m);
    expect((await listed()).mail).toMatchObject([{ id: 'mail_2', state: 'delivered', resendable: false }, { id: 'mail_1', state: 'given-up', error_reason: 'no-such-address', resendable: true }]);
  });

  it.each([
    [['--state', 'given-up'], ['mail_1']], [['--kind', 'balance-low'], ['mail_2']], [['--to', 'TEST'], ['mail_2', 'mail_1']], [['--account', 'bob@other.test'], ['mail_2']], [['--limit', '1'], ['mail_2']],
    [['--cursor', 'mail_2'], ['mail_1']],
  ])('filters by %j', async (options, ids) => {
    expect((await listed(...options)).mail.map(({ id }) => id)).toEqual(ids);
  });

  it.each([[['--kind', 'newsletter'], 2, /It must be one of verify-address, /], [['--cursor', 'mail_9'], 1, /there is no message mail_9/]] as const)('given %j, exits with code %i', async (options, exitCode, error) => {
    expect(await folder.run('mail', 'list', ...options)).toMatchObject({ exitCode, error: expect.stringMatching(error) });
  });
});

describe('mail resend', () => {
  it('queues a message again, and says why some kinds of messages cannot be sent again', async () => {
    expect(await folder.json('mail', 'resend', 'mail_1')).toEqual({ id: 'mail_1', to: 'ada@example.test', queued: true });
    expect((await listed('--state', 'waiting')).mail).toMatchObject([{ kind: 'reset-password', to: 'ada@example.test' }]);
    expect(await folder.run('mail', 'resend', 'mail_2')).toMatchObject({ exitCode: 1, error: 'error: mail_2: This kind of message cannot be sent again, because its contents are erased.\n' });
    expect((await folder.run('audit', 'list')).out).toContain('person.mailed-again');
  });
});
