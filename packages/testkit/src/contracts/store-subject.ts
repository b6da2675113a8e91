import {
  type Account, type AccountErasure, type AccountId, type AccountRepository, type ApiKey, type ApiKeyId, type AuditedBy, availableOf, type Booked, type BookingObservers, type Ending, type Instant, instant, type KeyBudget, type KnownHold, type KeyCreation,
  type KeyHash, type KeyDirectory, type KeyRepository, later, type LeaseRenewal, type Ledger, type LedgerAudit, type ProcessId, type RequestFacts, type RequestId, type ReservationId,
  type ReservationProgress, type ReserveOutcome, ServiceTokens, type Settlement, type SettleOutcome, type StandingFacts, SYSTEM_ACTOR, type UsageReader,
  type UsageTotals,
} from '@tollgate/core';
import { anAccount, anApiKey, aServedModel, outputUsage, requestFacts } from '../builders/builders.js';

/** The ports that contracts use, on one empty store. */
export interface StoreSubject {
  readonly accounts: AccountRepository;
  readonly keys: KeyRepository & KeyDirectory;
  readonly ledger: Ledger;
  readonly ledgerAudit: LedgerAudit;
  readonly bookings: BookingObservers;
  readonly usage: UsageReader;
  readonly usageTotals: UsageTotals;
  close?(): Promise<void>;
}

/** Opens an empty store, in a process with an id that no contract uses. */
export type MakeStore = () => StoreSubject | Promise<StoreSubject>;

export const STORE_ALICE = 'acct_alice' as AccountId;
export const STORE_BOB = 'acct_bob' as AccountId;
export const OWNER = 'process_owner' as ProcessId;
/** Noon in the middle of a month. */
export const STORE_NOON = instant(Date.UTC(2026, 10, 18, 12));
/** In milliseconds. Longer than every deadline in these contracts. */
const LONG = 900_000;

export function reservationId(number: number): ReservationId {
  return `rsv_${number}` as ReservationId;
}

export function requestId(number: number): RequestId {
  return `req_${number}` as RequestId;
}

export function keyHashOf(number: number): KeyHash {
  return String(number).padStart(64, '0') as KeyHash;
}

/** Key `number` of Alice. Key 1 is the oldest. */
export function numberedKey(number: number, differences: Partial<ApiKey> = {}): ApiKey {
  return anApiKey({ id: `key_${number}` as ApiKeyId, hash: keyHashOf(number), createdAt: later(STORE_NOON, number), ...differences });
}

export function creationOf(key: ApiKey, limits: Partial<KeyCreation> = {}): KeyCreation {
  return { key, maximumActive: 5, maximumPerHour: 20, actor: SYSTEM_ACTOR, ...limits };
}

interface ReserveRequest {
  /** The smallest amount that is reserved instead of the whole amount. By default, the whole amount. */
  readonly floor?: string;
  readonly owner?: ProcessId;
  readonly expiresAt?: Instant;
  readonly facts?: Partial<RequestFacts>;
  readonly budget?: KeyBudget;
  readonly purchaseOf?: RequestId;
  /** The time of the reservation. By default, the start of the request. */
  readonly at?: Instant;
}

/** Calls a store as the gateway does. Requests have numbers, and one owner with a lease of fifteen minutes. */
export class StoreDriver {
  /** Invariants that the test breaks, because it books acts of payments and vouchers that do not exist. */
  readonly broken = new Set<string>();
  /** The bookings that were announced so far. */
  readonly heard: Booked[] = [];

  /** Requires a store that already has the accounts. */
  constructor(readonly store: StoreSubject) {
    store.bookings.add({ booked: (booked) => void this.heard.push(booked) }, () => undefined);
  }

  /** Creates the accounts of Alice and Bob, with balances of zero. */
  static async start(make: MakeStore): Promise<StoreDriver> {
    const driver = new StoreDriver(await make());
    await driver.store.accounts.create(anAccount({ id: STORE_ALICE }), SYSTEM_ACTOR);
    await driver.store.accounts.create(anAccount({ id: STORE_BOB, email: 'bob@example.test', createdAt: instant(1) }), SYSTEM_ACTOR);
    await driver.renewLease(OWNER, later(STORE_NOON, LONG));
    return driver;
  }

  async close(): Promise<void> {
    await this.store.close?.();
  }

  async credit(amount: string, accountId: AccountId = STORE_ALICE): Promise<void> {
    await this.store.ledger.credit({
      accountId, amount: ServiceTokens.parse(amount), reference: `credit of ${amount}`, actor: SYSTEM_ACTOR, at: STORE_NOON,
    });
  }

  renewLease(ownerId: ProcessId, leaseExpiresAt: Instant): Promise<LeaseRenewal> {
    return this.store.ledger.checkpoint({ ownerId, progress: new Map(), at: STORE_NOON, leaseExpiresAt });
  }

  reserve(number: number, amount: string, { floor = amount, owner = OWNER, expiresAt = later(STORE_NOON, LONG), facts = {}, budget, purchaseOf, at }: ReserveRequest = {}): Promise<ReserveOutcome> {
    return this.store.ledger.reserve({
      reservationId: reservationId(number), ownerId: owner, amount: ServiceTokens.parse(amount), floor: ServiceTokens.parse(floor), expiresAt, budget: budget ?? null, purchaseOf: purchaseOf ?? null, ...(at === undefined ? {} : { at }),
      facts: requestFacts({ requestId: requestId(number), accountId: STORE_ALICE, ...facts }),
    });
  }

  /** `hold` is what the caller knows about the reservation. */
  settle(number: number, ending: Ending, hold?: KnownHold): Promise<SettleOutcome> {
    return this.store.ledger.settle({ reservationId: reservationId(number), ending, ...(hold === undefined ? {} : { hold }) });
  }

  /** Reserves zero for a request, then settles it. */
  async serve(number: number, ending: Ending, facts: Partial<RequestFacts> = {}): Promise<SettleOutcome> {
    await this.reserve(number, '0', { facts });
    return this.settle(number, ending);
  }

  /** An account's balance as `posted/reserved/available`. */
  async balance(accountId: AccountId = STORE_ALICE): Promise<string> {
    const balance = await this.store.ledger.balanceOf(accountId);
    return balance === null ? 'none' : [balance.posted, balance.reserved, availableOf(balance)].map((amount) => amount.toString()).join('/');
  }
}

/** The charge in service tokens and in USD, and the write-off. */
export function receiptOf({ charge, writeOff }: Pick<Settlement, 'charge' | 'writeOff'>): readonly [charged: string, usd: string, writtenOff: string] {
  return [charge.amount.toString(), charge.usd.toString(), writeOff.toString()];
}

/** Sets the standing of an account, without the rules for such changes. */
export async function changeStanding(accounts: AccountRepository, id: AccountId, differences: Partial<StandingFacts>, by: AuditedBy): Promise<void> {
  const from = await accounts.findById(id);
  if (from === null) throw new Error(`there is no account ${id}`);
  const { status, emailVerified, blocked, deletion } = { ...from, ...differences };
  await accounts.moveStanding(id, { from, to: { status, emailVerified, blocked, deletion }, action: 'account.changed' }, by);
}

/** Makes the deletion of an account due; returns the account, as `AccountErasure.deleteAccount` takes it. */
export async function scheduleDeletion(accounts: AccountRepository, id: AccountId): Promise<Account> {
  const deletion = { dueAt: STORE_NOON, returnsTo: 'active' } as const;
  await changeStanding(accounts, id, { status: 'pending-deletion', deletion }, { actor: SYSTEM_ACTOR, at: STORE_NOON });
  const pending = await accounts.findById(id);
  if (pending === null) throw new Error(`there is no account ${id}`);
  return pending;
}

/** Deletes an account, which must have no running requests. */
export async function deleteAccount({ accounts, erasure }: Pick<StoreSubject, 'accounts'> & { readonly erasure: AccountErasure }, id: AccountId): Promise<void> {
  const pending = await scheduleDeletion(accounts, id);
  const { outcome } = await erasure.deleteAccount(id, pending, { actor: SYSTEM_ACTOR, at: STORE_NOON });
  if (outcome !== 'deleted') throw new Error(`the account was not deleted: ${outcome}`);
}

/** A second owner of reservations. Tests set its lease themselves. */
export const OTHER_OWNER = 'process_other' as ProcessId;
export const ONE_MICRO_TOKEN = '0.000001';

/** Starts a driver for an empty store, whose books the suite checks after the test. */
export type StartStore = () => Promise<StoreDriver>;

/** The progress of a request with this number of output tokens. */
export function progressOf(tokens: number): ReservationProgress {
  return { service: aServedModel(), usage: outputUsage(tokens, { source: 'counted' }) };
}
