import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { AccountEvent } from '@tollgate/core';
import { openSession } from '../program/operator-session.js';
import { type CreatedAccount, TollgateFolder } from '../test-support/tollgate-run.js';
import { followEvents } from './event-commands.js';

interface Events {
  readonly events: readonly { readonly type: string; readonly account_id: string | null; readonly data: Readonly<Record<string, unknown>> }[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

let folder: TollgateFolder;
let ada: CreatedAccount;

beforeEach(async () => {
  folder = await TollgateFolder.withDatabase();
  ada = await folder.json<CreatedAccount>('accounts', 'create', '--email', 'ada@example.test', '--name', 'Ada');
});
afterEach(() => folder.remove());

const typesOf = ({ events }: Events): readonly string[] => events.map(({ type }) => type);

it('the command events shows the events that other commands caused, page by page', async () => {
  await folder.json('accounts', 'credit', 'ada@example.test', '5', '--reference', 'invoice 7');
  await folder.json('platform', 'maintenance', 'on', '--yes');
  const first = await folder.json<Events>('events', '--limit', '2');
  expect([typesOf(first), first.has_more]).toEqual([['account.created', 'key.created'], true]);
  const rest = await folder.json<Events>('events', '--cursor', first.next_cursor ?? '');
  expect([typesOf(rest), rest.has_more]).toEqual([['balance.booked', 'maintenance.started'], false]);
  expect(rest.events[0]).toMatchObject({ account_id: ada.account.id, data: { kind: 'top-up', amount: '5', reference: 'invoice 7' } });
  expect(typesOf(await folder.json<Events>('events', '--types', 'key.created,balance.booked', '--account', 'ada@example.test'))).toEqual(['key.created', 'balance.booked']);
});

it('the command events prints a table by default', async () => {
  const { out } = await folder.run('events', '--limit', '1');
  expect(out).toMatch(/^AT +TYPE +ACCOUNT +NUMBER +DATA\n(?:just now|\d+ s ago) +account\.created +acct_\S+ +1 +plan_id=\S+\nThere are more: --cursor \S+\n$/);
});

it.each([
  [['--cursor', 'x'], 2, 'is not a cursor of the feed'], [['--types', 'account.exploded'], 2, 'It must name one or more of account.created'],
  [['--cursor', Buffer.from(`1 evt_${'0'.repeat(32)}`).toString('base64url')], 1, 'the feed does not continue from this cursor'],
])('refuses %j', async (options, exitCode, message) => {
  const run = await folder.run('events', ...options);
  expect([run.exitCode, run.error.includes(message)]).toEqual([exitCode, true]);
});

it('the command events writes every event once with --follow', async () => {
  const session = await openSession({ environment: folder.environment, folder: folder.path, userName: 'olga' }, null);
  const written: AccountEvent[] = [];
  let looks = 0;
  const wait = async (): Promise<boolean> => {
    looks += 1;
    if (looks === 1) await folder.json('accounts', 'credit', 'ada@example.test', '5', '--reference', 'invoice 7');
    return looks < 3;
  };
  await followEvents(session, { limit: 1 }, { write: async (event) => void written.push(event), wait });
  await session.close();
  expect(written.map(({ type }) => type)).toEqual(['account.created', 'key.created', 'balance.booked']);
});
