import type { MoneyAct, MoneyActOutcome } from '../billing/money-act.js';
import type { AccountId, ApiKeyId, PersonId, PlanId } from '../ids.js';
import { ServiceTokens } from '../money/service-tokens.js';
import { invariant } from '../invariant.js';
import type { AccountChange, AccountRepository, KeyMark, OperatorLookups } from '../ports/accounts.js';
import type { Actor } from '../ports/audit.js';
import type { CatalogueSource } from '../ports/model-provider.js';
import type { Clock, IdGenerator } from '../ports/system.js';
import type { CreditOutcome, Ledger } from '../ports/ledger.js';
import { type Account, isEmail } from './account.js';
import type { PersonDirectory } from '../ports/person-directory.js';

export interface AccountAdministrationPorts {
  readonly accounts: AccountRepository;
  readonly ledger: Ledger;
  readonly catalogue: CatalogueSource;
  readonly ids: IdGenerator;
  readonly clock: Clock;
}

export interface CreateAccountCommand {
  readonly email: string;
  readonly name: string;
  readonly planId: PlanId;
  /** Whether the address is already verified as the owner's. */
  readonly emailVerified: boolean;
  readonly actor: Actor;
}

export type CreateAccountOutcome =
  | { readonly outcome: 'created'; readonly account: Account }
  | { readonly outcome: 'email-taken' | 'email-malformed' | 'no-such-plan' };

export interface CreditAccountCommand {
  readonly accountId: AccountId;
  /** More than zero. */
  readonly amount: ServiceTokens;
  /** The same reference credits once. */
  readonly reference: string;
  /** Why, in the operator's words; none unless given. */
  readonly reason?: string | null;
  readonly actor: Actor;
}

/** An act of money, booked when it is asked for. */
export type BookCommand = MoneyAct extends infer Act ? Act extends MoneyAct ? Omit<Act, 'at'> : never : never;

export type ChangeAccountOutcome =
  | { readonly outcome: 'changed'; readonly account: Account }
  | { readonly outcome: 'no-such-account' | 'no-such-plan' };

/** What operators do to accounts. Every act is audited as its actor's. */
export class AccountAdministration {
  constructor(private readonly ports: AccountAdministrationPorts) {}

  async create({ email, name, planId, emailVerified, actor }: CreateAccountCommand): Promise<CreateAccountOutcome> {
    const { accounts, catalogue, ids, clock } = this.ports;
    if (!isEmail(email)) return { outcome: 'email-malformed' };
    if (catalogue.current().plan(planId) === null) return { outcome: 'no-such-plan' };
    const account: Account = {
      id: ids.accountId(), email, name, planId, status: 'active', emailVerified, blocked: false, deletion: null, createdAt: clock.now(),
    };
    const outcome = await accounts.create(account, actor);
    return outcome === 'created' ? { outcome, account } : { outcome };
  }

  async credit(command: CreditAccountCommand): Promise<CreditOutcome> {
    invariant(ServiceTokens.ZERO.isLessThan(command.amount), 'a credit is more than zero, or it would be a debit that nothing explains');
    return this.ports.ledger.credit({ ...command, at: this.ports.clock.now() });
  }

  /** Credits, refunds and corrections; once per reference. */
  book(command: BookCommand): Promise<MoneyActOutcome> {
    return this.ports.ledger.book({ ...command, at: this.ports.clock.now() });
  }

  async change(id: AccountId, change: AccountChange, actor: Actor): Promise<ChangeAccountOutcome> {
    const { accounts, catalogue, clock } = this.ports;
    if (change.planId !== undefined && catalogue.current().plan(change.planId) === null) return { outcome: 'no-such-plan' };
    const account = await accounts.change(id, change, { actor, at: clock.now() });
    return account === null ? { outcome: 'no-such-account' } : { outcome: 'changed', account };
  }
}

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
