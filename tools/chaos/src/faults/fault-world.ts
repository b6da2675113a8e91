import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type CommandLine, createAccount, createDatabase, createKey, createMachine, createOperator, createWebhook, differencesInLedger, SHOP_SCOPES } from '@tollgate/kit';
import type { DatabaseView } from '../books/database-view.js';
import { mostPrice } from '../checks/billed-output.js';
import { compareWithReceipts, type CustomerFindings, type MostByNumber, readPaid } from '../customers/paid-by-receipts.js';
import { exchange, FORMATS, type Outcome } from '../customers/exchange.js';
import { Load } from '../customers/load.js';
import { CHAOS_PLAN, chaosCatalogue } from '../catalogue/chaos-catalogue.js';
import type { ChaosContext } from '../world/world.js';
import { FaultyGateway } from './faulty-gateway.js';

/** Secret of the installation. */
const SECRET = 'c4a05'.padEnd(64, '0');
const CREDIT = '100000';
const ACCOUNTS = 3;
const CLIENTS = 12;
/** Pieces of each request with an `Idempotency-Key`. */
export const PURCHASE_PIECES = 40;
/** Pieces of each request that is held until the fault begins: few, so that it ends during the fault. */
const HELD_PIECES = 8;
/** Held requests per format and delivery. */
const HELD_OF_EACH = 4;

export interface FaultWorldOptions {
  /** Root of the compiled checkout. */
  readonly root: string;
  readonly folder: string;
  readonly context: ChaosContext;
  /** URL of the database itself, not through a faulty network. */
  readonly databaseUrl: string;
  readonly view: DatabaseView;
  /** Closes after the round, in reverse order, also if the round fails. */
  readonly defer: (close: () => unknown) => void;
}

/** Time for the books to settle after a fault. */
const MAX_UNREST_MILLISECONDS = 60_000;
const REST_MILLISECONDS = 3000;
const LOOK_MILLISECONDS = 300;
const HELD = "select id from reservations where state = 'held' order by id";
const NAMED_RESERVATIONS = 5;

/** An outcome with the start of its request, as `performance.now()`. */
export interface TimedOutcome extends Outcome {
  readonly sentAt: number;
}

export interface HeldOutcome extends Pick<Outcome, 'receipt'> {
  readonly format: (typeof FORMATS)[number];
  readonly streamed: boolean;
}

export interface HeldRequests {
  readonly numbers: readonly number[];
  readonly ended: Promise<readonly HeldOutcome[]>;
}

export class FaultWorld {
  readonly outcomes: TimedOutcome[] = [];
  readonly gateways: FaultyGateway[] = [];
  readonly agent = new Agent({ keepAlive: true });
  readonly #purchases = new Set<number>();

  private constructor(private readonly options: FaultWorldOptions, private readonly commandLine: CommandLine, private readonly keys: string[]) {}

  /** Uses the command line of the checkout. */
  static async create(options: FaultWorldOptions): Promise<FaultWorld> {
    const { root, folder, databaseUrl, context: { upstream } } = options;
    const catalogue = join(folder, 'catalog.yaml');
    writeFileSync(catalogue, chaosCatalogue(upstream.port));
    const commandLine = { root, environment: { DATABASE_URL: databaseUrl, CATALOG_FILE: catalogue, SECRET } };
    await createDatabase(commandLine);
    const keys: string[] = [];
    for (let account = 0; account < ACCOUNTS; account += 1) keys.push(await createAccount(commandLine, { name: `chaos-${account}`, plan: CHAOS_PLAN, credit: CREDIT }));
    const world = new FaultWorld(options, commandLine, keys);
    options.defer(() => world.close());
    return world;
  }

  get view(): DatabaseView {
    return this.options.view;
  }

  get upstream(): ChaosContext['upstream'] {
    return this.options.context.upstream;
  }

  nextNumber(): number {
    return this.options.context.nextNumber();
  }

  async startGateway(environment: Readonly<Record<string, string>> = {}): Promise<FaultyGateway> {
    const { root, folder } = this.options;
    const name = `gateway-${this.gateways.length}`;
    // On PostgreSQL, a gateway on an arbitrary free port has no outbox by default, and without one no receipt is pending.
    const outbox = this.options.databaseUrl.startsWith('postgres') ? { OUTBOX_FILE: join(folder, name, 'outbox') } : {};
    const gateway = await FaultyGateway.start(name, { root, folder, environment: { ...this.commandLine.environment, ...outbox, ...environment } });
    this.gateways.push(gateway);
    return gateway;
  }

  async killAndReplace(place: number): Promise<void> {
    const gateway = this.gateways[place];
    if (gateway !== undefined) this.gateways[place] = await gateway.killAndReplace();
  }

  /** Resolves with the secret of the shop's machine. */
  createShopMachine(): Promise<string> {
    return createMachine(this.commandLine, { name: 'Shop', scopes: SHOP_SCOPES });
  }

  /** Resolves with the webhook's secret. */
  createWebhook(url: string): Promise<string> {
    return createWebhook(this.commandLine, url);
  }

  /** An operator, who has an account too. Resolves with the token of a link that signs in once. */
  createOperator(email: string): Promise<string> {
    return createOperator(this.commandLine, email);
  }

  /** Violations, as the command line lists them. */
  async verifyLedger(): Promise<readonly string[]> {
    const differences = await differencesInLedger(this.commandLine);
    return differences === null ? [] : [differences];
  }

  /** Adds a customer; every load that starts later sends requests of this customer too. */
  async addCustomer(email: string): Promise<void> {
    this.keys.push(await createKey(this.commandLine, { account: email, name: 'shop' }));
  }

  get folder(): string {
    return this.options.folder;
  }

  get random(): ChaosContext['random'] {
    return this.options.context.random;
  }

  /** A whole reply under an `Idempotency-Key`, held by the upstream; the client waits for a minute. */
  async buy(gateway: FaultyGateway, number: number): Promise<TimedOutcome> {
    this.#purchases.add(number);
    const sentAt = performance.now();
    const outcome = await exchange({
      url: gateway.url, agent: this.agent, key: this.keys[number % this.keys.length] ?? '', format: FORMATS[number % FORMATS.length] ?? 'chat', streamed: false,
      script: { number, pieces: PURCHASE_PIECES, holdsAfter: 1 }, leaves: { afterMilliseconds: 60_000 }, idempotencyKey: `chaos-${number}`,
    });
    this.outcomes.push({ ...outcome, sentAt });
    return { ...outcome, sentAt };
  }

  /** Requests without a key, in all formats and deliveries, which the upstream holds after the first piece. */
  holdAll(gateway: FaultyGateway): HeldRequests {
    const kinds = FORMATS.flatMap((format) => [true, false].map((streamed) => ({ format, streamed })));
    const demands = Array.from({ length: HELD_OF_EACH }, () => kinds).flat().map((kind) => ({ ...kind, number: this.nextNumber() }));
    const ended = Promise.all(demands.map(async ({ format, streamed, number }) => {
      const sentAt = performance.now();
      const outcome = await exchange({
        url: gateway.url, agent: this.agent, key: this.keys[number % this.keys.length] ?? '', format, streamed,
        script: { number, pieces: HELD_PIECES, holdsAfter: 1 }, leaves: null,
      });
      this.outcomes.push({ ...outcome, sentAt });
      return { format, streamed, receipt: outcome.receipt };
    }));
    return { numbers: demands.map(({ number }) => number), ended };
  }

  startLoad(): Load {
    return new Load({
      urls: () => this.gateways.filter(({ isRunning }) => isRunning).map(({ url }) => url), keys: this.keys, clients: CLIENTS, random: this.options.context.random,
      nextNumber: () => this.nextNumber(), onOutcome: (outcome, sentAt) => void this.outcomes.push({ ...outcome, sentAt }),
    });
  }

  /**
   * Resolves when no reservation is held and payments are unchanged for 3 s; with a violation after a minute. After a set-back,
   * reservations may reappear as held, so only payments count.
   */
  async rest(isSetBack: boolean): Promise<readonly string[]> {
    const beganAt = performance.now();
    let [before, changedAt, named] = ['', beganAt, ''];
    while (performance.now() - beganAt < MAX_UNREST_MILLISECONDS) {
      const [held = []] = await this.view.read([HELD]);
      named = held.slice(0, NAMED_RESERVATIONS).map(([id]) => id).join(', ');
      const { accounts } = await readPaid(this.view);
      const now = `${held.length} ${accounts.map(({ paid }) => paid).join(' ')}`;
      if (now !== before) [before, changedAt] = [now, performance.now()];
      if ((isSetBack || held.length === 0) && performance.now() - changedAt > REST_MILLISECONDS) return [];
      await pause(LOOK_MILLISECONDS);
    }
    return [`the books did not come to rest within a minute; held: ${named === '' ? 'nothing' : named}`];
  }

  /** At rest only. Receipts of requests sent before `lostUntil` are not binding. */
  async compare(lostUntil: number): Promise<CustomerFindings> {
    // Two generations of one purchase cost one price.
    const most: MostByNumber = (number) => mostPrice(this.#purchases.has(number) ? PURCHASE_PIECES : this.upstream.sentFor(number));
    const replies = this.outcomes.map(({ reply, sentAt }) => (sentAt < lostUntil ? { ...reply, status: null, errorCode: null, delivered: 0, receipt: null } : reply));
    return compareWithReceipts(replies, await readPaid(this.view), most);
  }

  private async close(): Promise<void> {
    await Promise.all(this.gateways.map((gateway) => gateway.stop()));
    this.agent.destroy();
    await this.view.close();
  }
}
