import type { ReservationId, Settlement } from '@tollgate/core';

/** Receives the events of the outbox, for logs and metrics. Its methods return at once and never throw. */
export interface OutboxReport {
  /** The ledger rejected a settlement; the outbox keeps it and tries again. */
  kept(reservationId: ReservationId, cause: unknown): void;
  /** The settlement could not be written to the disk; the outbox tries again as long as this process lives. */
  notStored(reservationId: ReservationId, cause: unknown): void;
  /** The ledger has accepted the settlement. */
  delivered(reservationId: ReservationId, settlement: Settlement): void;
  /** The ledger can never accept the settlement, or too many wait; the sweeper ends the reservation, if there is one. */
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
