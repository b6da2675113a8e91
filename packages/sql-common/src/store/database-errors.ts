/** The database cannot be used. The message is for the operator: it names the database, and no password. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';

  constructor(database: string, cause: unknown) {
    super(`cannot open the database ${database}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** There is no database of Tollgate where the settings say, and none may be made. The message is for the operator: it names the place, and no password. */
export class MissingDatabaseError extends Error {
  override readonly name = 'MissingDatabaseError';

  /** `place` is `the file /var/lib/tollgate.db` or `postgresql://host/database`. */
  constructor(readonly place: string) {
    super(`there is no database of Tollgate in ${place}`);
  }
}
