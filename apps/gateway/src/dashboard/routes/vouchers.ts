import {
  type AuditedBy, type CatalogueSource, type Clock, GatewayError, type Instant, type IssuedVouchers, MILLISECONDS_PER_SECOND, type RedemptionOutcome, refuseField, rfc3339, ServiceTokens, type VoucherBatchId,
  type VoucherPage, type Vouchers,
} from '@tollgate/core';
import { type BodyOf, contract, type ReplyOf } from '@tollgate/api-contract';
import { type AddressHashes, mailboxHashesOf } from '@tollgate/identity';
import { encodeBalance, encodeVoucherBatch, encodeVoucherUse, timeOrNull, voucherCodesCsv } from '@tollgate/wire-kit';
import { actorOf } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import { instantOf } from '../call/read-fields.js';

interface VoucherPorts {
  readonly vouchers: Vouchers;
  /** `null` without the installation's secret. */
  readonly mailboxes: AddressHashes | null;
  readonly catalogue: CatalogueSource;
  readonly clock: Clock;
}

export function voucherEndpoints(ports: VoucherPorts): readonly DashboardEndpoint[] {
  const { vouchers, mailboxes, clock } = ports;
  return [
    endpoint(contract.redeemVoucher)(async ({ visitor: { account, person }, body: { code }, call }) => {
      if (mailboxes === null) throw new GatewayError('conflict', 'Vouchers need the secret of the installation, which its operator has not set.');
      const by = { actor: actorOf(call, 'owner'), at: clock.now() };
      return encodeRedemption(await vouchers.redeem({ accountId: account.id, code, mailboxHashes: mailboxHashesOf(person.email, mailboxes) }, by), { ...ports, now: by.at });
    }),
    endpoint(contract.listVoucherBatches)(async ({ query }) => listBatches(query, ports)),
    endpoint(contract.createVouchers)(async ({ body, call }) => {
      const by = { actor: actorOf(call, 'operator'), at: clock.now() };
      const issued = await createBatch(body, vouchers, by);
      return { ...encodeIssued(issued, by.at), csv: voucherCodesCsv(issued.batch, issued.codes, { bom: true }) };
    }),
    endpoint(contract.readVoucherBatch)(async ({ params: { id } }) => readBatch(id, ports)),
    endpoint(contract.listVoucherUses)(async ({ params: { id }, query }) => listUses(id, query, ports)),
    endpoint(contract.revokeVoucherBatch)(async ({ params: { id }, call }) => revokeBatch(id, vouchers, { actor: actorOf(call, 'operator'), at: clock.now() })),
  ];
}

type BatchPorts = Pick<VoucherPorts, 'vouchers' | 'clock'>;

interface PageQuery extends Pick<VoucherPage, 'limit'> {
  readonly cursor?: string | undefined;
}

function invalidCursor(): GatewayError {
  return new GatewayError('invalid_request', 'cursor: must be the next_cursor of an earlier page.', { param: 'cursor' });
}

export async function listBatches({ limit, cursor }: PageQuery, { vouchers, clock }: BatchPorts) {
  const page = await vouchers.list({ limit, cursor: cursor ?? null });
  if (page === null) throw invalidCursor();
  const now = clock.now();
  return { object: 'list' as const, data: page.batches.map((batch) => encodeVoucherBatch(batch, now)), has_more: page.nextCursor !== null, next_cursor: page.nextCursor };
}

/** Throws `invalid_request` that names the field. */
export function createBatch(body: BodyOf<typeof contract.createVouchers>, issuer: Vouchers, by: AuditedBy): Promise<IssuedVouchers> {
  const { name, note, svc_tokens: amount, code_count: vouchers, uses_per_code: usesPerVoucher, expires_at: expiresAt, credit_expires_after_days: creditExpiresAfterDays } = body;
  return issuer.create({ name, note, amount: ServiceTokens.parse(amount), vouchers, usesPerVoucher, expiresAt: instantOf(expiresAt), creditExpiresAfterDays }, by);
}

/** The only answer with codes. */
export function encodeIssued({ batch, codes }: IssuedVouchers, now: Instant) {
  return { object: 'issued_vouchers' as const, batch: encodeVoucherBatch(batch, now), codes: codes.map((code) => code.reveal()) };
}

export async function readBatch(id: string, { vouchers, clock }: BatchPorts) {
  const batch = await vouchers.find(id as VoucherBatchId);
  if (batch === null) throw new GatewayError('not_found', `There is no batch of vouchers ${id}.`);
  return encodeVoucherBatch(batch, clock.now());
}

export async function listUses(id: string, { limit, cursor }: PageQuery, ports: BatchPorts) {
  const { id: known } = await readBatch(id, ports);
  const page = await ports.vouchers.uses(known, { limit, cursor: cursor ?? null });
  if (page === null) throw invalidCursor();
  return { object: 'list' as const, data: page.uses.map(encodeVoucherUse), has_more: page.nextCursor !== null, next_cursor: page.nextCursor };
}

export async function revokeBatch(id: string, vouchers: Vouchers, by: AuditedBy) {
  const batch = await vouchers.revoke(id as VoucherBatchId, by);
  if (batch === null) throw new GatewayError('not_found', `There is no batch of vouchers ${id}, or it is revoked.`);
  return encodeVoucherBatch(batch, by.at);
}

function encodeRedemption(redemption: RedemptionOutcome, { catalogue, now }: Pick<VoucherPorts, 'catalogue'> & { readonly now: Instant }): ReplyOf<typeof contract.redeemVoucher> {
  switch (redemption.outcome) {
    case 'refused':
      throw refuseField('code', 'is not valid. It may be mistyped, used, expired or revoked', { code: 'voucher_invalid' });
    case 'too-many-tries':
      throw new GatewayError('too_many_attempts', 'Too many wrong codes. Try again later.', { retryAfterSeconds: Math.max(1, Math.ceil((redemption.until - now) / MILLISECONDS_PER_SECOND)) });
    case 'account-inactive': throw new GatewayError('account_inactive', 'Vouchers can be redeemed for active accounts only.');
    case 'redeemed': case 'repeated': {
      const { use: { amount, at, creditExpiresAt }, balance, outcome } = redemption;
      return {
        object: 'voucher_redemption', repeated: outcome === 'repeated', svc_tokens: amount.toString(), redeemed_at: rfc3339(at), credit_expires_at: timeOrNull(creditExpiresAt),
        balance: encodeBalance(balance, catalogue.current().usdPerServiceToken),
      };
    }
  }
}
