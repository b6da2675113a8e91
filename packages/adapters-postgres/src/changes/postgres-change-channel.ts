import type { AccountId, ApiKeyId, Change, ChangeListener, ChangeNotifications, Clock, PlanId } from '@tollgate/core';
import type { Client } from 'pg';
import { type ConnectionPool, openClient, retryTransient, withTimeout } from '../connection/connection-pool.js';
import { CHANGE_CHANNEL } from '../schema/migrate-postgres.js';

/** `key:key_1`, or `platform` alone. The triggers in the database write the same form. */
export function encodeChange({ kind, id }: Change): string {
  return id === null ? kind : `${kind}:${id}`;
}

/** `null` for a message of a form that is not known here, as a newer release may send it. */
export function decodeChange(message: string): Change | null {
  if (message === 'platform') return { kind: 'platform', id: null };
  const end = message.indexOf(':');
  const [kind, id]: readonly [string, string] = [message.slice(0, Math.max(0, end)), message.slice(end + 1)];
  if (id === '') return null;
  switch (kind) {
    case 'key': return { kind, id: id as ApiKeyId };
    case 'account': return { kind, id: id as AccountId };
    case 'plan': return { kind, id: id as PlanId };
    default: return null;
  }
}

/** Between signs of life of a connection, and between attempts to get a new one. */
const TICK_MILLISECONDS = 500;

const LIFE_SIGN = { text: 'select 1', query_timeout: TICK_MILLISECONDS };

export interface PostgresChangeChannelParts {
  readonly url: string;
  readonly clock: Clock;
  /** Publishes; listening has a connection of its own. */
  readonly pool: ConnectionPool;
}

/**
 * Changes as the database itself tells them, each once its transaction is committed. Notifications without a listener are lost,
 * so listeners hear when that may have happened.
 */
export class PostgresChangeChannel implements ChangeNotifications {
  private readonly listeners = new Set<ChangeListener>();
  private client: Client | null = null;
  private cancelTick: () => void = () => undefined;
  private isTicking = false;
  private isStopped = false;

  constructor(private readonly parts: PostgresChangeChannelParts) {}

  /** Resolves once changes are heard; throws when the database cannot be reached. */
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

  /** An unknown message still announces a change, so the listener reads everything again. */
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

  /** Checks the connection, or gets a new one; one such step at a time. What fails is tried again with the next tick. */
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

  /** A connection that does not answer may never say that it has ended either. */
  private giveUp(client: Client): void {
    this.lose(client);
    void client.end();
  }
}

/** One listener in place of several. */
export function combinedListener(...listeners: readonly ChangeListener[]): ChangeListener {
  return {
    changed: (change) => listeners.forEach((listener) => listener.changed(change)),
    disconnected: () => listeners.forEach((listener) => listener.disconnected()),
    missed: () => listeners.forEach((listener) => listener.missed()),
  };
}
