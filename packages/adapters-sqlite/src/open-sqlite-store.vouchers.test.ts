import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { RandomIds, RandomSecretTokens } from '@tollgate/adapters-node';
import { ServiceTokens, SYSTEM_ACTOR, Vouchers } from '@tollgate/core';
import { STORE_NOON, vouchersContract } from '@tollgate/testkit';
import { OTHER_PROCESS, vouchersOver } from '@tollgate/sql-common/testing';
import { storeFile } from './test-support/stores.js';

vouchersContract('SQLite file', async () => {
  const place = storeFile();
  const store = await place.open();
  return vouchersOver(store, await place.open(OTHER_PROCESS), () => place.remove());
});

it('no voucher code is in the files of a database', async () => {
  const place = storeFile();
  const store = await place.open();
  const vouchers = new Vouchers({ records: store.vouchers, codes: new RandomIds(), tokens: new RandomSecretTokens() });
  const { codes } = await vouchers.create(
    { name: 'canary', note: null, amount: ServiceTokens.parse('5'), vouchers: 100, usesPerVoucher: 1, expiresAt: null, creditExpiresAfterDays: null }, { actor: SYSTEM_ACTOR, at: STORE_NOON },
  );
  const files = ['', '-wal'].flatMap((suffix) => (existsSync(place.file + suffix) ? [readFileSync(place.file + suffix, 'latin1')] : [])).join('');
  const [first] = codes;
  expect([files.includes('canary'), files.includes(first?.hint().slice(0, 5) ?? '-')]).toEqual([true, true]);
  expect(codes.filter((code) => files.includes(code.reveal()) || files.includes(code.reveal().replaceAll('-', '')))).toEqual([]);
  await store.close();
  place.remove();
});
