/** The schema of the database is not one that this program can use. The message is for the operator. */
export class UnusableSchemaError extends Error {
  override readonly name: string = 'UnusableSchemaError';
}

/** The database was written by a newer program than this one, which therefore must not touch it. */
export class NewerDatabaseError extends UnusableSchemaError {
  override readonly name = 'NewerDatabaseError';

  constructor(unknownSteps: readonly string[]) {
    super(`the database was written by a newer version of Tollgate (it has ${unknownSteps.join(', ')}); start that version, or restore a backup made before it`);
  }
}

/** The database has the schema of an older version, which a reader does not migrate. */
export class OlderDatabaseError extends UnusableSchemaError {
  override readonly name = 'OlderDatabaseError';

  constructor(place: string, pendingSteps: readonly string[]) {
    super(`${place} has the schema of an older version of Tollgate (it lacks ${pendingSteps.join(', ')}); read it with that version, or let a gateway or \`tollgate database create\` migrate it first`);
  }
}

/** The database was created before the first release; its schema is not supported. */
export class UnreleasedDatabaseError extends UnusableSchemaError {
  override readonly name = 'UnreleasedDatabaseError';

  constructor() {
    super('the database was made by a version of Tollgate before the first release, and this version cannot migrate it; set DATABASE_URL to a new database, or start the version that made this one');
  }
}
