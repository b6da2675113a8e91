/** There is no database of Tollgate where the settings say, and none may be made. The message is for the operator: it names the place, and no password. */
export class MissingDatabaseError extends Error {
  override readonly name = 'MissingDatabaseError';

  /** `place` is `the file /var/lib/tollgate.db` or `postgresql://host/database`. */
  constructor(readonly place: string) {
    super(`there is no database of Tollgate in ${place}`);
  }
}
