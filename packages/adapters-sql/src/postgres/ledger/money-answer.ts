import {
  chargeOf, invariant, type ReserveOutcome, ServiceTokens, type Settlement, type TokenRate,
} from '@tollgate/core';
import { balanceFromRow } from '../../ledger/balance-row.js';

/** How one operation went, and what was on its account right after it. */
export interface MoneyAnswer {
  readonly outcome: string;
  readonly balance: bigint;
  readonly reserved: bigint;
  readonly charged: bigint;
  readonly written_off: bigint;
  readonly usd_rate: string | null;
}

export function reserveOutcome({ outcome, balance, reserved }: MoneyAnswer): ReserveOutcome {
  invariant(outcome !== 'not-held', 'only a held reservation is extended');
  return outcome === 'reserved' ? { outcome } : { outcome: 'insufficient', available: ServiceTokens.fromUnits(balance - reserved) };
}

export function settlementFrom({ outcome, balance, reserved, charged, written_off, usd_rate }: MoneyAnswer): Settlement {
  invariant(outcome === 'settled' && usd_rate !== null, 'a settlement names a reservation that exists');
  return {
    charge: chargeOf(ServiceTokens.fromUnits(charged), usd_rate as TokenRate),
    writeOff: ServiceTokens.fromUnits(written_off),
    balance: balanceFromRow({ balance, reserved }),
  };
}
