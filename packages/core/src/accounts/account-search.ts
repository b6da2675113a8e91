import type { AccountId, ApiKeyId, PersonId } from '../ids.js';
import type { AccountRepository } from '../ports/account-repository.js';
import type { KeyMark, OperatorLookups } from '../ports/operator-lookups.js';
import type { PersonDirectory } from '../ports/person-directory.js';
import type { Account } from './account.js';

/** What an operator searches accounts by. */
export type AccountMark =
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'account'; readonly id: AccountId }
  | { readonly kind: 'person'; readonly id: PersonId }
  | { readonly kind: 'key'; readonly key: KeyMark };

/** The last four characters of a key's secret, also as a hint shows them (`sk-Ab…wXyZ`). */
const KEY_ENDING = /^(?:sk-[A-Za-z0-9]{2}…)?([A-Za-z0-9]{4})$/;

/** What a text names; `null` for a text that no account is found by. */
export function readAccountMark(text: string): AccountMark | null {
  const name = text.trim();
  if (name.includes('@')) return { kind: 'email', email: name };
  if (name.startsWith('acct_')) return { kind: 'account', id: name as AccountId };
  if (name.startsWith('person_')) return { kind: 'person', id: name as PersonId };
  if (name.startsWith('key_')) return { kind: 'key', key: { kind: 'id', id: name as ApiKeyId } };
  const ending = KEY_ENDING.exec(name)?.[1];
  return ending === undefined ? null : { kind: 'key', key: { kind: 'ending', ending } };
}

export interface AccountSearchPorts {
  readonly accounts: Pick<AccountRepository, 'findById' | 'findByEmail'>;
  readonly people: Pick<PersonDirectory, 'find'>;
  readonly lookups: Pick<OperatorLookups, 'accountsByKey'>;
}

function asList(account: Account | null): readonly Account[] {
  return account === null ? [] : [account];
}

/** Finds accounts for operators: by e-mail address, by the id of account, person or key, and by the end of a key's secret. */
export class AccountSearch {
  constructor(private readonly ports: AccountSearchPorts) {}

  /** At most `MOST_ACCOUNTS_BY_KEY` accounts; none for a text that names nothing. Addresses match whole, in any letter case. */
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
