import { type Instant, MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE, ServiceTokens, SYSTEM_ACTOR, Vouchers } from '@tollgate/core';
import type { Resident, World } from '../world/open-world.js';

interface Terms {
  readonly amount: string;
  readonly vouchers: number;
  readonly usesPerVoucher?: number;
  readonly days?: number;
}

/** The batch from which each resident has redeemed a voucher. */
export interface VouchersInUse {
  readonly batchId: string;
  /** Code of a voucher that is not redeemed. */
  readonly code: string;
}

/** Adds three batches: a revoked one, one that is used up, and one from which each resident has redeemed a voucher. */
export async function addVouchers({ gateway, clock }: World, residents: readonly Resident[], inUse = 'Spring fair'): Promise<VouchersInUse> {
  const vouchers = gateway.container.get(Vouchers);
  const end = clock.now();
  const create = async (name: string, { amount, vouchers: count, usesPerVoucher = 1, days }: Terms) => {
    clock.stopAt((clock.now() + MILLISECONDS_PER_MINUTE) as Instant);
    const by = { actor: SYSTEM_ACTOR, at: clock.now() };
    const expiresAt = days === undefined ? null : (by.at + days * MILLISECONDS_PER_DAY) as Instant;
    return vouchers.create({ name, note: null, amount: ServiceTokens.parse(amount), vouchers: count, usesPerVoucher, expiresAt, creditExpiresAfterDays: days ?? null }, by);
  };
  const redeem = async ({ accountId }: Resident, code: string) => {
    clock.stopAt((clock.now() + MILLISECONDS_PER_MINUTE) as Instant);
    await vouchers.redeem({ accountId, code, mailboxHashes: [accountId] }, { actor: SYSTEM_ACTOR, at: clock.now() });
  };
  clock.stopAt((end - MILLISECONDS_PER_DAY) as Instant);
  const { batch: leaked } = await create('Flyers of last year', { amount: '5', vouchers: 10_000 });
  await vouchers.revoke(leaked.id, { actor: SYSTEM_ACTOR, at: clock.now() });
  const single = await create('An apology to one customer, with a name that is rather long', { amount: '123456.123456', vouchers: 1 });
  const { batch, codes } = await create(inUse, { amount: '50', vouchers: 200, usesPerVoucher: 2, days: 90 });
  const [first, second, third = ''] = codes.map((code) => code.reveal());
  const [one] = residents;
  if (one !== undefined) await redeem(one, single.codes[0]?.reveal() ?? '');
  for (const resident of residents) await redeem(resident, (resident === one ? first : second) ?? '');
  clock.stopAt(end);
  return { batchId: batch.id, code: third };
}
