import type {
  AddPasskeyOutcome, AuditedBy, NewPasskey, PasskeyId, PasskeyRecords, PasskeyRemoval, PasskeyUse, PersonId, RemovePasskeyOutcome, StoredPasskey,
} from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { PasskeyScripts } from './passkey-scripts.js';

/** Passkeys in any SQL database. */
export class SqlPasskeyRecords implements PasskeyRecords {
  private readonly passkeys: PasskeyScripts;

  constructor(queries: Queries, private readonly runner: ScriptRunner) {
    this.passkeys = new PasskeyScripts(queries);
  }

  add(passkey: NewPasskey, by: AuditedBy): Promise<AddPasskeyOutcome> {
    return this.runner.write(() => this.passkeys.add(passkey, by));
  }

  list(personId: PersonId): Promise<readonly StoredPasskey[]> {
    return this.runner.read(() => this.passkeys.list(personId));
  }

  findByCredential(credentialId: string): Promise<StoredPasskey | null> {
    return this.runner.read(() => this.passkeys.byCredential(credentialId));
  }

  use(use: PasskeyUse): Promise<boolean> {
    return this.runner.write(() => this.passkeys.use(use));
  }

  rename(personId: PersonId, id: PasskeyId, name: string): Promise<boolean> {
    return this.runner.write(() => this.passkeys.rename(personId, id, name));
  }

  remove(removal: PasskeyRemoval, by: AuditedBy): Promise<RemovePasskeyOutcome> {
    return this.runner.write(() => this.passkeys.remove(removal, by));
  }
}
