import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { openSqliteStore } from '@tollgate/adapters-sqlite';
import {
  type AccountId, type ApiKeyId, later, type ModelSlug, type ProcessId, type RequestId, type ReservationId, ServiceTokens,
} from '@tollgate/core';
import { anEnding, aServedModel, requestFacts } from '@tollgate/testkit';
import { type CreatedAccount, TollgateFolder } from '../test-support/tollgate-run.js';

let folder: TollgateFolder;
beforeEach(async () => {
  folder = await TollgateFolder.withDatabase();
  await serveRequests();
});
afterEach(() => folder.remove());

/** Settles three requests, as a running gateway would have done. */
async function serveRequests(): Promise<void> {
  const { account, key } = await folder.json<CreatedAccount>('accounts', 'create', '--email', 'ada@example.test', '--name', 'Ada', '--credit', '1000');
  const clock = new ManualClock();
  const store = await openSqliteStore({ file: join(folder.path, 'tollgate.db'), clock, processId: 'process_gateway' as ProcessId });
  for (const [number, tokens] of [[1, 10], [2, 20], [3, 300]] as const) {
    const facts = requestFacts({
      requestId: `req_${number}` as RequestId, accountId: account.id as AccountId, keyId: key.id as ApiKeyId, attribution: number === 3 ? 'bob' : null,
    });
    const reservationId = `rsv_${number}` as ReservationId;
    await store.ledger.reserve({
      reservationId, ownerId: 'process_gateway' as ProcessId, amount: ServiceTokens.parse('400'), floor: ServiceTokens.parse('400'), facts, expiresAt: later(clock.now(), 60_000),
    });
    const service = aServedModel({ servedBy: (number === 3 ? 'large' : 'small') as ModelSlug });
    await store.ledger.settle({ reservationId, ending: anEnding(tokens, { service, endedAt: later(clock.now(), number * 1_000) }) });
  }
  await store.close();
}

interface UsageList { readonly usage: readonly { readonly request_id: string; readonly svc_tokens_debited: string }[]; readonly next_cursor: string | null }

describe('usage', () => {
  it('list shows records newest first, page by page, with amounts as text', async () => {
    const first = await folder.json<UsageList>('usage', 'list', 'ada@example.test', '--limit', '2');
    expect(first.usage.map(({ request_id, svc_tokens_debited }) => [request_id, svc_tokens_debited])).toEqual([['req_3', '300'], ['req_2', '20']]);
    const second = await folder.json<UsageList>('usage', 'list', 'ada@example.test', '--limit', '2', '--cursor', String(first.next_cursor));
    expect(second).toMatchObject({ usage: [{ request_id: 'req_1' }], next_cursor: null });
  });

  it.each([
    [['--model', 'large'], ['req_3']],
    [['--user', 'bob'], ['req_3']],
    [['--key', 'key_other'], []],
    [['--to', '2026-11-18T12:00:02Z'], ['req_1']],
    [['--from', '2026-11-18T12:00:02Z'], ['req_3', 'req_2']],
  ])('list with the options %j shows the requests %j', async (filter, requests) => {
    const { usage } = await folder.json<UsageList>('usage', 'list', 'ada@example.test', ...filter);
    expect(usage.map(({ request_id }) => request_id)).toEqual(requests);
  });

  it('show explains a charge line by line', async () => {
    expect(await folder.json('usage', 'show', 'ada@example.test', 'req_3')).toMatchObject({
      usage: { request_id: 'req_3', model: 'large', end_reason: 'completed', usage: { output_tokens: 300 } },
      charge: { computed: '300', debited: '300', written_off: '0', usd: '3' },
    });
    const { out } = await folder.run('usage', 'show', 'ada@example.test', 'req_3');
    expect(out).toMatch(/^output +300 +1000000 +10000 +300$/m);
    expect(out).toMatch(/^Charged: +300 service tokens$/m);
  });

  it('summary groups the sums by day or by model', async () => {
    const summary = (by: string): Promise<unknown> =>
      folder.json('usage', 'summary', 'ada@example.test', '--by', by, '--from', '2026-11-18', '--to', '2026-11-19');
    expect(await summary('day')).toMatchObject({ buckets: [{ group: '2026-11-18', requests: 3, svc_tokens_debited: '330', svc_cost_usd: '3.3' }] });
    expect(await summary('model')).toMatchObject({ buckets: [{ group: 'large', requests: 1 }, { group: 'small', requests: 2, output_tokens: 30 }] });
  });
});

describe('ledger verify', () => {
  it('exits with 1 and names the difference if a balance was changed by SQL', async () => {
    expect(await folder.json('ledger', 'verify')).toMatchObject({ usage_records: 3, differences: [] });
    const database = new DatabaseSync(join(folder.path, 'tollgate.db'));
    database.exec('UPDATE accounts SET balance = balance + 1 WHERE email = \'ada@example.test\'');
    database.close();
    const { exitCode, out } = await folder.run('ledger', 'verify');
    expect(exitCode).toBe(1);
    expect(out).toMatch(/^I3 +acct_\w+ +670 +670\.000001$/m);
  });
});

describe('ledger explain', () => {
  it('exits with 1 and names the difference if an entry was changed by SQL', async () => {
    expect(await folder.json('ledger', 'explain', 'req_3')).toMatchObject({ agrees: true, disagreements: [] });
    const database = new DatabaseSync(join(folder.path, 'tollgate.db'));
    database.exec('DROP TRIGGER ledger_entries_no_update');
    database.exec("UPDATE ledger_entries SET amount = amount + 1 WHERE request_id = 'req_3'");
    database.close();
    const { exitCode, out } = await folder.run('ledger', 'explain', 'req_3');
    expect(exitCode).toBe(1);
    expect(out).toContain('These do NOT agree:\n  charge in the ledger: expected 300, found 300.000001\n');
    const told = await folder.run('ledger', 'explain', 'req_3', '--json');
    expect([told.exitCode, JSON.parse(told.out)]).toEqual([1, expect.objectContaining({
      agrees: false, disagreements: [{ what: 'charge in the ledger', expected: '300', found: '300.000001' }],
    })]);
  });

  it('exits with 1 for an unknown request, and with 2 if none is given', async () => {
    expect(await folder.run('ledger', 'explain', 'req_9')).toMatchObject({ exitCode: 1, out: '', error: expect.stringMatching(/^error: the ledger has no request or reservation req_9/) });
    expect(await folder.run('ledger', 'explain')).toMatchObject({ exitCode: 2, out: '', error: expect.stringContaining("missing required argument 'request'") });
  });
});
