import type { Clock } from '../primitives/clock.js';
import { type AccountId, BrokenInvariant } from '../primitives/primitives.js';
import type { NamedStatement, StatementIssuer } from './statement-document.js';
import type { StatementDifference, StatementFile, StatementPage, StatementQuery, StatementRecords, StatementStep } from './statement-records.js';

/** Bytes of a statement as a file. */
export type StatementPrinters = Readonly<Record<StatementFile, (statement: NamedStatement) => Promise<Uint8Array>>>;

export interface StatementPorts {
  readonly records: StatementRecords;
  readonly printers: StatementPrinters;
  readonly issuer: StatementIssuer;
  readonly clock: Clock;
}

export interface StatementVerification {
  readonly accounts: number;
  readonly statements: number;
  /** At most `MAX_STATEMENT_DIFFERENCES`. */
  readonly differences: readonly StatementDifference[];
}

export const MAX_STATEMENT_DIFFERENCES = 100;

/** More would need an erasure during each of them. */
const MAX_PRINTS = 3;

/** Makes, shows and verifies the monthly statements of accounts. */
export class Statements {
  constructor(private readonly ports: StatementPorts) {}

  makeSome(): Promise<StatementStep> {
    const { records, issuer, clock } = this.ports;
    return records.makeSome(issuer, clock.now());
  }

  /** The number of statements made. */
  async makeAll(): Promise<number> {
    let made = 0;
    for (;;) {
      const step = await this.makeSome();
      made += step.made;
      if (step.outcome !== 'more') return made;
    }
  }

  list(query: StatementQuery): Promise<StatementPage> {
    return this.ports.records.list(query);
  }

  /** `null` if there is none, or it is another account's; an `accountId` of `null` finds any. */
  async find(number: number, accountId: AccountId | null): Promise<NamedStatement | null> {
    const statement = await this.ports.records.find(number);
    return statement === null || (accountId !== null && statement.account_id !== accountId) ? null : statement;
  }

  /** The same bytes each time: the first print is kept until an erasure removes it. `null` like `find`. */
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

  /** Reads some accounts at a time. */
  async verify(): Promise<StatementVerification> {
    const { records } = this.ports;
    const sums = { accounts: 0, statements: 0, differences: [...await records.verifyNumbers()] };
    for (let last: AccountId | null = null; ;) {
      const some = await records.verifySome(last);
      sums.accounts += some.accounts;
      sums.statements += some.statements;
      sums.differences.push(...some.differences);
      last = some.last;
      if (last === null || sums.differences.length >= MAX_STATEMENT_DIFFERENCES) break;
    }
    return { ...sums, differences: sums.differences.slice(0, MAX_STATEMENT_DIFFERENCES) };
  }
}
