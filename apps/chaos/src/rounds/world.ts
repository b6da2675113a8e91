import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Acknowledged } from '../books/acknowledged.js';
import { chaosCatalogue } from '../books/chaos-catalogue.js';
import { checkBooks } from '../books/check-books.js';
import type { CreditorOptions } from '../books/creditor.js';
import { EMPTY_PREFIX, LedgerReader, type LedgerPrefix } from '../books/ledger-reader.js';
import { type SeededAccount, seedAccounts } from '../books/seed-accounts.js';
import { Load } from '../load/load.js';
import type { GatewayPlace } from '../processes/gateway-process.js';
import type { Random } from '../random.js';

const AMPLE = '1000000000';
/** Enough for some requests at a time, and refilled by the watcher: balances that run out are where money gets lost. */
const SCANTY = '40';
/** Together fewer than the slots of one account, so that refusals are about money. */
const CLIENTS = 16;

export interface WorldOptions {
  readonly folder: string;
  readonly program: string;
  readonly upstreamPort: number;
  readonly random: Random;
}

/** One database, which gateways live and die on, and everything that was promised about it. */
export class World {
  readonly acknowledged = new Acknowledged();
  #entries: LedgerPrefix = EMPTY_PREFIX;

  private constructor(readonly place: GatewayPlace, private readonly accounts: readonly SeededAccount[], private readonly random: Random) {}

  static async create({ folder, program, upstreamPort, random }: WorldOptions): Promise<World> {
    mkdirSync(folder, { recursive: true });
    const place: GatewayPlace = {
      program, folder, database: join(folder, 'tollgate.db'), catalogue: join(folder, 'catalog.yaml'), logFile: join(folder, 'gateway.log'),
    };
    writeFileSync(place.catalogue, chaosCatalogue(upstreamPort));
    return new World(place, await seedAccounts(place.database, [AMPLE, AMPLE, SCANTY]), random);
  }

  /** For a program that credits the account whose balance runs out again and again. */
  get creditorOptions(): CreditorOptions {
    const { place, acknowledged } = this;
    return { database: place.database, acknowledged, accountId: (this.accounts[2] as SeededAccount).id };
  }

  get ample(): SeededAccount {
    return this.accounts[0] as SeededAccount;
  }

  startLoad(url: string): Load {
    const { accounts, random, acknowledged } = this;
    return new Load({ url, keys: accounts.map(({ key }) => key), clients: CLIENTS, random, onReceipt: (receipt) => acknowledged.receipts.push(receipt) });
  }

  heldReservations(): number {
    const reader = new LedgerReader(this.place.database);
    const held = reader.heldReservations();
    reader.close();
    return held;
  }

  async check(): Promise<readonly string[]> {
    const { place, acknowledged } = this;
    const { violations, entries } = await checkBooks({ database: place.database, acknowledged, before: this.#entries });
    this.#entries = entries;
    return violations;
  }
}
