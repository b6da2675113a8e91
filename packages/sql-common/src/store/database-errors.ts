/** The database cannot be opened. Operators see the message; it names the database without a password. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';

  constructor(database: string, cause: unknown) {
    super(`cannot open the database ${database}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** The database does not exist, and the program may not create it. Operators see the message; it names the place without a password. */
export class MissingDatabaseError extends Error {
  override readonly name: string = 'MissingDatabaseError';

  /** @param place such as `the file /var/lib/tollgate.db` or `postgresql://host/database`. */
  constructor(place: string, message = `there is no database of Tollgate in ${place}`) {
    super(message);
  }
}

/** The database is in memory, so only the process that created it can use it. */
export class MemoryDatabaseError extends MissingDatabaseError {
  override readonly name = 'MemoryDatabaseError';

  constructor() {
    super('memory', 'a database in memory exists only while its gateway runs');
  }
}
