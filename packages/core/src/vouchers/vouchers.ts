import { checkFields, refuseField } from '../errors/field-fault.js';
import { requireDisplayName } from '../errors/require-display-name.js';
import type { AuditedBy } from '../platform/actor.js';
import type { AccountId } from '../primitives/ids.js';
import type { TokenHash } from '../primitives/hashes.js';
import { type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR } from '../primitives/time.js';
import {
  MAX_VOUCHER_DAYS, MAX_VOUCHER_NOTE_CHARACTERS, MAX_VOUCHER_USES, MAX_VOUCHERS_PER_BATCH, type StoredVoucher, type VoucherBatch, type VoucherBatchId,
  voucherIdOf, type VoucherTerms,
} from './voucher.js';
import { VoucherCode } from './voucher-code.js';
import {
  type RedemptionOutcome, type VoucherBatchPage, type VoucherPage, type VoucherRecords, type VoucherUsePage, VOUCHERS_PER_STEP,
} from './voucher-records.js';

/** Every code is unique and from a cryptographic source. */
export interface VoucherCodeGenerator {
  /** `vbatch_<id>` */
  voucherBatchId(): VoucherBatchId;
  voucherCode(): VoucherCode;
}

export interface VouchersParts {
  readonly records: VoucherRecords;
  readonly codes: VoucherCodeGenerator;
  readonly tokens: { hash(text: string): TokenHash };
}

export interface CreateVouchers extends VoucherTerms {
  readonly vouchers: number;
}

/** A new batch with its codes, which cannot be read again later. */
export interface IssuedVouchers {
  readonly batch: VoucherBatch;
  readonly codes: readonly VoucherCode[];
}

export interface RedeemVoucher {
  readonly accountId: AccountId;
  /** The code as the owner typed it. */
  readonly code: string;
  /** See `Redemption`. */
  readonly mailboxHashes: readonly string[];
}

export const MAX_TYPED_VOUCHER_CHARACTERS = 64;
/** A batch that is unpublished after this time was left by a process that exited. */
const UNPUBLISHED_MILLISECONDS = MILLISECONDS_PER_HOUR;

function isCount(count: number, most: number): boolean {
  return Number.isSafeInteger(count) && count >= 1 && count <= most;
}

function requireCount(field: string, count: number, maximum: number): void {
  if (!isCount(count, maximum)) throw refuseField(field, `must be from 1 to ${maximum}`, { code: 'out_of_range', minimum: 1, maximum });
}

function requireNote(note: string | null): void {
  const maximum = MAX_VOUCHER_NOTE_CHARACTERS;
  if (note !== null && note.length > maximum) throw refuseField('note', `must have at most ${maximum} characters`, { code: 'too_long', maximum });
}

function requireExpiry(expiresAt: Instant | null, now: Instant): void {
  if (expiresAt === null) return;
  const days = MAX_VOUCHER_DAYS;
  if (expiresAt <= now) throw refuseField('expires_at', 'must be in the future', { code: 'not_in_future' });
  if (expiresAt > later(now, days * MILLISECONDS_PER_DAY)) throw refuseField('expires_at', `must be at most ${days} days ahead`, { code: 'too_far_ahead', days });
}

/** Throws `invalid_request` that names all invalid fields. */
function checkTerms({ name, note, vouchers, usesPerVoucher, expiresAt, creditExpiresAfterDays }: CreateVouchers, now: Instant): Promise<unknown> {
  return checkFields(
    () => requireDisplayName(name),
    () => requireNote(note),
    () => requireCount('code_count', vouchers, MAX_VOUCHERS_PER_BATCH),
    () => requireCount('uses_per_code', usesPerVoucher, MAX_VOUCHER_USES),
    () => creditExpiresAfterDays === null || requireCount('credit_expires_after_days', creditExpiresAfterDays, MAX_VOUCHER_DAYS),
    () => requireExpiry(expiresAt, now),
  );
}

/** Issues codes for operators, and redeems them for owners. The store has hashes and hints of codes, never the codes. */
export class Vouchers {
  constructor(private readonly parts: VouchersParts) {}

  /**
   * Creates all vouchers or none, in steps that do not hold up other requests. Throws `invalid_request` that names all invalid fields, except the
   * amount: the caller must ensure that it is greater than zero.
   */
  async create(command: CreateVouchers, by: AuditedBy): Promise<IssuedVouchers> {
    await checkTerms(command, by.at);
    const { records, codes } = this.parts;
    for (const id of await records.unpublished(later(by.at, -UNPUBLISHED_MILLISECONDS))) await records.discard(id);
    const batch: VoucherBatch = { ...command, id: codes.voucherBatchId(), uses: 0, createdAt: by.at, revokedAt: null };
    await records.begin(batch);
    try {
      const issued = await this.issueCodes(batch);
      await records.publish(batch.id, by);
      return { batch, codes: issued };
    } catch (failure) {
      // A batch that cannot be discarded now is discarded by a later creation.
      await records.discard(batch.id).catch(() => undefined);
      throw failure;
    }
  }

  /** Newest first. `null` for an invalid cursor. */
  list(page: VoucherPage): Promise<VoucherBatchPage | null> {
    return this.parts.records.list(page);
  }

  find(id: VoucherBatchId): Promise<VoucherBatch | null> {
    return this.parts.records.find(id);
  }

  /** Newest first. `null` for an invalid cursor. */
  uses(id: VoucherBatchId, page: VoucherPage): Promise<VoucherUsePage | null> {
    return this.parts.records.uses(id, page);
  }

  /** Revokes a batch: its codes with uses left are refused from then on. `null` if there is no such batch or it is already revoked. */
  revoke(id: VoucherBatchId, by: AuditedBy): Promise<VoucherBatch | null> {
    return this.parts.records.revoke(id, by);
  }

  redeem({ accountId, code: text, mailboxHashes }: RedeemVoucher, by: AuditedBy): Promise<RedemptionOutcome> {
    const code = text.length > MAX_TYPED_VOUCHER_CHARACTERS ? null : VoucherCode.parse(text);
    return this.parts.records.redeem({ accountId, hash: code === null ? null : this.hashOf(code), mailboxHashes }, by);
  }

  private async issueCodes({ id, vouchers }: VoucherBatch): Promise<readonly VoucherCode[]> {
    const issued: VoucherCode[] = [];
    while (issued.length < vouchers) {
      const first = issued.length + 1;
      const codes = Array.from({ length: Math.min(VOUCHERS_PER_STEP, vouchers - issued.length) }, () => this.parts.codes.voucherCode());
      const stored = codes.map((code, index): StoredVoucher => ({ id: voucherIdOf(id, first + index), hash: this.hashOf(code), hint: code.hint() }));
      await this.parts.records.add(id, stored);
      issued.push(...codes);
    }
    return issued;
  }

  private hashOf(code: VoucherCode): TokenHash {
    return this.parts.tokens.hash(code.reveal());
  }
}
