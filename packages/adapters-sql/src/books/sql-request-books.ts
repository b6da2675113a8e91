import type { BookedRequest, RequestBooks } from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { bookedRequest } from './booked-request-script.js';
import { reservationIdOf } from './reservation-id-script.js';

/** The books of single requests, from any SQL database. */
export class SqlRequestBooks implements RequestBooks {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  find(id: string): Promise<BookedRequest | null> {
    const { queries } = this;
    return this.runner.readAtLeisure(function* readRequest() {
      const reservationId = yield* reservationIdOf(queries, id);
      return reservationId === null ? null : yield* bookedRequest(queries, reservationId);
    });
  }
}
