import { rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type PostgresServer, startNetworkProxy, until } from '@tollgate/testkit/programs';
import { viewPostgres } from '../books/database-view.js';
import { readPaid } from '../customers/paid-by-receipts.js';
import { type FaultSight, onExit, type RoundOptions } from './fault-round.js';
import { FaultWorld } from './fault-world.js';
import type { FaultyGateway } from './faulty-gateway.js';
import { FeedReader } from './feed-reader.js';
import { Standby, startServer } from './standby.js';

const LOAD_MILLISECONDS = 3000;
/** Time in which gateways must notice the failover; they look every 5 s. */
const NOTICE_MILLISECONDS = 20_000;
const SET_BACK_LINE = /"level":(?:50|"error").*the database was set back|the database was set back.*"level":(?:50|"error")/;
const SET_BACK_METRIC = 'tollgate_database_set_back_total';

/** Violations: the gateway does not report, in its log and metrics, that its database has lost acknowledged entries. */
async function silenceOf(gateway: FaultyGateway, name: string): Promise<readonly string[]> {
  const times = await gateway.metric(SET_BACK_METRIC).catch(() => null);
  return [
    ...SET_BACK_LINE.test(gateway.log) ? [] : [`${name} has no error line that the database was set back`],
    ...times !== null && times > 0 ? [] : [`${name} counts ${times ?? 'no'} ${SET_BACK_METRIC}`],
  ];
}

async function silences(gateways: readonly FaultyGateway[]): Promise<readonly string[]> {
  return (await Promise.all(gateways.map((gateway, seat) => silenceOf(gateway, `gateway ${seat}`)))).flat();
}

/** A symbolic link to the socket folder of the active server: first the primary's, after the failover the standby's. */
class Pair {
  private readonly place: string;

  constructor(readonly primary: PostgresServer) {
    this.place = `${dirname(primary.socket)}-current`;
    this.pointTo(primary.socket);
  }

  get socket(): string {
    return `${this.place}/.s.PGSQL.5432`;
  }

  get url(): string {
    return `postgresql://tollgate@/postgres?host=${encodeURIComponent(this.place)}`;
  }

  pointTo(socket: string): void {
    this.remove();
    symlinkSync(dirname(socket), this.place);
  }

  remove(): void {
    rmSync(this.place, { force: true });
  }
}

/**
 * Stops replication, waits until gateways have read the newest entries, calls `beforeCrash`, and promotes the standby. Resolves with the time of the
 * crash.
 */
async function promoteLagging(pair: Pair, standby: Standby, beforeCrash: () => Promise<void>): Promise<number> {
  await standby.catchUp(pair.primary.url());
  await standby.lag();
  await pause(2 * LOAD_MILLISECONDS);
  await beforeCrash();
  await pair.primary.crash();
  await standby.promote();
  pair.pointTo(standby.socket);
  return performance.now();
}

/** All findings except those about payments, and a note of how many receipts were lost. */
async function sightOf(world: FaultWorld, lostUntil: number, reader: FeedReader): Promise<FaultSight> {
  const booked = new Set((await readPaid(world.view)).requests.map(({ requestId }) => requestId));
  const lost = world.outcomes.filter(({ sentAt, receipt }) => sentAt < lostUntil && receipt !== null && !booked.has(receipt.requestId)).length;
  const served = world.outcomes.some(({ sentAt, status }) => sentAt > lostUntil && status === 200);
  const violations = [
    ...await silences(world.gateways), ...(await Promise.all(world.gateways.map(({ url }) => reader.continued(url)))).flat(), ...lost > 0 ? [] : ['no receipt was lost, so the round shows nothing'], ...served ? [] : ['no request was served after the failover'],
  ];
  return { world, lostUntil, notes: [`${lost} receipts were lost with the primary; cursors of both feeds from before are refused`], violations };
}

/** Promotes, under load, a standby that lacks seconds of acknowledged commits. Each gateway must report that, and refuse cursors to lost entries. */
export async function failOver(options: RoundOptions): Promise<FaultSight> {
  const primary = await startServer(options);
  const pair = new Pair(primary);
  const cancel = onExit(() => pair.remove());
  options.defer(() => {
    cancel();
    pair.remove();
  });
  const network = await startNetworkProxy(pair.socket);
  options.defer(() => network.stop());
  const standby = await Standby.of(primary, options);
  const world = await FaultWorld.create({ ...options, databaseUrl: primary.url(), view: viewPostgres(pair.url) });
  const throughNetwork = { DATABASE_URL: `postgresql://tollgate@127.0.0.1:${network.port}/postgres` };
  const first = await world.startGateway(throughNetwork);
  await world.startGateway(throughNetwork);
  const reader = new FeedReader(await world.createShopMachine());
  const load = world.startLoad();
  await pause(LOAD_MILLISECONDS);
  const lostUntil = await promoteLagging(pair, standby, async () => {
    await reader.signUp(first.url, 'lost');
    await reader.readAll(first.url);
  });
  network.cut();
  await until(async () => (await silences(world.gateways)).length === 0, NOTICE_MILLISECONDS).catch(() => undefined);
  await pause(LOAD_MILLISECONDS);
  await load.stop();
  // The event of this account, and the settlements since the failover, get positions that lost entries had.
  await reader.signUp(first.url, 'later');
  return sightOf(world, lostUntil, reader);
}
