import { type BookedRequest, type Disagreement, findDisagreements } from '@tollgate/core';
import { encodeBookedRequest } from '../../encoding/encode-booked-request.js';
import { CommandFailure, EXIT_CODES } from '../../program/command-failure.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { bookedRequestLines } from './booked-request-lines.js';

/** All the books hold of one request, from its tokens to its ledger entries, and whether it agrees. */
export async function explainRequest({ store }: OperatorSession, id: string): Promise<Report> {
  const booked = await store.books.find(id);
  if (booked === null) {
    throw new CommandFailure(`the books know no request or reservation ${id}: nothing was ever set aside for it, so it was refused or never sent`);
  }
  const disagreements = findDisagreements(booked);
  return {
    json: { ...encodeBookedRequest(booked), agrees: disagreements.length === 0, disagreements: disagreements.map((one) => ({ ...one })) },
    lines: [...bookedRequestLines(booked), '', ...verdictLines(booked, disagreements)],
    exitCode: disagreements.length === 0 ? EXIT_CODES.done : EXIT_CODES.failed,
  };
}

function verdictLines({ record }: BookedRequest, disagreements: readonly Disagreement[]): readonly string[] {
  if (disagreements.length > 0) return ['These do NOT agree:', ...disagreements.map(({ what, expected, found }) => `  ${what}: expected ${expected}, found ${found}`)];
  return [record === null
    ? 'All agree: the request is running, and nothing is charged yet.'
    : 'All agree: tokens and prices, reservation, usage record and ledger entries.'];
}
