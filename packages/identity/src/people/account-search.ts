import { type Account, type AccountRepository, type OperatorLookups, type PersonId, readAccountMark } from '@tollgate/core';
import type { PersonDirectory } from './person-directory.js';

export interface AccountSearchPorts {
  readonly accounts: Pick<AccountRepository, 'findById' | 'findByEmail'>;
  readonly people: Pick<PersonDirectory, 'find'>;
  readonly lookups: Pick<OperatorLookups, 'accountsByKey'>;
}

function asList(account: Account | null): readonly Account[] {
  return account === null ? [] : [account];
}

/** By e-mail address, id of an account, person or key, or last characters of a key. */
export class AccountSearch {
  constructor(private readonly ports: AccountSearchPorts) {}

  /** At most `MAX_ACCOUNTS_BY_KEY`; none for a text of another kind. Addresses match completely, in any case. */
  async find(text: string): Promise<readonly Account[]> {
    const mark = readAccountMark(text);
    if (mark === null) return [];
    const { accounts, lookups } = this.ports;
    switch (mark.kind) {
      case 'email': return asList(await accounts.findByEmail(mark.email));
      case 'account': return asList(await accounts.findById(mark.id));
      case 'person': return asList(await this.accountOfPerson(mark.id));
      case 'key': return lookups.accountsByKey(mark.key);
    }
  }

  private async accountOfPerson(id: PersonId): Promise<Account | null> {
    const person = await this.ports.people.find(id);
    return person === null || person.accountId === null ? null : this.ports.accounts.findById(person.accountId);
  }
}
