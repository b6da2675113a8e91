import type { Clock } from '../primitives/clock.js';
import type { AccountId } from '../primitives/ids.js';
import { BrokenInvariant } from '../primitives/invariant.js';
import type { NamedStatement, StatementIssuer } from './statement-document.js';
import type { StatementDifference, StatementFile, StatementPage, StatementQuery, StatementReader, StatementRecords, StatementStep } from './statement-records.js';

/** A function per format that prints a statement as a file. */
export type StatementPrinters = Readonly<Record<StatementFile, (statement: NamedStatement) => Promise<Uint8Array>>>;

export interface StatementPorts {
  readonly records: StatementRecords;
  readonly printers: StatementPrinters;
  readonly issuer: StatementIssuer;
  readonly clock: Clock;
}

export interface MadeStatements {
  readonly made: number;
  /** `busy`: another process makes statements. */
  readonly outcome: 'done' | 'busy';
}

export interface StatementVerification {
  readonly accounts: number;
  readonly statements: number;
  /** At most `MAX_STATEMENT_DIFFERENCES`. */
  readonly differences: readonly StatementDifference[];
}

export const MAX_STATEMENT_DIFFERENCES = 100;

/** Maximum attempts to print a file. An attempt is repeated only if the account was erased during it. */
const MAX_PRINTS = 3;

/** Makes and shows the monthly statements of accounts. */
export class Statements {
  constructor(private readonly ports: StatementPorts) {}

  makeSome(): Promise<StatementStep> {
    const { records, issuer, clock } = this.ports;
    return records.makeSome(issuer, clock.now());
  }

  /** Makes all statements that are due, unless another process does. Calls `onFailure` after each step, since a later step may throw. */
  async makeAll(onFailure: (failure: unknown) => void): Promise<MadeStatements> {
    let made = 0;
    for (;;) {
      const { made: more, outcome, failures } = await this.makeSome();
      made += more;
      for (const failure of failures) onFailure(failure);
      if (outcome !== 'more') return { made, outcome };
    }
  }

  list(query: StatementQuery): Promise<StatementPage> {
    return this.ports.records.list(query);
  }

  /** `null` if there is no such statement or it belongs to another account. If `accountId` is `null`, finds the statements of all accounts. */
  async find(number: number, accountId: AccountId | null): Promise<NamedStatement | null> {
    const statement = await this.ports.records.find(number);
    return statement === null || (accountId !== null && statement.account_id !== accountId) ? null : statement;
  }

  /** Returns the same bytes each time, because the first print is kept until the account is erased. `null` if `find` returns `null`. */
  async file(number: number, format: StatementFile, accountId: AccountId | null): Promise<Uint8Array | null> {
    const { records, printers } = this.ports;
    for (let prints = 0; prints < MAX_PRINTS; prints += 1) {
      const statement = await this.find(number, accountId);
      if (statement === null) return null;
      const file = { number, format, hasNames: statement.names !== null };
      const kept = await records.file(file) ?? await records.keepFile(file, await printers[format](statement));
      if (kept !== null) return kept;
    }
    throw new BrokenInvariant('a statement loses its names at most once');
  }
}

/**
 * Compares all statements with the ledger in steps, and calls `onProgress` with the sums so far after each step. Stops early at
 * `MAX_STATEMENT_DIFFERENCES`.
 */
export async function verifyAllStatements(records: StatementReader, onProgress: (sums: StatementVerification) => void = () => undefined): Promise<StatementVerification> {
  let sums: StatementVerification = { accounts: 0, statements: 0, differences: await records.verifyNumbers() };
  for (let last: AccountId | null = null; ;) {
    const some = await records.verifySome(last);
    last = some.last;
    sums = {
      accounts: sums.accounts + some.accounts, statements: sums.statements + some.statements,
      differences: [...sums.differences, ...some.differences].slice(0, MAX_STATEMENT_DIFFERENCES),
    };
    onProgress(sums);
    if (last === null || sums.differences.length === MAX_STATEMENT_DIFFERENCES) return sums;
  }
}
