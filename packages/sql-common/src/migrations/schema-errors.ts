/** This program cannot use the schema of the database. Operators see the message. */
export class UnusableSchemaError extends Error {
  override readonly name: string = 'UnusableSchemaError';
}

/** A newer program has migrated the database, so this one must not use it. */
export class NewerDatabaseError extends UnusableSchemaError {
  override readonly name = 'NewerDatabaseError';

  constructor(unknownSteps: readonly string[]) {
    super(`the database was written by a newer version of Tollgate (it has ${unknownSteps.join(', ')}); start that version, or restore a backup made before it`);
  }
}

/** The database has an older schema, and readers do not migrate. */
export class OlderDatabaseError extends UnusableSchemaError {
  override readonly name = 'OlderDatabaseError';

  constructor(place: string, pendingSteps: readonly string[]) {
    super(`${place} has the schema of an older version of Tollgate (it lacks ${pendingSteps.join(', ')}); read it with that version, or let a gateway or \`tollgate database create\` migrate it first`);
  }
}

/** The database is from before the first release. Its schema is not supported. */
export class UnreleasedDatabaseError extends UnusableSchemaError {
  override readonly name = 'UnreleasedDatabaseError';

  constructor() {
    super('the database was made by a version of Tollgate before the first release, and this version cannot migrate it; set DATABASE_URL to a new database, or start the version that made this one');
  }
}
