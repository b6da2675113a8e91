import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PAGE_SIZES } from '@tollgate/core';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { type CreatedAccount, TollgateFolder } from '../test-support/tollgate-run.js';

interface Entry {
  readonly number: number;
  readonly actor: unknown;
  readonly origin: unknown;
  readonly action: string;
  readonly texts: unknown;
}
interface AuditList { readonly entries: readonly Entry[]; readonly next_cursor: string | null }

const MOST = PAGE_SIZES.audit.commandLine.most;

let folder: TollgateFolder;
let ada: CreatedAccount;

beforeEach(async () => {
  folder = await TollgateFolder.withDatabase();
  ada = await folder.json<CreatedAccount>('accounts', 'create', '--email', 'ada@example.test', '--name', 'Ada');
});
afterEach(() => folder.remove());

async function makeOperator(name: string): Promise<{ readonly id: string; readonly email: string }> {
  return folder.json('operators', 'create', `${name}@example.test`);
}

describe('audit list', () => {
  it('lists acts on an account, newest first, page by page', async () => {
    await folder.json('accounts', 'credit', 'ada@example.test', '5', '--reference', 'invoice 7');
    const first = await folder.json<AuditList>('audit', 'list', '--account', 'ada@example.test', '--limit', '2');
    expect(first.entries.map(({ number, action }) => [number, action])).toEqual([[3, 'account.credited'], [2, 'key.created']]);
    expect(first.entries[0]).toMatchObject({
      actor: { kind: 'operator', id: 'command-line' }, origin: { place: 'command-line', user: 'olga', address: null, via: null }, account_id: ada.account.id,
      details: { kind: 'top-up', amount: '5', reference: 'invoice 7' },
    });
    const rest = await folder.json<AuditList>('audit', 'list', '--account', ada.account.id, '--limit', '2', '--cursor', first.next_cursor ?? '');
    expect([rest.entries.map(({ number }) => number), rest.next_cursor]).toEqual([[1], null]);
  });

  it('prints a table by default', async () => {
    await folder.json('accounts', 'rename', ada.account.id, 'Ada Lovelace', '--as', 'billing-job');
    const { out } = await folder.run('audit', 'list', '--limit', '1');
    expect(out).toMatch(/^ENTRY +AT +ACTOR +FROM +ACTION +SUBJECT +DETAILS\n +3 +(?:just now|\d+ s ago) +operator billing-job +command-line olga +account\.changed +acct_\S+ +name=Ada Lovelace\nThere are more: --cursor \S+\n$/);
  });

  it('names the machine whose sign-in link the actor of an act had used', async () => {
    const connection = new Database(join(folder.path, 'tollgate.db'));
    connection.exec("DROP TRIGGER audit_entries_no_update; UPDATE audit_entries SET origin = 'gateway', via = 'machine:mach_1'");
    connection.close();
    expect((await folder.json<AuditList>('audit', 'list')).entries[0]).toMatchObject({ origin: { place: 'gateway', via: 'machine:mach_1' } });
    expect((await folder.run('audit', 'list')).out).toMatch(/ via machine:mach_1 +key\.created /);
  });

  it('filters by actor, action and time', async () => {
    const { id } = await makeOperator('grace');
    await folder.json('platform', 'block-network', '192.0.2.0/24', '--reason', 'abuse', '--as', 'grace@example.test');
    const filtered = async (...filter: readonly string[]): Promise<readonly string[]> =>
      (await folder.json<AuditList>('audit', 'list', ...filter)).entries.map(({ action }) => action);
    expect(await filtered('--actor', 'Grace@example.test')).toEqual(['network.blocked']);
    expect(await filtered('--actor', id)).toEqual(['network.blocked']);
    expect(await filtered('--actor', 'system')).toEqual([]);
    expect(await filtered('--action', 'key.created')).toEqual(['key.created']);
    expect(await filtered('--from', '1h', '--actor', 'operator')).toContain('network.blocked');
    expect(await filtered('--to', '1h', '--actor', 'operator')).toEqual([]);
  });

  it.each([
    [['--cursor', 'junk'], 'is not a cursor'], [['--limit', String(MOST + 1)], `from 1 to ${MOST}`], [['--limit', '0'], `from 1 to ${MOST}`],
  ])('refuses %j', async (options, message) => {
    expect(await folder.run('audit', 'list', ...options)).toMatchObject({ exitCode: 2, error: expect.stringContaining(message) });
  });
});

it.each(['nobody@example.test', 'ada@example.test', 'person_nobody', 'a name'])('an act with --as %j, which names no operator, is refused and stores no audit entry', async (as) => {
  expect(await folder.run('platform', 'maintenance', 'on', '--yes', '--as', as)).toMatchObject({ exitCode: 2, error: expect.stringContaining('--as') });
  expect((await folder.json<AuditList>('audit', 'list')).entries).toHaveLength(2);
});

describe('accounts delete', () => {
  it('refuses the account of the last operator, also with --now, until there is another operator', async () => {
    const { email } = await makeOperator('grace');
    const refusal = { exitCode: 1, out: '', error: expect.stringMatching(/^error: last_operator: account acct_\S+ belongs to the last operator and cannot be deleted; make another operator first\n$/) };
    expect(await folder.run('accounts', 'delete', email)).toEqual(refusal);
    expect(await folder.run('accounts', 'delete', email, '--now', '--yes')).toEqual(refusal);
    expect(await folder.json('accounts', 'show', email)).toMatchObject({ account: { standing: 'good', email } });
    const other = await makeOperator('omar');
    await folder.json('accounts', 'delete', email, '--now', '--yes');
    expect(await folder.json('operators', 'list')).toMatchObject({ operators: [{ id: other.id }] });
  });

  it('erases names and reasons from the audit log, which stays valid', async () => {
    await folder.json('accounts', 'rename', ada.account.id, 'Ada Lovelace');
    await folder.json('accounts', 'correct', ada.account.id, '+1', '--reason', 'Ada called');
    await folder.json('accounts', 'delete', ada.account.id, '--now', '--yes');
    const { out } = await folder.run('audit', 'list', '--account', ada.account.id, '--json');
    expect(out).toContain('account.changed');
    expect(out).not.toMatch(/Lovelace|called/);
    expect(await folder.run('audit', 'verify')).toMatchObject({ exitCode: 0 });
  });
});
