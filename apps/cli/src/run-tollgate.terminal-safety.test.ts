import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { openSqliteStore } from '@tollgate/adapters-sqlite';
import { type AccountId, type ApiKeyId, later, type ProcessId, type RequestId, type ReservationId, ServiceTokens } from '@tollgate/core';
import { aServedModel, anEnding, requestFacts } from '@tollgate/testkit';
import { type CreatedAccount, TollgateFolder } from './test-support/tollgate-run.js';

/** Clears the screen, sets the window title, reverses text and forges a line. */
const HOSTILE = '\u001b[2J\u009b31m\u001b]0;owned\u0007\u202e\r\nerror: forged';
/** What a terminal may receive: printable characters, and line breaks between lines. */
const HARMLESS = /^(?:\n|\P{Cc})*$/u;
const TURNED = '\u202e';

let folder: TollgateFolder;
let account: CreatedAccount['account'];

beforeEach(async () => {
  folder = await TollgateFolder.withDatabase();
  const created = await folder.json<CreatedAccount>('accounts', 'create', '--email', 'ada@example.test', '--name', 'Ada', '--credit', '1000');
  account = created.account;
  await serveRequest(created);
});
afterEach(() => folder.remove());

/** Serves one request with a client's user name that contains terminal escapes. */
async function serveRequest({ account: { id }, key }: CreatedAccount): Promise<void> {
  const clock = new ManualClock();
  const processId = 'process_gateway' as ProcessId;
  const store = await openSqliteStore({ file: join(folder.path, 'tollgate.db'), clock, processId });
  const facts = requestFacts({ requestId: 'req_1' as RequestId, accountId: id as AccountId, keyId: key.id as ApiKeyId, attribution: HOSTILE });
  const reservationId = 'rsv_1' as ReservationId;
  await store.ledger.reserve({ reservationId, ownerId: processId, amount: ServiceTokens.parse('400'), floor: ServiceTokens.parse('400'), facts, expiresAt: later(clock.now(), 60_000) });
  await store.ledger.settle({ reservationId, ending: anEnding(10, { service: aServedModel({}), endedAt: later(clock.now(), 1000) }) });
  await store.close();
}

describe('text from clients', () => {
  it.each([
    [['usage', 'list']], [['usage', 'show', 'req_1']],
    [['usage', 'summary', '--by', 'user', '--from', '2026-11-18', '--to', '2026-11-19']],
  ])('is escaped by %j, in tables and in JSON', async ([group = '', command = '', ...more]) => {
    for (const form of [[], ['--json']]) {
      const { out, exitCode } = await folder.run(group, command, account.id, ...more, ...form);
      expect(exitCode).toBe(0);
      expect(out).toMatch(HARMLESS);
      expect(out).not.toMatch(/^error: forged/m);
      expect(out).not.toContain(TURNED);
    }
  });

  it('does not shift the columns or lines of a table', async () => {
    const { out } = await folder.run('usage', 'summary', account.id, '--by', 'user', '--from', '2026-11-18', '--to', '2026-11-19');
    const [headings = '', row = '', ...rest] = out.split('\n');
    expect(rest).toEqual(['']);
    expect(row.startsWith('\\u001b[2J\\u009b31m\\u001b]0;owned\\u0007\\u202e\\u000d\\u000aerror: forged  ')).toBe(true);
    expect(row.lastIndexOf('0.1')).toBe(headings.indexOf('USD'));
  });

  it('is unchanged after JSON output is parsed', async () => {
    const { usage } = await folder.json<{ usage: readonly { user: string }[] }>('usage', 'list', account.id);
    expect(usage.map(({ user }) => user)).toEqual([HOSTILE]);
  });

  it('is escaped in errors too', async () => {
    for (const form of [[], ['--json']]) {
      const { error } = await folder.run('accounts', 'show', `${HOSTILE}@example.test`, ...form);
      expect(error).toContain('\\u009b31m');
      expect(error).toMatch(HARMLESS);
    }
  });
});

describe('names', () => {
  it('of accounts and keys are escaped', async () => {
    await folder.run('accounts', 'create', '--email', 'eve@example.test', '--name', 'Eve\u202e');
    await folder.run('keys', 'create', account.id, '--name', 'key\u202e');
    for (const call of [['accounts', 'list'], ['accounts', 'show', account.id], ['keys', 'list', account.id]]) {
      const { out } = await folder.run(...call);
      expect(out).toMatch(HARMLESS);
      expect(out).not.toContain('\u202e');
    }
    for (const call of [['accounts', 'list'], ['keys', 'list', account.id]]) expect((await folder.run(...call)).out).toContain('\\u202e');
  });

  it('with control characters are refused', async () => {
    for (const call of [['accounts', 'create', '--email', 'eve@example.test', '--name', 'Eve\u001b[2J'], ['keys', 'create', account.id, '--name', 'key\u001b[2J']]) {
      const { exitCode, error } = await folder.run(...call);
      expect(exitCode).not.toBe(0);
      expect(error).toMatch(HARMLESS);
    }
  });
});
