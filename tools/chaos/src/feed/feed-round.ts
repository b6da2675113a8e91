import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { SystemClock } from '@tollgate/adapters-node';
import { createMachine, ROOT } from '@tollgate/kit';
import { SeededRandom, until } from '@tollgate/testkit/programs';
import type { DatabaseView } from '../books/database-view.js';
import { openBeside } from '../books/open-beside.js';
import { seedAccounts } from '../books/seed-accounts.js';
import { chaosCatalogue } from '../catalogue/chaos-catalogue.js';
import { Fleet } from '../gateways/fleet.js';
import type { SetupName } from '../setups/setup.js';
import { type Deferring, type FeedGround, openGround } from './feed-ground.js';
import { type FeedReader, httpReader, logReader, readUntil } from './feed-readers.js';
import { FeedWriters } from './feed-writers.js';
import { inspectFeed, type FeedFindings } from './inspect-feed.js';

const WRITERS = 4;
const ACCOUNTS = 40;
const THRESHOLDS = ['75', '50', '25'];
/** A port on which nothing listens; the round sends no request to a model. */
const NO_UPSTREAM = 9;
/** Number of events that must be read between two kills. Writers that have not started yet thus delay the next kill. */
const EVENTS_PER_KILL = { least: 100, most: 1_500 } as const;
const SHARE_OF_GATEWAYS = 0.15;
const KILL_LOOK_MILLISECONDS = 20;
const LOOK_MILLISECONDS = 500;
const PROGRESS_MILLISECONDS = 10_000;
const MOST_STALLED_MILLISECONDS = 120_000;
const MOST_QUIET_MILLISECONDS = 60_000;

interface FeedRoundOptions {
  readonly name: SetupName;
  readonly folder: string;
  readonly events: number;
  readonly seed: number;
  readonly progress: (text: string) => void;
}

export interface FeedRound extends FeedFindings {
  readonly database: SetupName;
  readonly seconds: number;
  readonly writersKilled: number;
  readonly gatewaysKilled: number;
}

class Round {
  private writersKilled = 0;
  private gatewaysKilled = 0;
  private readonly violations: string[] = [];
  private readonly restarts: Promise<unknown>[] = [];
  private isOver = false;

  constructor(
    private readonly options: FeedRoundOptions, private readonly random: SeededRandom,
    private readonly parts: { readonly view: DatabaseView; readonly ground: FeedGround; readonly writers: FeedWriters; readonly fleet: Fleet; readonly readers: readonly FeedReader[] },
  ) {}

  /** Runs the round until all readers have reached the end of the feed. */
  async run(): Promise<Pick<FeedRound, 'writersKilled' | 'gatewaysKilled'> & { readonly violations: readonly string[] }> {
    const { writers, readers, fleet } = this.parts;
    for (let seat = 0; seat < WRITERS; seat += 1) writers.start(seat);
    const reading = readers.map((reader) => readUntil(reader, () => this.isOver, (text) => void this.violations.push(text)));
    const killing = this.killForever();
    await this.waitForEvents();
    this.isOver = true;
    await killing;
    await writers.killAll();
    await Promise.all([...reading, ...this.restarts]);
    await until(async () => await this.count(this.parts.ground.running) === 0, MOST_QUIET_MILLISECONDS);
    for (const reader of readers) await reader.catchUp();
    if (await fleet.stop() > 0) this.violations.push('a gateway did not stop by itself');
    const { writersKilled, gatewaysKilled, violations } = this;
    return { writersKilled, gatewaysKilled, violations };
  }

  private async count(query: string): Promise<number> {
    const [[[cell] = []] = []] = await this.parts.view.read([query]);
    return Number(cell);
  }

  private async waitForEvents(): Promise<void> {
    const { name, events, progress } = this.options;
    const startedAt = performance.now();
    let [written, grewAt, toldAt] = [0, startedAt, startedAt];
    while (written < events) {
      await pause(LOOK_MILLISECONDS);
      const now = performance.now();
      const count = await this.count('select count(*) from events');
      if (count > written) [written, grewAt] = [count, now];
      if (now - grewAt > MOST_STALLED_MILLISECONDS) throw new Error(`no event was written for ${MOST_STALLED_MILLISECONDS / 1000} s`);
      if (now - toldAt < PROGRESS_MILLISECONDS) continue;
      toldAt = now;
      progress(`${name}: ${written} events, ${this.writersKilled} writers and ${this.gatewaysKilled} gateways killed, ${Math.round((now - startedAt) / 1000)} s`);
    }
  }

  private async killForever(): Promise<void> {
    const { fleet, ground: { gateways } } = this.parts;
    for (;;) {
      await this.waitForReader(this.random.between(EVENTS_PER_KILL.least, EVENTS_PER_KILL.most));
      if (this.isOver) return;
      const hitsGateway = this.random.happens(SHARE_OF_GATEWAYS) && fleet.serving.length === gateways;
      await (hitsGateway ? this.killGateway(this.random.between(0, gateways - 1)) : this.killWriter(this.random.between(0, WRITERS - 1)));
    }
  }

  /** Waits until the first reader has got this many more events. */
  private async waitForReader(more: number): Promise<void> {
    const [{ seen } = { seen: [] }] = this.parts.readers;
    const enough = seen.length + more;
    while (!this.isOver && seen.length < enough) await pause(KILL_LOOK_MILLISECONDS);
  }

  private async killWriter(seat: number): Promise<void> {
    const { writers } = this.parts;
    if (!await writers.kill(seat)) this.violations.push(`writer ${seat} ended by itself; its log is in the working folder`);
    writers.start(seat);
    this.writersKilled += 1;
  }

  private async killGateway(seat: number): Promise<void> {
    const gateway = this.parts.fleet.at(seat);
    gateway.kill();
    await gateway.ended;
    this.gatewaysKilled += 1;
    this.restarts.push(this.parts.fleet.startOn(seat).catch((thrown: unknown) => this.violations.push(`gateway ${seat} did not start again: ${String(thrown)}`)));
  }
}

function fleetOn({ url, gateways }: FeedGround, { folder }: FeedRoundOptions, onLost: (text: string) => void): Fleet {
  const catalogue = join(folder, 'catalog.yaml');
  writeFileSync(catalogue, chaosCatalogue(NO_UPSTREAM));
  const launches = Array.from({ length: gateways }, (_none, seat) => ({
    folder, logFile: join(folder, `gateway-${seat}.log`), environment: { DATABASE_URL: url, CATALOG_FILE: catalogue },
  }));
  return new Fleet(launches, (signal) => onLost(`a gateway ended by itself, by ${signal}`));
}

async function prepare(options: FeedRoundOptions, { defer }: Deferring, ground: FeedGround) {
  const accounts = (await seedAccounts(ground.database, Array<string>(ACCOUNTS + WRITERS).fill('1'))).map(({ id }) => id);
  const stores = [await openBeside(ground.database), await openBeside(ground.database)] as const;
  for (const store of stores) defer(() => store.close());
  const by = { actor: SYSTEM_ACTOR, at: new SystemClock().now() };
  for (const account of accounts) await stores[0].alerts.choose(account, THRESHOLDS.map((amount) => ServiceTokens.parse(amount)), by);
  const secret = await createMachine({ root: ROOT, environment: { DATABASE_URL: ground.url } }, { name: 'Feed', scopes: ['events:read'] });
  const lost: string[] = [];
  const fleet = fleetOn(ground, options, (text) => lost.push(text));
  await fleet.start();
  const [first, second] = stores;
  const view = ground.openView();
  defer(() => view.close());
  const cursors = [logReader('EventLog, pages of 50', first.events, 50), logReader('EventLog, pages of 1,000', second.events, 1_000), httpReader(() => fleet.serving.map(({ url }) => url), secret)];
  return { accounts, fleet, lost, view, cursors, audit: first.ledgerAudit, naive: await ground.openNaiveReader() };
}

/** Kills and replaces processes that write events to a new database, until there are enough events. Then compares what readers got. */
export async function runFeedRound(options: FeedRoundOptions): Promise<FeedRound> {
  const startedAt = performance.now();
  const deferred: (() => unknown)[] = [];
  const deferring: Deferring = { defer: (close) => void deferred.push(close) };
  mkdirSync(options.folder, { recursive: true });
  try {
    const random = new SeededRandom(options.seed);
    const ground = await openGround(options.name, options.folder, deferring);
    const { accounts, fleet, lost, view, cursors, audit, naive } = await prepare(options, deferring, ground);
    const writers = new FeedWriters(options.folder, (seat) => ({
      database: ground.database, accounts: accounts.slice(0, ACCOUNTS), heldAccount: accounts[ACCOUNTS + seat] ?? null, seed: random.between(0, 2 ** 31),
    }));
    const readers: readonly FeedReader[] = naive === null ? cursors : [...cursors, naive];
    const round = new Round(options, random, { view, ground, writers, fleet, readers });
    const { violations, ...killed } = await round.run();
    const found = await inspectFeed(view, { cursors, naive, acknowledged: writers.acknowledged });
    const { differences } = await audit.verify();
    return {
      database: options.name, seconds: (performance.now() - startedAt) / 1000, ...killed, ...found,
      violations: [...violations, ...lost, ...found.violations, ...differences.map((difference) => `the books do not balance: ${JSON.stringify(difference)}`)],
    };
  } finally {
    for (const close of deferred.toReversed()) await close();
  }
}
