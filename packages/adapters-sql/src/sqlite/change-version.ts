import type { SqliteConnection } from './sqlite-connection.js';

/**
 * A number that changes whenever accounts, keys or the platform may have changed, by whichever process.
 * Asking takes about two microseconds; settlements of this process do not change it.
 */
export class ChangeVersion {
  private version = 0;
  private seen: unknown = null;
  private readonly dataVersion;

  constructor(connection: SqliteConnection) {
    // SQLite counts the commits of all other connections for us.
    this.dataVersion = connection.prepare('PRAGMA data_version').pluck().safeIntegers(false);
  }

  /** Says that this process has written. */
  advance(): void {
    this.version += 1;
  }

  current(): number {
    const dataVersion = this.dataVersion.get();
    if (dataVersion !== this.seen) {
      this.seen = dataVersion;
      this.version += 1;
    }
    return this.version;
  }
}
