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

const SECRET = 'c4a05'.padEnd(64, '0');
const CREDIT = '100000';
const ACCOUNTS = 3;
const CLIENTS = 12;
/** Number of pieces in the reply to a request with an `Idempotency-Key`. */
export const PURCHASE_PIECES = 40;
/** Number of pieces in the reply to a request that is held until the fault begins: few, so that it ends during the fault. */
const HELD_PIECES = 8;
/** Number of held requests for each format and delivery. */
const HELD_OF_EACH = 4;

export interface FaultWorldOptions {
  /** Folder of the compiled checkout. */
  readonly root: string;
  readonly folder: string;
  readonly context: ChaosContext;
  /** URL of the database that does not lead through the faulty network. */
  readonly databaseUrl: string;
  readonly view: DatabaseView;
  /** Registers a function that is called after the round, even if the round fails. The last registered is called first. */
  readonly defer: (close: () => unknown) => void;
}

/** Time in which the books must come to rest after a fault. */
const MAX_UNREST_MILLISECONDS = 60_000;
const REST_MILLISECONDS = 3000;
const LOOK_MILLISECONDS = 300;
const HELD = "select id from reservations where state = 'held' order by id";
const NAMED_RESERVATIONS = 5;

/** An outcome, and when its request was sent, as `performance.now()`. */
export interface TimedOutcome extends Outcome {
  readonly sentAt: number;
}

export interface HeldOutcome extends Pick<Outcome, 'receipt'> {
  readonly format: (typeof FORMATS)[number];
  readonly streamed: boolean;
}

interface HeldRequests {
  readonly numbers: readonly number[];
  readonly ended: Promise<readonly HeldOutcome[]>;
}

export class FaultWorld {
  readonly outcomes: TimedOutcome[] = [];
  readonly gateways: FaultyGateway[] = [];
  readonly agent = new Agent({ keepAlive: true });
  readonly #purchases = new Set<number>();

  private constructor(private readonly options: FaultWorldOptions, private readonly commandLine: CommandLine, private readonly keys: string[]) {}

  /** Creates the database and its accounts by the checkout's command line. */
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
    // An outbox file is set, because a gateway on PostgreSQL with an arbitrary port has none by default. Without one, no receipt would be pending.
    const outbox = this.options.databaseUrl.startsWith('postgres') ? { OUTBOX_FILE: join(folder, name, 'outbox') } : {};
    const gateway = await FaultyGateway.start(name, { root, folder, environment: { ...this.commandLine.environment, ...outbox, ...environment } });
    this.gateways.push(gateway);
    return gateway;
  }

  async killAndReplace(place: number): Promise<void> {
    const gateway = this.gateways[place];
    if (gateway !== undefined) this.gateways[place] = await gateway.killAndReplace();
  }

  /** Creates the machine that the shop uses; resolves with its secret. */
  createShopMachine(): Promise<string> {
    return createMachine(this.commandLine, { name: 'Shop', scopes: SHOP_SCOPES });
  }

  /** Creates a webhook; resolves with its secret. */
  createWebhook(url: string): Promise<string> {
    return createWebhook(this.commandLine, url);
  }

  /** Creates an operator, who has an account too. Resolves with the token of a link that signs in once. */
  createOperator(email: string): Promise<string> {
    return createOperator(this.commandLine, email);
  }

  /** Differences in the ledger, as the command line finds them. */
  async verifyLedger(): Promise<readonly string[]> {
    const differences = await differencesInLedger(this.commandLine);
    return differences === null ? [] : [differences];
  }

  /** Adds a key of this customer; every load that starts later uses it too. */
  async addCustomer(email: string): Promise<void> {
    this.keys.push(await createKey(this.commandLine, { account: email, name: 'shop' }));
  }

  get folder(): string {
    return this.options.folder;
  }

  get random(): ChaosContext['random'] {
    return this.options.context.random;
  }

  /** Requests a whole reply under an `Idempotency-Key`. The upstream holds the reply, and the client disconnects after a minute. */
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

  /** Sends requests without a key, in all formats and deliveries. The upstream holds their replies after the first piece. */
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
   * Resolves when no reservation is held and payments have not changed for 3 s, or with a violation after a minute. If the database was set back,
   * only payments count, because old reservations may be held again.
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

  /** Compares what customers paid with their receipts; the database must be at rest. Receipts of requests before `lostUntil` are not binding. */
  async compare(lostUntil: number): Promise<CustomerFindings> {
    // A purchase that was generated twice costs no more than one generation.
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
