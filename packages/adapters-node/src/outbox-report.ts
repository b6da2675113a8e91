import type { ReservationId, Settlement } from '@tollgate/core';

/** Receives the events of the outbox, for logs and metrics. Its methods return at once and never throw. */
export interface OutboxReport {
  /** The ledger rejected a settlement; the outbox keeps it and tries again. */
  kept(reservationId: ReservationId, cause: unknown): void;
  /** The settlement could not be written to the disk; the outbox tries again as long as this process lives. */
  notStored(reservationId: ReservationId, cause: unknown): void;
  /** The ledger has accepted the settlement. */
  delivered(reservationId: ReservationId, settlement: Settlement): void;
  /** The ledger can never accept the settlement; the sweeper ends the reservation, if there is one. */
  dropped(reservationId: ReservationId, cause: unknown): void;
  /** The file could not be read to its end, or not be emptied. */
  fileProblem(problem: unknown): void;
  /** The file can no longer be written or synced. Told once until `fileWorks`. */
  fileFailing(problem: unknown): void;
  fileWorks(): void;
  /** Too many reservations to give back wait; this one and those after it are left to the sweeper. Told once for a process. */
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
