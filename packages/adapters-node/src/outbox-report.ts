import type { ReservationId, Settlement } from '@tollgate/core';

/** For logs and metrics. Methods return at once and never throw. */
export interface OutboxReport {
  /** The ledger did not accept a settlement, which is being queued. `notStored` follows if that fails. */
  kept(reservationId: ReservationId, cause: unknown): void;
  /**
   * The settlement could not be synced, or too many are waiting. It is retried while this process lives. With a hold, it is retried with
   * a maximum charge of zero: the request is free, and a charge that took effect nevertheless is reversed.
   */
  notStored(reservationId: ReservationId, cause: unknown): void;
  delivered(reservationId: ReservationId, settlement: Settlement): void;
  /**
   * The ledger can never accept the settlement; the sweeper ends the reservation, if there is one. With `ReversalRefused`, the reservation has been
   * charged more than promised, and an operator has to refund the excess.
   */
  dropped(reservationId: ReservationId, cause: unknown): void;
  /** The file could not be read completely, or it could not be emptied. */
  fileProblem(problem: unknown): void;
  /** The file can no longer be written or synced. Called once until `fileWorks`. */
  fileFailing(problem: unknown): void;
  fileWorks(): void;
  /** Too many releases wait, so this one is left to the sweeper, as are later ones while there is no room. Called once per process. */
  releaseDropped(reservationId: ReservationId): void;
}

export const SILENT_OUTBOX_REPORT: OutboxReport = {
  kept: () => undefined,
  notStored: () => undefined,
  delivered: () => undefined,
  dropped: () => undefined,
  fileProblem: () => undefined,
  fileFailing: () => undefined,
  fileWorks: () => undefined,
  releaseDropped: () => undefined,
};
