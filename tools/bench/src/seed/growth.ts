import type { AccountId } from '@tollgate/core';

/** How much is in a database. */
export interface Growth {
  readonly accounts: number;
  /** Fewer than accounts, of which some then have none; or a multiple of them. */
  readonly keys: number;
  /** Only where every account has a key. */
  readonly usageRows: number;
}

const ID_DIGITS = 24;

function numbered(prefix: string, position: number): string {
  return `${prefix}_${String(position).padStart(ID_DIGITS, '0')}`;
}

/** The account that a number stands for. */
export function grownAccountId(position: number): AccountId {
  return numbered('acct', position) as AccountId;
}

/** The key that a number stands for. */
export function grownKeyId(position: number): string {
  return numbered('key', position);
}

/** A key and the account that it belongs to. */
export interface GrownKey {
  readonly keyId: string;
  readonly accountId: AccountId;
}

/** So many keys, or as many as there are, that lie all over those of a database and over its accounts, no two of the same account. */
export function spreadKeys({ accounts, keys }: Growth, wanted: number): readonly GrownKey[] {
  const count = Math.min(wanted, accounts, keys);
  return Array.from({ length: count }, (_none, position) => {
    if (keys < accounts) {
      const key = Math.floor((position * keys) / count);
      return { keyId: grownKeyId(key), accountId: grownAccountId(Math.floor((key * accounts) / keys)) };
    }
    const account = Math.floor((position * accounts) / count);
    const turn = Math.floor((position * Math.floor(keys / accounts)) / count);
    return { keyId: grownKeyId(account + accounts * turn), accountId: grownAccountId(account) };
  });
}
