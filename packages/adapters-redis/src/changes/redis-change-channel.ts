import type { Change, ChangeListener, ChangeNotifications, Clock } from '@tollgate/core';
import { type RedisConnection, closeRedis, duplicateRedis } from '../connection/open-redis.js';
import { answered } from '../connection/redis-unavailable.js';
import { Ticker } from '../connection/ticker.js';
import { decodeChange, encodeChange } from './decode-change.js';

export interface RedisChangeChannelPorts {
  /** Publishes. The channel opens a connection of its own to listen. */
  readonly connection: RedisConnection;
  readonly clock: Clock;
  /** Hears why the listening connection failed. */
  readonly onError: (error: unknown) => void;
  /** Begins the channel's name. */
  readonly prefix?: string;
}

/** How often a silent connection is asked for a sign of life, so that a lost one is noticed within a second. */
const HEARTBEAT_MILLISECONDS = 500;

/**
 * Changes over publish and subscribe, which forgets what it cannot deliver: listeners hear when that may have happened.
 * A listener that subscribes while the channel is not connected hears `disconnected` at once.
 */
export class RedisChangeChannel implements ChangeNotifications {
  readonly #listeners = new Set<ChangeListener>();
  readonly #name: string;
  readonly #heartbeat: Ticker;
  #subscriber: RedisConnection | null = null;
  #isListening = false;

  constructor(private readonly ports: RedisChangeChannelPorts) {
    this.#name = `${ports.prefix ?? 'tollgate:'}changes`;
    this.#heartbeat = new Ticker(ports.clock, HEARTBEAT_MILLISECONDS, () => this.#checkLife());
  }

  /** Begins to listen, and tells listeners `missed` once it does. */
  start(): void {
    if (this.#subscriber !== null) return;
    const subscriber = duplicateRedis(this.ports.connection, this.ports.onError);
    this.#subscriber = subscriber;
    subscriber.on('ready', () => void this.#listen(subscriber));
    subscriber.on('close', () => this.#lose());
    subscriber.on('message', (_channel, message) => this.#hear(message));
    this.#heartbeat.start();
  }

  async stop(): Promise<void> {
    this.#heartbeat.stop();
    if (this.#subscriber !== null) await closeRedis(this.#subscriber);
    this.#subscriber = null;
  }

  async publish(change: Change): Promise<void> {
    await answered(this.ports.connection.publish(this.#name, encodeChange(change)));
  }

  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    if (!this.#isListening) listener.disconnected();
    return () => {
      this.#listeners.delete(listener);
    };
  }

  async #listen(subscriber: RedisConnection): Promise<void> {
    try {
      await subscriber.subscribe(this.#name);
    } catch (error) {
      this.#reconnect(subscriber, error);
      return;
    }
    this.#isListening = true;
    for (const listener of this.#listeners) listener.missed();
  }

  /** A message that is not understood is a change all the same: of what, only a look at everything can tell. */
  #hear(message: string): void {
    const change = decodeChange(message);
    for (const listener of this.#listeners) {
      if (change === null) listener.missed();
      else listener.changed(change);
    }
  }

  #lose(): void {
    if (!this.#isListening) return;
    this.#isListening = false;
    for (const listener of this.#listeners) listener.disconnected();
  }

  async #checkLife(): Promise<void> {
    const subscriber = this.#subscriber;
    if (subscriber === null || !this.#isListening) return;
    try {
      await subscriber.ping();
    } catch (error) {
      this.#reconnect(subscriber, error);
    }
  }

  /** Listeners hear it now; the connection's own end may come later, or without a word. */
  #reconnect(subscriber: RedisConnection, error: unknown): void {
    this.ports.onError(error);
    this.#lose();
    if (subscriber.status !== 'end') subscriber.disconnect(true);
  }
}
