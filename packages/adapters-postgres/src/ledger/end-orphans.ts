import { endingOfOrphan, type Instant, invariant } from '@tollgate/core';
import { type EndedOrphan, type OrphanRound, reservationFromRow, type ReservationRow } from '@tollgate/sql-common';
import { isTransient } from '../connection/connection-failures.js';
import type { Session } from '../connection/session.js';
import { bookedBy, settleOperation } from './money-operation.js';
import { performOperations } from './perform-operations.js';

/** Runs the task within a savepoint, so that a failure rolls back the task alone. Rethrows transient errors. */
async function inSavepoint<T>(session: Session, task: () => Promise<T>): Promise<{ readonly done: T } | { readonly failure: unknown }> {
  await session.query('savepoint orphans');
  try {
    return { done: await task() };
  } catch (thrown) {
    if (isTransient(thrown)) throw thrown;
    await session.query('rollback to savepoint orphans');
    return { failure: thrown };
  }
}

async function settleOrphans<Row extends ReservationRow>(session: Session, rows: readonly Row[], now: Instant): Promise<readonly EndedOrphan<Row>[]> {
  const commands = rows.map((row) => {
    const reservation = reservationFromRow(row);
    return { reservationId: reservation.id, ending: endingOfOrphan(reservation, now) };
  });
  const answers = await performOperations(session, commands.map(settleOperation));
  return rows.map((row, place) => {
    const [answer, command] = [answers[place], commands[place]];
    const booked = answer === undefined || command === undefined ? null : bookedBy(answer, command);
    invariant(booked !== null, 'a held reservation is ended once');
    return { row, booked };
  });
}

/** Ends reservations at their checkpoints, all in one statement. If one of them fails, ends them one by one. */
export async function endOrphans<Row extends ReservationRow>(session: Session, rows: readonly Row[], now: Instant): Promise<OrphanRound<Row>> {
  if (rows.length === 0) return { ended: [], failures: [] };
  const together = await inSavepoint(session, () => settleOrphans(session, rows, now));
  if ('done' in together) return { ended: together.done, failures: [] };
  const [ended, failures]: [EndedOrphan<Row>[], unknown[]] = [[], []];
  for (const row of rows) {
    const alone = await inSavepoint(session, () => settleOrphans(session, [row], now));
    if ('done' in alone) ended.push(...alone.done);
    else failures.push(alone.failure);
  }
  return { ended, failures };
}
