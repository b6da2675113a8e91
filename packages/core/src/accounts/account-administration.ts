import { requireDisplayName } from '../display-name.js';
import type { MoneyAct, MoneyActOutcome } from '../billing/money-act.js';
import { type AccountId, type ApiKeyId, invariant, type PersonId, type PlanId } from '../primitives.js';
import { ServiceTokens } from '../money/service-tokens.js';
import type { AccountChange, AccountRepository, KeyMark, OperatorLookups } from '../ports/accounts.js';
import type { Actor } from '../ports/audit.js';
import type { CatalogueSource } from '../ports/model-provider.js';
import type { Clock, IdGenerator } from '../ports/system.js';
import type { CreditOutcome, Ledger } from '../ports/ledger.js';
import { type Account, type AccountStanding, type StandingFacts, standingOf } from './account.js';
import { isMailAddress } from './mail-address.js';
import type { PersonDirectory } from '../ports/person-directory.js';
import type { BlockTerms } from '../platform/blocks.js';
import { decideStanding, type StandingRefusal, type StandingTrigger } from './standing.js';
import { type ErrorCode, GatewayError } from '../errors/gateway-error.js';

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

  /** Throws `invalid_request` for a name that is none. */
  async create({ email, name, planId, emailVerified, actor }: CreateAccountCommand): Promise<CreateAccountOutcome> {
    const { accounts, catalogue, ids, clock } = this.ports;
    if (!isMailAddress(email)) return { outcome: 'email-malformed' };
    requireDisplayName(name);
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

  /** Throws `invalid_request` for a name that is none. */
  async change(id: AccountId, change: AccountChange, actor: Actor): Promise<ChangeAccountOutcome> {
    const { accounts, catalogue, clock } = this.ports;
    requireDisplayName(change.name);
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

/** Carrying a deletion out takes more than a change of standing: see `AccountDeletion`. */
export type StandingAct = Exclude<StandingTrigger, 'carry-out-deletion'>;

/** A request for deletion says how long it is from being due; 0 makes it due at once. */
export type StandingCommand = { readonly accountId: AccountId; readonly actor: Actor } & (
  | { readonly trigger: 'request-deletion'; readonly graceMilliseconds: number }
  | { readonly trigger: 'block'; readonly terms?: BlockTerms }
  /** The owner reads the reason. */
  | { readonly trigger: 'suspend'; readonly reason?: string | null }
  | { readonly trigger: Exclude<StandingAct, 'request-deletion' | 'block' | 'suspend'> }
);

export type StandingOutcome =
  | { readonly outcome: 'changed' | 'unchanged'; readonly account: Account }
  | { readonly outcome: 'no-such-account' }
  | StandingRefusal;

const AUDITED_AS: Readonly<Record<StandingAct, string>> = {
  verify: 'account.verified', suspend: 'account.suspended', reactivate: 'account.reactivated', block: 'account.blocked',
  unblock: 'account.unblocked', 'request-deletion': 'account.deletion-requested', 'cancel-deletion': 'account.deletion-cancelled',
};
/** Each repetition means that another act on the same account came first. */
const MOST_ATTEMPTS = 10;

export interface AccountStandingsPorts {
  readonly accounts: Pick<AccountRepository, 'findById' | 'moveStanding'>;
  readonly clock: Clock;
}

/** Every change of an account's standing, by any actor and through any interface. */
export class AccountStandings {
  constructor(private readonly ports: AccountStandingsPorts) {}

  async perform(command: StandingCommand): Promise<StandingOutcome> {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const outcome = await this.attempt(command);
      if (outcome !== null) return outcome;
    }
    invariant(false, 'an account does not change that often at the same time');
  }

  /** `null` when the account changed between the look and the write. */
  private async attempt(command: StandingCommand): Promise<StandingOutcome | null> {
    const { accounts, clock } = this.ports;
    const { accountId, trigger, actor } = command;
    const account = await accounts.findById(accountId);
    if (account === null) return { outcome: 'no-such-account' };
    const at = clock.now();
    const graceMilliseconds = command.trigger === 'request-deletion' ? command.graceMilliseconds : 0;
    const decision = decideStanding(account, { trigger, actor: actor.kind, at, graceMilliseconds });
    if (decision.outcome === 'refused') return decision;
    if (decision.outcome === 'unchanged') return { outcome: 'unchanged', account };
    const terms = command.trigger === 'block' && command.terms !== undefined ? { terms: command.terms } : {};
    const reason = command.trigger === 'suspend' ? { reason: command.reason ?? null } : {};
    const move = { from: account, to: decision.to, action: AUDITED_AS[trigger], ...terms, ...reason };
    const isMoved = await accounts.moveStanding(accountId, move, { actor, at });
    return isMoved ? { outcome: 'changed', account: { ...account, ...decision.to } } : null;
  }
}

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

const REFUSALS: Readonly<Record<Exclude<AccountStanding, 'good'>, Refusal>> = {
  'blocked': { code: 'account_blocked', message: 'This account is blocked.' },
  'suspended': { code: 'account_inactive', message: 'This account is suspended.' },
  'pending-deletion': { code: 'account_inactive', message: 'This account is about to be deleted.' },
  'deleted': { code: 'account_inactive', message: 'This account is deleted.' },
  'email-unverified': { code: 'email_not_verified', message: 'The e-mail address of this account is not verified yet.' },
};

/** The refusal of an account that is served nothing; `accountId` where a key alone tells which it is. */
export function standingRefusal(standing: Exclude<AccountStanding, 'good'>, accountId?: AccountId): GatewayError {
  const { code, message } = REFUSALS[standing];
  return new GatewayError(code, message, accountId === undefined ? {} : { accountId });
}

/** Throws the refusal of an account whose standing is not good. */
export function requireGoodStanding(account: StandingFacts): void {
  const standing = standingOf(account);
  if (standing !== 'good') throw standingRefusal(standing);
}
