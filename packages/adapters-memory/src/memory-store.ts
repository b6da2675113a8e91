import {
  type Account, type AccountErasure, type AccountId, type AuditTrail, type Balance, type BookingObservers, type InstallationRegistry, type KeyMark,
  type LedgerAudit, type MoneyActPage, type MoneyActQuery, MAX_ACCOUNTS_BY_KEY, type OperatorAct,
  type OperatorControls, type OperatorLookups, type SecretClaim, type SecretFingerprints,
} from '@tollgate/core';
import { MemoryAuditTrail } from './memory-audit-trail.js';
import { MemoryAccountErasure, MemoryAccounts, MemoryBlocks } from './memory-accounts.js';
import { MemoryKeys } from './memory-keys.js';
import { MemoryLedger } from './memory-ledger.js';
import { MemoryIdempotency } from './memory-idempotency.js';
import { MemoryKeySpending } from './ledger-book.js';
import { MemoryMailOutbox } from './memory-mail-outbox.js';
import { MemoryChallenges, MemoryFactors } from './memory-factors.js';
import { MemoryIssuerLinks, MemoryIssuers, MemoryPasskeys } from './memory-passkeys.js';
import { MemoryPeople } from './memory-people.js';
import { MemorySignupCredits } from './person-entries.js';
import { MemorySessions } from './memory-sessions.js';
import { MemoryPlatform } from './memory-platform.js';
import { MemoryResponses } from './memory-responses.js';
import { MemoryUsage, MemoryUsageTotals, UsageJournal } from './memory-usage.js';

/** Which secret this process's store belongs to. */
export class MemoryInstallation implements InstallationRegistry {
  #fingerprint: string | null = null;

  constructor(private readonly audit: MemoryAuditTrail) {}

  async fingerprint(): Promise<string | null> {
    return this.#fingerprint;
  }

  async claim({ current, previous }: SecretFingerprints, by: OperatorAct): Promise<SecretClaim> {
    const recorded = this.#fingerprint;
    if (recorded === current) return 'same';
    if (recorded !== null && recorded !== previous) return 'other';
    this.#fingerprint = current;
    if (recorded === null) return 'recorded';
    this.audit.record({ ...by, action: 'installation.secret-rotated', subject: 'installation', accountId: null, details: {} });
    return 'rotated';
  }

  async forget(by: OperatorAct): Promise<boolean> {
    if (this.#fingerprint === null) return false;
    this.#fingerprint = null;
    this.audit.record({ ...by, action: 'installation.secret-forgotten', subject: 'installation', accountId: null, details: {} });
    return true;
  }
}

export interface MemoryLookupParts {
  readonly accounts: MemoryAccounts;
  readonly keys: MemoryKeys;
  readonly ledger: MemoryLedger;
}

/** What operators look up in the memory adapters. */
class MemoryOperatorLookups implements OperatorLookups {
  constructor(private readonly parts: MemoryLookupParts) {}

  async accountsByKey(mark: KeyMark): Promise<readonly Account[]> {
    const { keys, accounts } = this.parts;
    const ids = new Set(mark.kind === 'id' ? [keys.accountWith(mark.id)] : keys.endingIn(mark.ending).map(({ accountId }) => accountId));
    return [...ids].slice(0, MAX_ACCOUNTS_BY_KEY).flatMap((id) => (id === null ? [] : accounts.get(id) ?? []));
  }

  balancesOf(ids: readonly AccountId[]): Promise<readonly (Balance | null)[]> {
    return Promise.all(ids.map((id) => this.parts.ledger.balanceOf(id)));
  }

  async moneyActs(accountId: AccountId, query: MoneyActQuery): Promise<MoneyActPage> {
    return this.parts.ledger.moneyActs.page(accountId, query);
  }
}

/** Everything that a database would keep, as adapters that belong together. */
export interface MemoryStore {
  readonly accounts: MemoryAccounts;
  readonly erasure: AccountErasure;
  readonly keys: MemoryKeys;
  readonly ledger: MemoryLedger;
  readonly ledgerAudit: LedgerAudit;
  readonly bookings: BookingObservers;
  readonly usage: MemoryUsage;
  readonly usageTotals: MemoryUsageTotals;
  readonly idempotency: MemoryIdempotency;
  readonly responses: MemoryResponses;
  readonly mail: MemoryMailOutbox;
  readonly people: MemoryPeople;
  readonly sessions: MemorySessions;
  readonly passkeys: MemoryPasskeys;
  readonly issuers: MemoryIssuers;
  readonly factors: MemoryFactors;
  readonly platform: MemoryPlatform;
  readonly controls: OperatorControls;
  readonly lookups: OperatorLookups;
  readonly installation: MemoryInstallation;
  /** Also shows its entries. */
  readonly audit: MemoryAuditTrail;
  readonly auditTrail: AuditTrail;
}

/** People, with all by which they sign in. */
function createPeople({ accounts, keys, ledger, mail, audit }: Pick<MemoryStore, 'accounts' | 'keys' | 'ledger' | 'mail' | 'audit'>) {
  const challenges = new MemoryChallenges();
  const passkeys = new MemoryPasskeys(challenges, audit);
  const links = new MemoryIssuerLinks();
  const sessions = new MemorySessions(passkeys, links, audit);
  const factors = new MemoryFactors({ sessions, mail, audit });
  const people = new MemoryPeople({
    accounts, sessions, factors, passkeys, links, signupCredits: new MemorySignupCredits(ledger), mail, audit, isInUse: (id) => keys.hasAny(id) || ledger.moneyActs.hasAny(id),
  });
  factors.readPeopleFrom((id) => people.get(id));
  passkeys.readOwnersFrom({
    hasToken: (session) => sessions.hasToken(session), raiseSession: (session, provenAt) => sessions.renew(session, { assurance: 'two-factor', provenAt }),
    storeMail: (notice) => void mail.store(notice), factorsOf: (id) => people.get(id)?.person.factors ?? [], lowerSessions: (id) => sessions.lower(id),
    accountOf: (id) => people.get(id)?.person.accountId ?? null,
  });
  return { people, sessions, factors, passkeys, issuers: new MemoryIssuers(people, links, challenges) };
}

/** A store that begins empty and is gone with its process. */
export function createMemoryStore(): MemoryStore {
  const audit = new MemoryAuditTrail();
  const blocks = new MemoryBlocks();
  const accounts = new MemoryAccounts(audit, blocks);
  const spending = new MemoryKeySpending();
  const keys = new MemoryKeys({ accounts, audit, spending, blocks });
  const mail = new MemoryMailOutbox();
  const platform = new MemoryPlatform({ audit, blocks, accounts, keys });
  const journal = new UsageJournal();
  const ledger = new MemoryLedger({ accounts, keys, spending, usage: journal, audit });
  const idempotency = new MemoryIdempotency({ ledger, usage: journal });
  const responses = new MemoryResponses();
  const signIn = createPeople({ accounts, keys, ledger, mail, audit });
  return {
    accounts,
    erasure: new MemoryAccountErasure({ accounts, keys, ledger, idempotency, responses, people: signIn.people, mail, audit }),
    keys,
    ledger,
    ledgerAudit: ledger,
    bookings: ledger.bookings,
    usage: new MemoryUsage(journal, ledger.transfers),
    usageTotals: new MemoryUsageTotals(journal),
    idempotency,
    responses,
    mail,
    ...signIn,
    platform,
    controls: platform,
    lookups: new MemoryOperatorLookups({ accounts, keys, ledger }),
    installation: new MemoryInstallation(audit),
    audit,
    auditTrail: audit,
  };
}
