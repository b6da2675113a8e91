import { type AccountErasure, type AuditTrail, type LedgerAudit, MOST_WAITING_MAILS, type OperatorControls, type OperatorLookups } from '@tollgate/core';
import { MemoryAccountErasure } from './erasure/memory-account-erasure.js';
import { MemoryAccounts } from './accounts/memory-accounts.js';
import { MemoryAuditTrail } from './audit/memory-audit-trail.js';
import { MemoryIdempotency } from './idempotency/memory-idempotency.js';
import { MemoryInstallation } from './installation/memory-installation.js';
import { MemoryKeySpending } from './keys/memory-key-spending.js';
import { MemoryKeys } from './keys/memory-keys.js';
import { MemoryLedger } from './ledger/memory-ledger.js';
import { MemoryOperatorLookups } from './lookups/memory-operator-lookups.js';
import { MemoryMailOutbox } from './mail/memory-mail-outbox.js';
import { MemoryChallenges } from './people/memory-challenges.js';
import { MemoryIssuerLinks, MemoryIssuers } from './people/memory-issuers.js';
import { MemoryPasskeys } from './people/memory-passkeys.js';
import { MemoryFactors } from './people/memory-factors.js';
import { MemoryPeople } from './people/memory-people.js';
import { MemorySignupCredits } from './people/memory-signup-credits.js';
import { MemorySessions } from './people/memory-sessions.js';
import { MemoryBlocks } from './blocks/memory-blocks.js';
import { MemoryPlatform } from './platform/memory-platform.js';
import { MemoryUsage } from './usage/memory-usage.js';
import { MemoryUsageTotals } from './usage/memory-usage-totals.js';
import { UsageJournal } from './usage/usage-journal.js';

/** Everything that a database would keep, as adapters that belong together. */
export interface MemoryStore {
  readonly accounts: MemoryAccounts;
  readonly erasure: AccountErasure;
  readonly keys: MemoryKeys;
  readonly ledger: MemoryLedger;
  readonly ledgerAudit: LedgerAudit;
  readonly usage: MemoryUsage;
  readonly usageTotals: MemoryUsageTotals;
  readonly idempotency: MemoryIdempotency;
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
    storeMail: (notice) => void mail.store(notice, MOST_WAITING_MAILS), factorsOf: (id) => people.get(id)?.person.factors ?? [], lowerSessions: (id) => sessions.lower(id),
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
  const signIn = createPeople({ accounts, keys, ledger, mail, audit });
  return {
    accounts,
    erasure: new MemoryAccountErasure({ accounts, keys, ledger, idempotency, people: signIn.people, mail, audit }),
    keys,
    ledger,
    ledgerAudit: ledger,
    usage: new MemoryUsage(journal, ledger.transfers),
    usageTotals: new MemoryUsageTotals(journal),
    idempotency,
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
