import { expect, test } from '@jest/globals';
import { VARIABLES } from '@tollgate/adapters-config';
import { MAX_NAMES } from '@tollgate/core';
import { MAIL_BOUNDS, MAX_WAITING as MAX_WAITING_HASHES, NETWORK_BOUNDS, SIGNUP_CREDITS_PER_NETWORK } from '@tollgate/identity';
import { MAX_AT_A_TIME as MAILS_AT_A_TIME } from '../../apps/gateway/src/background/mail-delivery.js';
import { MAX_AT_ONCE as LOOK_UPS_AT_ONCE, MAX_FOR_BUSY_NETWORKS, MAX_FOR_STRANGERS } from '../../apps/gateway/src/dashboard/call/background-work.js';
import { MAX_KNOWN, MAX_READ_AT_ONCE, MAX_WAITING as MAX_WAITING_BALANCES } from '../../apps/gateway/src/http/account-funds.js';
import { SHARES } from '../../apps/gateway/src/http/body-budget.js';
import { DISCARDED_BYTES_PER_SECOND } from '../../apps/gateway/src/http/discard-pace.js';
import { MAX_WAITING, MAX_WAITING_OF_HOLDER, MAX_WAITING_UNFUNDED } from '../../apps/gateway/src/http/waiting-requests.js';
import { UNFUNDED_SHARE } from '../../apps/gateway/src/http/body-rooms.js';
import { MIN_REST } from '../../apps/gateway/src/http/server/connection-limits.js';
import { SHARE_OF_BUSY_NETWORKS } from '../../apps/gateway/src/http/server/network-shares.js';
import { MAX_CUTS } from '../../apps/gateway/src/http/upload-cuts.js';
import { MAX_LIVE_STREAMS } from '../../apps/gateway/src/live/live-feed.js';
import { MAX_ACCOUNTS } from '../../apps/gateway/src/live/refusal-counts.js';
import { MAX_MODELS as MAX_HEALTH_RECORDS } from '../../apps/gateway/src/observability/upstream-health.js';
import { MAX_METRICS_CONNECTIONS } from '../../apps/gateway/src/observability/metrics-server.js';
import { MAX_WAITING_LOADS } from '../../apps/gateway/src/routes/generation/stored-loads.js';
import { MAX_NAMES as MAX_COUNTED_NAMES } from '../../packages/adapters-memory/src/memory-counter.js';
import { MAX_AT_ONCE as HASHES_AT_ONCE } from '../../packages/adapters-node/src/argon2-hasher.js';
import { MAX_CHARACTERS, MAX_WAITING_ENTRIES as MAX_WAITING_KEYS } from '../../packages/adapters-node/src/outbox-idempotency.js';
import { MAX_RELEASES } from '../../packages/adapters-node/src/release-queue.js';
import { MAX_WAITING_ENTRIES } from '../../packages/adapters-node/src/settlement-queue.js';
import { MAX_GROUP as MAX_MONEY_GROUP } from '../../packages/adapters-postgres/src/ledger/money-queue.js';
import { MONEY_CONNECTIONS, OTHER_CONNECTIONS } from '../../packages/adapters-postgres/src/connection/store-pools.js';
import { MAX_LONG_READS } from '../../packages/adapters-postgres/src/postgres-script-runner.js';
import { MAX_GROUP as MAX_COMMIT } from '../../packages/adapters-sqlite/src/durability/group-commit.js';
import { MAX_LONG_READS as LONG_READS_OVER_SQLITE } from '../../packages/adapters-sqlite/src/reading/shared-background-reader.js';
import { HOLDERS_KEPT } from '../../packages/adapters-sqlite/src/reading/sqlite-key-directory.js';
import { KEPT_SHARE } from '../../packages/adapters-upstream/src/http/connection-places.js';
import { DEFAULT_SERVER_OPTIONS } from '../../packages/adapters-upstream/src/http/default-options.js';
import { MAX_CIRCUITS } from '../../packages/adapters-upstream/src/routing/circuit.js';
import { MAX_LISTS } from '../../packages/json-text/src/list-cache.js';
import { MAX_WAITING_READS } from '../../packages/sql-common/src/script/reading-turns.js';
import { ATTACKS } from '../../tools/siege/src/attacks/attacks.js';
import { CHECKS } from '../../tools/siege/src/checks/checks.js';
import { MAX_TASKS_OF_TURN } from '../../apps/gateway/src/http/turn-queue.js';
import { readDocument, tableRows } from './documents.js';

const PAGE = readDocument('docs/siege.md');
const ROOM_BYTES = Number(VARIABLES.BODY_BYTES_IN_FLIGHT.default);

const DEFAULTS: Readonly<Record<string, number | 'none'>> = {
  'Connections': Number(VARIABLES.MAX_CONNECTIONS.default),
  'Connections that networks with many requests have busy': Number(VARIABLES.MAX_CONNECTIONS.default) * SHARE_OF_BUSY_NETWORKS,
  'Descriptors kept for the database and files': MIN_REST,
  'Connections to an upstream': DEFAULT_SERVER_OPTIONS.maxConnections ?? 'none',
  'Connections of a network': Number(VARIABLES.MAX_CONNECTIONS_PER_ADDRESS.default),
  'Connections of the metrics': MAX_METRICS_CONNECTIONS,
  'Room for large bodies': ROOM_BYTES,
  'Room for small bodies': ROOM_BYTES,
  'Room of one holder': ROOM_BYTES / SHARES,
  'Requests that wait for room': MAX_WAITING,
  'Requests of one holder that wait for room': MAX_WAITING_OF_HOLDER,
  'Reads, and bodies above 8 KiB that are parsed, in a turn of the event loop': MAX_TASKS_OF_TURN,
  'Accounts whose balance is to be read': MAX_WAITING_BALANCES,
  'Balances that are read at a time': MAX_READ_AT_ONCE,
  'Accounts whose balance is known': MAX_KNOWN,
  'Uploads that one order cuts off': MAX_CUTS,
  'Refused bodies that are read on': DISCARDED_BYTES_PER_SECOND,
  'Names of unbilled work': MAX_NAMES,
  'Names of attempts': MAX_COUNTED_NAMES,
  'Loads of stored responses that wait': MAX_WAITING_LOADS,
  'Password hashes at a time': HASHES_AT_ONCE,
  'Password hashes that wait': MAX_WAITING_HASHES,
  'Look-ups in the background': LOOK_UPS_AT_ONCE,
  'Look-ups in the background for strangers': MAX_FOR_STRANGERS,
  'Look-ups in the background for busy networks': MAX_FOR_BUSY_NETWORKS,
  'Tries of a network in a minute': NETWORK_BOUNDS[0]?.most ?? Number.NaN,
  'Sign-up credits of a network in a day': SIGNUP_CREDITS_PER_NETWORK,
  'Waiting mail': MAIL_BOUNDS.all,
  'Waiting mail for people': MAIL_BOUNDS.people,
  'Waiting mail for recipients with mail': MAIL_BOUNDS.repeated,
  'Waiting mail for unverified addresses': MAIL_BOUNDS.unverified,
  'Waiting mail for unverified addresses of busy domains': MAIL_BOUNDS.unverifiedOfBusyDomains,
  'Waiting mail of a domain': MAIL_BOUNDS.unverifiedOfDomain,
  'Deliveries of mail at a time': MAILS_AT_A_TIME,
  'Live views': MAX_LIVE_STREAMS,
  'Long reads at a time over PostgreSQL': MAX_LONG_READS,
  'Long reads at a time over SQLite': LONG_READS_OVER_SQLITE,
  'Long reads that wait': MAX_WAITING_READS,
  'Connections to PostgreSQL for money': MONEY_CONNECTIONS,
  'Connections to PostgreSQL for all else': OTHER_CONNECTIONS,
  'Money operations of a group': MAX_MONEY_GROUP,
  'Operations of a commit': MAX_COMMIT,
  'Settlements in the outbox': MAX_WAITING_ENTRIES,
  'Releases in the outbox': MAX_RELEASES,
  'Replies in the outbox': MAX_CHARACTERS,
  'Ends of idempotency keys in the outbox': MAX_WAITING_KEYS,
  'Circuits': MAX_CIRCUITS,
  'Key holders in memory': HOLDERS_KEPT,
  'Refusal counts': MAX_ACCOUNTS,
  'Models whose health is shown': MAX_HEALTH_RECORDS,
  'Lists of tools in memory': MAX_LISTS,
};

test('siege.md states the default of each bound that clients share', () => {
  const stated = tableRows(PAGE, 'shared-bounds').map(([bound, , byDefault]) => [bound, byDefault]);
  expect(stated).toEqual(Object.entries(DEFAULTS).map(([bound, value]) => [bound, value.toLocaleString('en-US')]));
});

test('siege.md states which shares of the bounds are reserved for other clients', () => {
  const left = Object.fromEntries(tableRows(PAGE, 'shared-bounds').map(([bound = '', , , , , , share]) => [bound, share]));
  const beyond = (whole: number, part: number): string => (whole - part).toLocaleString('en-US');
  const quarter = 'A quarter, for accounts with a balance';
  expect(1 - UNFUNDED_SHARE).toBe(1 / 4);
  expect(KEPT_SHARE).toBe(1 / 4);
  expect(left).toMatchObject({
    'Connections to an upstream': 'A quarter, at least one, for accounts of which no call runs there',
    'Room for large bodies': quarter,
    'Room for small bodies': quarter,
    'Requests that wait for room': `${MAX_WAITING - MAX_WAITING_UNFUNDED}, for accounts with a balance`,
    'Look-ups in the background': `${LOOK_UPS_AT_ONCE - MAX_FOR_STRANGERS}, for known browsers`,
    'Look-ups in the background for busy networks': `${MAX_FOR_STRANGERS - MAX_FOR_BUSY_NETWORKS}, for networks of which nothing runs`,
    'Waiting mail for people': `${beyond(MAIL_BOUNDS.all, MAIL_BOUNDS.people)}, for operators`,
    'Waiting mail for recipients with mail': `${beyond(MAIL_BOUNDS.people, MAIL_BOUNDS.repeated)}, for recipients for whom none waits`,
    'Waiting mail for unverified addresses': `${beyond(MAIL_BOUNDS.people, MAIL_BOUNDS.unverified)}, for verified people`,
    'Waiting mail for unverified addresses of busy domains': `${beyond(MAIL_BOUNDS.unverified, MAIL_BOUNDS.unverifiedOfBusyDomains)}, for other domains`,
  });
});

test('mail.md states the maximum number of waiting messages', () => {
  const { all, people, repeated, unverified, unverifiedOfBusyDomains, unverifiedOfDomain, domainIsBusyFrom } = MAIL_BOUNDS;
  const stated = tableRows(readDocument('docs/mail.md'), 'mail-bounds');
  const bounds = [all, people, repeated, unverified, unverifiedOfBusyDomains, unverifiedOfDomain];
  expect(stated.map(([, bound]) => bound)).toEqual(bounds.map((bound) => bound.toLocaleString('en-US')));
  expect(stated[4]?.[0]).toBe(`For unverified addresses of a domain for which ${domainIsBusyFrom} wait`);
});

test('siege.md names only existing attacks and checks, and explains each bound without an attack or check', () => {
  const known: readonly string[] = ['–', ...ATTACKS.map(({ id }) => id), ...CHECKS.map(({ id }) => id)];
  const named = tableRows(PAGE, 'shared-bounds').flatMap((row) => row.at(-1)?.split(', ') ?? []);
  expect(named.filter((id) => !known.includes(id))).toEqual([]);
  const without = tableRows(PAGE, 'shared-bounds').filter((row) => row.at(-1) === '–').map(([bound]) => bound);
  expect(tableRows(PAGE, 'bounds-without-attack').map(([bound]) => bound)).toEqual(without);
});
