import type { IssuerAdmissionOutcome, IssuerAdmission, IssuerRecords } from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { IssuerScripts } from './issuer-scripts.js';
import { PersonScripts } from './person-scripts.js';
import { TokenScripts } from './token-scripts.js';

/** Who signs in by an issuer, in any SQL database. */
export class SqlIssuerRecords implements IssuerRecords {
  private readonly issuers: IssuerScripts;

  constructor(queries: Queries, private readonly runner: ScriptRunner) {
    const people = new PersonScripts(queries);
    this.issuers = new IssuerScripts(queries, people, new TokenScripts(queries, people));
  }

  admit(admission: IssuerAdmission): Promise<IssuerAdmissionOutcome> {
    return this.runner.write(() => this.issuers.admit(admission));
  }
}
