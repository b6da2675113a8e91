import type { Account, AccountId, Balance, KeyMark, MoneyActPage, MoneyActQuery, OperatorLookups } from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { OperatorLookupScripts } from './operator-lookup-scripts.js';

/** What operators look up, in any SQL database. */
export class SqlOperatorLookups implements OperatorLookups {
  private readonly scripts: OperatorLookupScripts;

  constructor(queries: Queries, private readonly runner: Pick<ScriptRunner, 'read'>) {
    this.scripts = new OperatorLookupScripts(queries);
  }

  accountsByKey(mark: KeyMark): Promise<readonly Account[]> {
    return this.runner.read(() => this.scripts.accountsByKey(mark));
  }

  balancesOf(ids: readonly AccountId[]): Promise<readonly (Balance | null)[]> {
    return this.runner.read(() => this.scripts.balancesOf(ids));
  }

  moneyActs(accountId: AccountId, query: MoneyActQuery): Promise<MoneyActPage> {
    return this.runner.read(() => this.scripts.moneyActs(accountId, query));
  }
}
