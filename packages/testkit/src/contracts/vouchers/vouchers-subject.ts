import {
  type Account, type AccountId, type AccountRepository, type AuditedBy, type AuditTrail, type CreateVouchers, type EventLog, instant, type Instant, type IssuedVouchers, type Ledger,
  type LedgerAudit, type RedemptionOutcome, ServiceTokens, SYSTEM_ACTOR, type VoucherCodeGenerator, type VoucherRecords, Vouchers,
} from '@tollgate/core';
import type { SecretTokens } from '@tollgate/identity';
import { anAccount } from '../../builders/builders.js';
import { STORE_ALICE, STORE_BOB, STORE_NOON } from '../store-subject.js';

interface VoucherStore {
  readonly vouchers: VoucherRecords;
  readonly accounts: AccountRepository;
  readonly auditTrail: AuditTrail;
  readonly events: EventLog;
  readonly ledger: Ledger;
  readonly ledgerAudit: LedgerAudit;
}

/** One empty store, opened by two gateways. */
export interface VouchersSubject {
  readonly store: VoucherStore;
  readonly other: Pick<VoucherStore, 'vouchers'>;
  readonly tokens: SecretTokens;
  readonly ids: VoucherCodeGenerator;
  close?(): Promise<void>;
}

const SPRING: CreateVouchers = { name: 'Spring', note: null, amount: ServiceTokens.parse('5'), vouchers: 1, usesPerVoucher: 1, expiresAt: null, creditExpiresAfterDays: null };

export function voucherBy(at: Instant = STORE_NOON): AuditedBy {
  return { actor: SYSTEM_ACTOR, at };
}

interface Try {
  readonly at?: Instant;
  readonly mailbox?: string;
  readonly over?: Vouchers;
}

/** Issues and redeems vouchers as two gateways on one database do. Alice and Bob have accounts with a balance of zero. */
export class VouchersDriver {
  readonly vouchers: Vouchers;
  readonly elsewhere: Vouchers;

  private constructor(readonly subject: VouchersSubject) {
    this.vouchers = this.over(subject.store.vouchers);
    this.elsewhere = this.over(subject.other.vouchers);
  }

  static async start(make: () => Promise<VouchersSubject>): Promise<VouchersDriver> {
    const driver = new VouchersDriver(await make());
    await driver.addAccount({ id: STORE_ALICE });
    await driver.addAccount({ id: STORE_BOB, email: 'bob@example.test', createdAt: instant(1) });
    return driver;
  }

  over(records: VoucherRecords): Vouchers {
    return new Vouchers({ records, codes: this.subject.ids, tokens: this.subject.tokens });
  }

  async addAccount(differences: Partial<Account>): Promise<AccountId> {
    const account = anAccount(differences);
    await this.subject.store.accounts.create(account, SYSTEM_ACTOR);
    return account.id;
  }

  async issue(differences: Partial<CreateVouchers> = {}, at = STORE_NOON): Promise<IssuedVouchers & { readonly texts: readonly string[] }> {
    const issued = await this.vouchers.create({ ...SPRING, ...differences }, voucherBy(at));
    return { ...issued, texts: issued.codes.map((code) => code.reveal()) };
  }

  /** Redeems a code. The mailbox is by default one that only this account has. */
  redeem(accountId: AccountId, code: string | undefined, { at = STORE_NOON, mailbox = accountId, over = this.vouchers }: Try = {}): Promise<RedemptionOutcome> {
    return over.redeem({ accountId, code: code ?? '', mailboxHashes: [`hash of ${mailbox}`, `older hash of ${mailbox}`] }, voucherBy(at));
  }

  async balance(accountId: AccountId = STORE_ALICE): Promise<string> {
    return (await this.subject.store.ledger.balanceOf(accountId))?.posted.toString() ?? 'none';
  }

  async assertSoundBooks(): Promise<void> {
    const { differences } = await this.subject.store.ledgerAudit.verify();
    if (differences.length > 0) throw new Error(`the books do not balance: ${JSON.stringify(differences)}`);
  }
}
