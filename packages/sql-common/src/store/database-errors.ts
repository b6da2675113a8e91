/** The message, for operators, names the database without a password. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';

  constructor(database: string, cause: unknown) {
    super(`cannot open the database ${database}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** There is no database, and the program may not create one. The message, for operators, names the place without a password. */
export class MissingDatabaseError extends Error {
  override readonly name: string = 'MissingDatabaseError';

  /** `place` is `the file /var/lib/tollgate.db` or `postgresql://host/database`. */
  constructor(place: string, message = `there is no database of Tollgate in ${place}`) {
    super(message);
  }
}

/** Only the process that creates a database in memory can use it. */
export class MemoryDatabaseError extends MissingDatabaseError {
  override readonly name = 'MemoryDatabaseError';

  constructor() {
    super('memory', 'a database in memory exists only while its gateway runs');
  }
}
