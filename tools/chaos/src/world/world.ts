import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SeededRandom } from '@tollgate/testkit/programs';
import { seedAccounts, type SeededAccount } from '../books/seed-accounts.js';
import { chaosCatalogue } from '../catalogue/chaos-catalogue.js';
import { DeadProcesses } from '../checks/dead-processes.js';
import type { CreditorOptions } from '../creditor/creditor.js';
import { Acknowledged } from '../customers/acknowledged.js';
import { Load } from '../customers/load.js';
import { Fleet, type GatewayLaunch } from '../gateways/fleet.js';
import type { Ground, Setup } from '../setups/setup.js';
import type { ChaosUpstream } from '../upstream/upstream.js';

const AMPLE = '1000000000';
/** Initial balance for a few requests, to which the creditor adds again and again. Accounting errors are most likely when a balance runs out. */
const SCANTY = '40';
const CLIENTS = 12;

export interface ChaosContext {
  readonly upstream: ChaosUpstream;
  readonly random: SeededRandom;
  /** Returns a number that no other request of the run has. */
  readonly nextNumber: () => number;
}

export interface WorldOptions {
  readonly setup: Setup;
  readonly folder: string;
  readonly context: ChaosContext;
  readonly onViolation: (text: string) => void;
}

interface WorldParts extends WorldOptions {
  readonly ground: Ground;
  readonly launches: readonly GatewayLaunch[];
  readonly accounts: readonly SeededAccount[];
}

/** A database, its gateways, and what they have acknowledged. */
export class World {
  readonly acknowledged = new Acknowledged();
  readonly dead: DeadProcesses;
  readonly fleet: Fleet;
  readonly #told = new Set<string>();

  private constructor(private readonly parts: WorldParts) {
    this.dead = new DeadProcesses(parts.setup.orphanRule);
    this.fleet = new Fleet(parts.launches, (signal) => this.violate(`a gateway ended by itself, with ${signal}`));
  }

  /** Creates a world whose gateways have not been started. */
  static async create(options: WorldOptions): Promise<World> {
    const { setup, folder, context: { upstream } } = options;
    mkdirSync(folder, { recursive: true });
    const ground = await setup.createGround(folder);
    const catalogue = join(folder, 'catalog.yaml');
    writeFileSync(catalogue, chaosCatalogue(upstream.port));
    const launches = Array.from({ length: setup.gateways }, (_none, seat): GatewayLaunch => ({
      folder, logFile: join(folder, `gateway-${seat}.log`), environment: { ...ground.environment, CATALOG_FILE: catalogue },
    }));
    return new World({ ...options, ground, launches, accounts: await seedAccounts(ground.database, [AMPLE, AMPLE, SCANTY]) });
  }

  get setup(): Setup {
    return this.parts.setup;
  }

  get ground(): Ground {
    return this.parts.ground;
  }

  get launches(): readonly GatewayLaunch[] {
    return this.parts.launches;
  }

  get accounts(): readonly SeededAccount[] {
    return this.parts.accounts;
  }

  get context(): ChaosContext {
    return this.parts.context;
  }

  /** Options of the creditor of the account that keeps running out. */
  get creditorOptions(): CreditorOptions {
    const { ground, accounts, folder } = this.parts;
    const { id: accountId } = accounts[2] as SeededAccount;
    return { database: ground.database, acknowledged: this.acknowledged, accountId, logFile: join(folder, 'creditor.log') };
  }

  startLoad(): Load {
    const { accounts, context: { random, nextNumber } } = this.parts;
    return new Load({
      urls: () => this.fleet.serving.map(({ url }) => url),
      keys: accounts.map(({ key }) => key),
      clients: CLIENTS, random, nextNumber,
      onOutcome: (outcome) => this.acknowledged.note(outcome),
    });
  }

  /** Reports a violation, unless the same one was reported before. */
  violate(text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.parts.onViolation(text);
  }
}
