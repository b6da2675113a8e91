import type { AuditedBy, PersonId } from '@tollgate/core';
import type { BeginTotp, FactorRecords, FactorState, ProofCommand, ProofResult, RemoveTotp, ReplaceRecoveryCodes, WrongPassword } from '@tollgate/identity';
import type { Queries, ScriptRunner } from '../script/script.js';
import { FactorScripts } from './factor-scripts.js';
import { ProofScripts } from './proof-scripts.js';
import { PersonScripts } from './sql-person-records.js';

/** Second factors in any SQL database. */
export class SqlFactorRecords implements FactorRecords {
  private readonly factors: FactorScripts;
  private readonly proofs: ProofScripts;

  constructor(queries: Queries, private readonly runner: ScriptRunner) {
    this.factors = new FactorScripts(queries, new PersonScripts(queries));
    this.proofs = new ProofScripts(queries, this.factors);
  }

  find(personId: PersonId): Promise<FactorState> {
    return this.runner.read(() => this.factors.find(personId));
  }

  beginTotp(command: BeginTotp): Promise<boolean> {
    return this.runner.write(() => this.factors.begin(command));
  }

  prove(command: ProofCommand, by: AuditedBy): Promise<ProofResult> {
    return this.runner.write(() => this.proofs.prove(command, by));
  }

  noteWrongPassword(wrong: WrongPassword): Promise<void> {
    return this.runner.write(() => this.factors.noteWrongPassword(wrong));
  }

  replaceRecoveryCodes(command: ReplaceRecoveryCodes, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => this.factors.replaceCodes(command, by));
  }

  removeTotp(command: RemoveTotp, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => this.factors.remove(command, by));
  }
}
