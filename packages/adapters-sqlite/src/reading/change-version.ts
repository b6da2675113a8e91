import type { SqliteConnection } from '../file/sqlite-connection.js';

/** Time for which one read of the version is reused. A read costs microseconds, and a request would need several. */
export const READING_MILLISECONDS = 20;

/**
 * A number that changes when accounts, keys or settings of operators may have changed: at once after changes by this process, and within 20 ms after
 * any commit by another. Settlements of this process do not change it.
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

  /** Must be called after a write of this process. */
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
