import {
  chargeOf, invariant, type ReserveOutcome, ServiceTokens, type Settlement, type TokenRate,
} from '@tollgate/core';
import { balanceFromRow } from '../../ledger/balance-row.js';

/** How one operation went, and what was on its account right after it. */
export interface MoneyAnswer {
  readonly outcome: string;
  readonly balance: bigint;
  readonly reserved: bigint;
  /** Means something for a reservation only. */
  readonly set_aside: bigint | null;
  /** What was left of the key's limit before; `null` without one. */
  readonly key_left: bigint | null;
  readonly charged: bigint;
  readonly written_off: bigint;
  readonly usd_rate: string | null;
}

function refused({ outcome, balance, reserved, key_left }: MoneyAnswer): ReserveOutcome {
  if (outcome === 'key-limit') return { outcome, left: ServiceTokens.fromUnits(key_left ?? 0n) };
  return { outcome: 'insufficient', available: ServiceTokens.fromUnits(balance - reserved) };
}

export function reserveOutcome(answer: MoneyAnswer): ReserveOutcome {
  if (answer.outcome !== 'reserved') return refused(answer);
  invariant(answer.set_aside !== null, 'a reservation says what was set aside');
  return { outcome: 'reserved', amount: ServiceTokens.fromUnits(answer.set_aside) };
}

/** An extension is of the whole amount. */
export function extendOutcome(answer: MoneyAnswer, amount: ServiceTokens): ReserveOutcome {
  invariant(answer.outcome !== 'not-held', 'only a held reservation is extended');
  return answer.outcome === 'reserved' ? { outcome: 'reserved', amount } : refused(answer);
}

export function settlementFrom({ outcome, balance, reserved, charged, written_off, usd_rate }: MoneyAnswer): Settlement {
  invariant(outcome === 'settled' && usd_rate !== null, 'a settlement names a reservation that exists');
  return {
    charge: chargeOf(ServiceTokens.fromUnits(charged), usd_rate as TokenRate),
    writeOff: ServiceTokens.fromUnits(written_off),
    balance: balanceFromRow({ balance, reserved }),
  };
}
