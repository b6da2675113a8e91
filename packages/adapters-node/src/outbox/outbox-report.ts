import type { ReservationId, Settlement } from '@tollgate/core';

/** Told of what the outbox does, for logs and metrics. Must return at once and never throw. */
export interface OutboxReport {
  /** The ledger did not take a settlement, which is going to be tried again. */
  kept(reservationId: ReservationId, cause: unknown): void;
  /** It could not be written to the disk, so that it is tried again only as long as this process lives. */
  notStored(reservationId: ReservationId, cause: unknown): void;
  /** The ledger has taken it after all. */
  delivered(reservationId: ReservationId, settlement: Settlement): void;
  /** The ledger is never going to take it, or there were too many; the sweeper ends the reservation, if there is one. */
  dropped(reservationId: ReservationId, cause: unknown): void;
  /** The file could not be read to its end, or not be emptied. */
  fileProblem(problem: unknown): void;
}

export const SILENT_OUTBOX_REPORT: OutboxReport = {
  kept: () => undefined,
  notStored: () => undefined,
  delivered: () => undefined,
  dropped: () => undefined,
  fileProblem: () => undefined,
};
