import { type ApiKeyId, type Instant, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import { RecentCache } from '@tollgate/sql-common';

/** A key's date of last use is kept to the minute, to spare a write per request. */
export const LAST_USE_PRECISION_MILLISECONDS = MILLISECONDS_PER_MINUTE;

interface Use {
  readonly at: Instant;
}

/** Uses of keys that this process has written down lately, to spare the database the question. Only what is committed is to be noted. */
export class KeyUseBuffer {
  private readonly latest = new RecentCache<ApiKeyId, Use>();

  /** Whether a use at this time is certain not to change the date that is kept. */
  covers(keyId: ApiKeyId, at: Instant): boolean {
    const latest = this.latest.get(keyId);
    return latest !== null && at < latest.at + LAST_USE_PRECISION_MILLISECONDS;
  }

  note(keyId: ApiKeyId, at: Instant): void {
    this.latest.set(keyId, { at });
  }
}
