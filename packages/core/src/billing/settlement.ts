import type { ReservationId } from '../ids.js';
import type { Charge } from '../money/charge.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { Balance } from './balance.js';
import type { Instant } from '../time/instant.js';
import type { Ending } from './usage-record.js';

/** What a request was really charged: the figures of the ledger entry, the usage record and the reply. */
export interface Settlement {
  readonly charge: Charge;
  readonly writeOff: ServiceTokens;
  /** Right after this settlement. */
  readonly balance: Balance;
}

export interface SettleCommand {
  readonly reservationId: ReservationId;
  readonly ending: Ending;
  /** When; as the request ended unless given. */
  readonly at?: Instant;
}
