import type { CreditCommand, CreditOutcome } from '../billing/credit.js';
import type { Ledger } from '../billing/ledger.js';
import type { MoneyAct, MoneyActOutcome } from '../billing/money-act.js';
import { requireDisplayName } from '../errors/require-display-name.js';
import type { CatalogueSource } from '../models/catalogue-source.js';
import { ServiceTokens } from '../money/service-tokens.js';
import type { Actor } from '../platform/actor.js';
import type { Clock } from '../primitives/clock.js';
import type { IdGenerator } from '../primitives/id-generator.js';
import { isMailAddress } from '../primitives/mail-address.js';
import type { AccountId, PlanId } from '../primitives/ids.js';
import { invariant } from '../primitives/invariant.js';
import type { AccountChange, AccountRepository } from './account-repository.js';
import { type Account, type AccountMetadata, newAccount } from './account.js';
import { requireExternalId, requireMetadata } from './account-metadata.js';

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
  readonly emailVerified: boolean;
  readonly externalId?: string | null;
  readonly metadata?: AccountMetadata;
  readonly actor: Actor;
}

export type CreateAccountOutcome =
  | { readonly outcome: 'created'; readonly account: Account }
  | { readonly outcome: 'email-taken' | 'external-id-taken' | 'email-malformed' | 'no-such-plan' };

/** A credit that is booked at the current time. */
export type CreditAccountCommand = Omit<CreditCommand, 'at'>;

/** A money act that is booked at the current time. */
export type BookCommand = MoneyAct extends infer Act ? Act extends MoneyAct ? Omit<Act, 'at'> : never : never;

export type ChangeAccountOutcome =
  | { readonly outcome: 'changed'; readonly account: Account }
  | { readonly outcome: 'no-such-account' | 'no-such-plan' | 'no-such-price-list' | 'external-id-taken' };

/** Operators' acts on accounts. Every change is audited. */
export class AccountAdministration {
  constructor(private readonly ports: AccountAdministrationPorts) {}

  /** Throws `invalid_request` that names the field if name, external id or metadata is invalid. */
  async create({ email, name, planId, emailVerified, externalId = null, metadata = {}, actor }: CreateAccountCommand): Promise<CreateAccountOutcome> {
    const { accounts, catalogue, ids, clock } = this.ports;
    if (!isMailAddress(email)) return { outcome: 'email-malformed' };
    requireDisplayName(name);
    requireExternalId(externalId);
    requireMetadata(metadata);
    if (catalogue.current().plan(planId) === null) return { outcome: 'no-such-plan' };
    const account = newAccount({ id: ids.accountId(), email, name, planId, emailVerified, createdAt: clock.now(), externalId, metadata });
    const outcome = await accounts.create(account, actor);
    return outcome === 'created' ? { outcome, account } : { outcome };
  }

  /** Idempotent by reference. Throws `invalid_request` if the expiry of a new credit is not in the future, or the balance would exceed `MAX_BALANCE`. */
  async credit(command: CreditAccountCommand): Promise<CreditOutcome> {
    invariant(ServiceTokens.ZERO.isLessThan(command.amount), 'a credit is more than zero');
    return this.ports.ledger.credit({ ...command, at: this.ports.clock.now() });
  }

  /** Idempotent by reference. Throws `invalid_request` if the expiry of a new credit is not in the future, or the balance would exceed `MAX_BALANCE`. */
  async book(command: BookCommand): Promise<MoneyActOutcome> {
    return this.ports.ledger.book({ ...command, at: this.ports.clock.now() });
  }

  /** Throws `invalid_request` that names the field if name, external id or metadata is invalid. */
  async change(id: AccountId, change: AccountChange, actor: Actor): Promise<ChangeAccountOutcome> {
    const { accounts, catalogue, clock } = this.ports;
    requireDisplayName(change.name);
    requireExternalId(change.externalId);
    requireMetadata(change.metadata);
    if (change.planId !== undefined && catalogue.current().plan(change.planId) === null) return { outcome: 'no-such-plan' };
    const { priceList = null } = change;
    if (priceList !== null && catalogue.current().priceList(priceList) === null) return { outcome: 'no-such-price-list' };
    const account = await accounts.change(id, change, { actor, at: clock.now() });
    if (account === 'external-id-taken') return { outcome: account };
    return account === null ? { outcome: 'no-such-account' } : { outcome: 'changed', account };
  }
}
