import { expect, it } from '@jest/globals';
import { instant, ServiceTokens, type VoucherBatch, type VoucherBatchId, VoucherCode } from '@tollgate/core';
import { encodeVoucherBatch, voucherCodesCsv } from './encode-voucher.js';

const BATCH: VoucherBatch = {
  id: 'vbatch_1' as VoucherBatchId, name: '=1+1, "fair"', note: null, amount: ServiceTokens.parse('2.5'), vouchers: 2, usesPerVoucher: 3, uses: 1, expiresAt: instant(1000), creditExpiresAfterDays: 30,
  createdAt: instant(0), revokedAt: null,
};

it('voucher codes as CSV have no cell that is a formula', () => {
  const codes = ['00000-00000-00000-00011', '00000-00000-00000-00150'].flatMap((text) => VoucherCode.parse(text) ?? []);
  const lines = [
    'code,svc_tokens,uses,expires_at,batch', `00000-00000-00000-00011,2.5,3,1970-01-01T00:00:01.000Z,"'=1+1, ""fair"""`, `00000-00000-00000-00150,2.5,3,1970-01-01T00:00:01.000Z,"'=1+1, ""fair"""`, '',
  ];
  expect(voucherCodesCsv(BATCH, codes, { bom: true })).toBe(`\uFEFF${lines.join('\r\n')}`);
  expect(voucherCodesCsv({ ...BATCH, expiresAt: null, name: 'Fair' }, codes.slice(1), { bom: false })).toBe('code,svc_tokens,uses,expires_at,batch\r\n00000-00000-00000-00150,2.5,3,,Fair\r\n');
});

it('a batch of vouchers is encoded with its terms, uses and status', () => {
  expect(encodeVoucherBatch(BATCH, instant(0))).toEqual({
    id: 'vbatch_1', object: 'voucher_batch', name: '=1+1, "fair"', note: null, status: 'active', svc_tokens: '2.5', code_count: 2, uses_per_code: 3, uses: 1, expires_at: '1970-01-01T00:00:01.000Z',
    credit_expires_after_days: 30, created_at: '1970-01-01T00:00:00.000Z', revoked_at: null,
  });
});
