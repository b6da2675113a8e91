import type { SqliteConnection } from '../file/sqlite-connection.js';

/** Time for which one read of the version serves all requests, because it costs microseconds and a request needs several. */
export const READING_MILLISECONDS = 20;

/**
 * Changes when accounts, keys or the platform may have changed: at once for changes by this process, within 20 ms for others. Settlements of this
 * process do not change it.
 */
export class ChangeVersion {
  #version = 0;
  #dataVersion: unknown = null;
  #readAt = -Infinity;
  readonly #statement;

  /** @param now Milliseconds of a clock that never goes back. */
  constructor(connection: SqliteConnection, private readonly now: () => number = () => performance.now()) {
    // `data_version` counts the commits of all other connections.
    this.#statement = connection.prepare('PRAGMA data_version').pluck().safeIntegers(false);
  }

  /** Call it after a write. */
  advance(): void {
    this.#version += 1;
  }

  current(): number {
    const now = this.now();
    if (now - this.#readAt < READING_MILLISECONDS) return this.#version;
    const dataVersion = this.#statement.get();
    this.#readAt = now;
    if (dataVersion !== this.#dataVersion) {
      this.#dataVersion = dataVersion;
      this.#version += 1;
    }
    return this.#version;
  }
}
