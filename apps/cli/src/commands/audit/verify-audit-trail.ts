import { assertNever, type AuditTrailVerification } from '@tollgate/core';
import { EXIT_CODES } from '../../program/command-failure.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';

export async function verifyAuditTrail({ store }: OperatorSession): Promise<Report> {
  const verification = await store.auditTrail.verifyAuditTrail();
  const { entries, firstBrokenEntry, fault } = verification;
  return {
    json: { entries, first_broken_entry: firstBrokenEntry, fault },
    lines: [verdict(verification)],
    exitCode: firstBrokenEntry === null ? EXIT_CODES.done : EXIT_CODES.failed,
  };
}

function verdict({ entries, firstBrokenEntry: entry, fault }: AuditTrailVerification): string {
  switch (fault) {
    case null: return `${entries} entries, all as they were written`;
    case 'altered': return `entry ${entry} of ${entries} is not as it was written, or does not follow the entry before it, which was rewritten then`;
    case 'missing': return `entry ${entry} of ${entries} is missing, and others follow it`;
    case 'cut-off': return `the trail is cut off: of ${entries} entries that were written, ${entry} and all after it are missing`;
    case 'added': return `entry ${entry} was added otherwise than by Tollgate, which wrote ${entries}`;
    default: return assertNever(fault);
  }
}
