import type { Change, ChangeListener, ChangeNotifications, Clock } from '@tollgate/core';
import type { Client } from 'pg';
import type { ConnectionPool } from '../connection/connection-pool.js';
import { openClient } from '../connection/open-client.js';
import { retryTransient } from '../connection/retry-transient.js';
import { withTimeout } from '../connection/with-timeout.js';
import { CHANGE_CHANNEL } from '../schema/migrate-postgres.js';
import { decodeChange, encodeChange } from './change-message.js';

/** Interval of keep-alive queries and of attempts to reconnect. */
const TICK_MILLISECONDS = 500;

const LIFE_SIGN = { text: 'select 1', query_timeout: TICK_MILLISECONDS };

export interface PostgresChangeChannelParts {
  readonly url: string;
  readonly clock: Clock;
  /** Used for publishing. Listening uses a separate connection. */
  readonly pool: ConnectionPool;
}

/**
 * Notifications of committed changes. They are lost while the channel is disconnected, so listeners are notified of the disconnection and,
 * afterwards, of possibly missed changes.
 */
export class PostgresChangeChannel implements ChangeNotifications {
  private readonly listeners = new Set<ChangeListener>();
  private client: Client | null = null;
  private cancelTick: () => void = () => undefined;
  private isTicking = false;
  private isStopped = false;

  constructor(private readonly parts: PostgresChangeChannelParts) {}

  /** Resolves when the channel listens; rejects if the database is unreachable. */
  async start(): Promise<void> {
    await this.listen();
    this.scheduleTick();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.cancelTick();
    await this.hangUp();
  }

  async publish(change: Change): Promise<void> {
    const query = { text: 'select pg_notify($1, $2)', values: [CHANGE_CHANNEL, encodeChange(change)] };
    await retryTransient(() => this.parts.pool.use((session) => session.query(query)));
  }

  subscribe(listener: ChangeListener): () => void {
    this.listeners.add(listener);
    if (this.client === null) listener.disconnected();
    return () => {
      this.listeners.delete(listener);
    };
  }

  private async listen(): Promise<void> {
    const client = await openClient(this.parts.url, 'short');
    client.on('notification', ({ payload }) => this.hear(payload ?? ''));
    client.on('end', () => this.lose(client));
    client.on('error', () => this.lose(client));
    try {
      await client.query(`listen ${CHANGE_CHANNEL}`);
    } catch (thrown) {
      await withTimeout(client.end());
      throw thrown;
    }
    this.client = client;
    for (const listener of this.listeners) listener.missed();
  }

  /** Treats an unknown message as a possibly missed change, after which listeners read everything again. */
  private hear(message: string): void {
    const change = decodeChange(message);
    for (const listener of this.listeners) {
      if (change === null) listener.missed();
      else listener.changed(change);
    }
  }

  private lose(client: Client): void {
    if (this.client !== client) return;
    this.client = null;
    for (const listener of this.listeners) listener.disconnected();
    void this.tick();
  }

  private scheduleTick(): void {
    this.cancelTick = this.parts.clock.schedule(TICK_MILLISECONDS, () => {
      this.scheduleTick();
      void this.tick();
    });
  }

  /** Checks the connection, or reconnects if there is none. Only one run at a time; a failed one is repeated at the next tick. */
  private async tick(): Promise<void> {
    if (this.isTicking || this.isStopped) return;
    this.isTicking = true;
    const client = this.client;
    await (client === null ? this.listen() : this.askForLife(client)).catch(() => {
      if (client !== null) this.giveUp(client);
    });
    this.isTicking = false;
    if (this.isStopped) await this.hangUp();
  }

  private async askForLife(client: Client): Promise<void> {
    await client.query(LIFE_SIGN);
  }

  private async hangUp(): Promise<void> {
    if (this.client !== null) await withTimeout(this.client.end());
  }

  /** Does not wait until the connection has ended, which an unresponsive server may never confirm. */
  private giveUp(client: Client): void {
    this.lose(client);
    void client.end();
  }
}
