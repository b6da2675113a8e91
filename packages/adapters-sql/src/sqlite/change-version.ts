import type { SqliteConnection } from './sqlite-connection.js';

/**
 * A number that changes whenever accounts, keys or the platform may have changed, by whichever process.
 * Asking takes about two microseconds; settlements of this process do not change it.
 */
export class ChangeVersion {
  private version = 0;
  private seen: unknown = null;
  /** It was asked for in the step of the program that is still running. */
  private isFresh = false;
  private readonly dataVersion;

  constructor(connection: SqliteConnection) {
    // SQLite counts the commits of all other connections for us.
    this.dataVersion = connection.prepare('PRAGMA data_version').pluck().safeIntegers(false);
  }

  private readonly expire = (): void => {
    this.isFresh = false;
  };

  /** Says that this process has written. */
  advance(): void {
    this.version += 1;
  }

  /** A request asks for several things in one step, during which nobody can have answered anybody about a change: they share one look. */
  current(): number {
    if (this.isFresh) return this.version;
    const dataVersion = this.dataVersion.get();
    this.isFresh = true;
    queueMicrotask(this.expire);
    if (dataVersion !== this.seen) {
      this.seen = dataVersion;
      this.version += 1;
    }
    return this.version;
  }
}
