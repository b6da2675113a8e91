import { serviceModule } from '@tollgate/composition';
import { HmacAddressHashes } from '@tollgate/adapters-node';
import { NO_VOUCHERS } from '../adapters/no-vouchers.js';
import { services } from './services.js';

const { store, secret, voucherRecords, mailboxes } = services;

export const voucherModule = serviceModule((make) => {
  make(voucherRecords, { store }, (parts) => parts.store.vouchers ?? NO_VOUCHERS);
  make(mailboxes, { secret }, (parts) => (parts.secret === null ? null : new HmacAddressHashes(parts.secret.keysFor('signup-credit'))));
});
