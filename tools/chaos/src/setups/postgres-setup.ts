import { setTimeout as pause } from 'node:timers/promises';
import { closeRedis, openRedis, type RedisConnection } from '@tollgate/adapters-redis';
import { type AccountId, assertNever } from '@tollgate/core';
import { type PostgresServer, type RedisServer, type SeededRandom, startPostgresServer, startRedisServer } from '@tollgate/testkit/programs';
import { Client } from 'pg';
import { viewPostgres } from '../books/database-view.js';
import { CHAOS_SLOTS } from '../catalogue/chaos-catalogue.js';
import type { SlotCount } from '../checks/slots.js';
import type { Ground, Setup, Trouble } from './setup.js';

/** Reads the number of held slots from Redis itself. */
class SharedSlots {
  private constructor(private readonly connection: RedisConnection) {}

  static async open(path: string): Promise<SharedSlots> {
    // The calls report failures themselves.
    return new SharedSlots(await openRedis({ url: path, onError: () => undefined }));
  }

  /** Number of held slots whose lease has not expired, in the order of `accounts`. Rejects while Redis is away. */
  heldBy(accounts: readonly AccountId[]): Promise<readonly number[]> {
    return Promise.all(accounts.map((account) => this.connection.zcount(`tollgate:limits:{${account}}:slots`, Date.now(), '+inf')));
  }

  /** Deletes all data in Redis. */
  async empty(): Promise<void> {
    await this.connection.flushall();
  }

  close(): Promise<void> {
    return closeRedis(this.connection);
  }
}

const GATEWAYS = 3;
const TROUBLES: readonly Trouble['kind'][] = ['redis-killed', 'redis-emptied', 'redis-paused', 'postgres-crashed', 'postgres-paused'];
const MIN_TROUBLE_MILLISECONDS = 50;
const MAX_TROUBLE_MILLISECONDS = 2500;
/** Time after a fault in which queries may still fail. */
const AFTERMATH_MILLISECONDS = 3000;
/** Time in which slots may be taken twice after Redis has lost them, because Redis learns of each held slot only at its next renewal. */
const FORGETFUL_MILLISECONDS = 45_000;

/** Three gateways on PostgreSQL and Redis, all on this machine. */
export class PostgresSetup implements Setup {
  readonly name = 'postgres';
  readonly gateways = GATEWAYS;
  readonly orphanRule = { from: 'its-death', milliseconds: 30_000 } as const;
  readonly canBeLeftAlone = false;
  #grounds = 0;
  #troubles = 0;
  #troubledUntil = -Infinity;
  #forgetfulUntil = -Infinity;

  private constructor(private readonly postgres: PostgresServer, private readonly redis: RedisServer, private readonly slots: SharedSlots) {}

  static async start(): Promise<PostgresSetup> {
    const [postgres, redis] = await Promise.all([startPostgresServer(), startRedisServer()]);
    return new PostgresSetup(postgres, redis, await SharedSlots.open(redis.path));
  }

  async createGround(): Promise<Ground> {
    this.#grounds += 1;
    const name = `chaos_${this.#grounds}`;
    const client = new Client({ connectionString: this.postgres.url() });
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    const url = this.postgres.url(name);
    return { database: { kind: 'postgres', url }, environment: { DATABASE_URL: url, REDIS_URL: this.redis.path }, openView: () => viewPostgres(url) };
  }

  drawTrouble(random: SeededRandom): Trouble {
    const kind = TROUBLES[random.between(0, TROUBLES.length - 1)] ?? 'redis-killed';
    return { kind, milliseconds: random.between(MIN_TROUBLE_MILLISECONDS, MAX_TROUBLE_MILLISECONDS) };
  }

  async suffer(trouble: Trouble): Promise<void> {
    this.#troubles += 1;
    try {
      await this.undergo(trouble);
    } finally {
      this.#troubles -= 1;
      this.#troubledUntil = performance.now() + AFTERMATH_MILLISECONDS;
      if (trouble.kind.startsWith('redis')) this.#forgetfulUntil = performance.now() + FORGETFUL_MILLISECONDS;
    }
  }

  isTroubled(): boolean {
    return this.#troubles > 0 || performance.now() < this.#troubledUntil;
  }

  async sharedSlots(accounts: readonly AccountId[]): Promise<readonly SlotCount[]> {
    const held = await this.slots.heldBy(accounts);
    const isForgetful = this.#troubles > 0 || performance.now() < this.#forgetfulUntil;
    return held.map((count, place) => ({ holder: `account ${accounts[place] ?? ''}`, what: 'slots', held: count, limit: isForgetful ? 2 * CHAOS_SLOTS : CHAOS_SLOTS }));
  }

  async close(): Promise<void> {
    await this.slots.close();
    await this.redis.stop();
    await this.postgres.stop();
  }

  private async undergo({ kind, milliseconds }: Trouble): Promise<void> {
    const { redis, postgres } = this;
    switch (kind) {
      case 'redis-emptied': return this.slots.empty();
      case 'redis-killed': await redis.kill(); break;
      case 'redis-paused': redis.pause(); break;
      case 'postgres-crashed': await postgres.crash(); break;
      case 'postgres-paused': postgres.pause(); break;
      default: return assertNever(kind);
    }
    await pause(milliseconds);
    switch (kind) {
      case 'redis-killed': return redis.restart();
      case 'redis-paused': return redis.resume();
      case 'postgres-crashed': return postgres.restart();
      case 'postgres-paused': return postgres.resume();
      default: return assertNever(kind);
    }
  }
}
