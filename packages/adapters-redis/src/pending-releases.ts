import type { AdmissionEnd, AdmissionTicket, Instant } from '@tollgate/core';

export interface PendingRelease {
  readonly ticket: AdmissionTicket;
  readonly end: AdmissionEnd;
  /** When Redis itself will have given back what it is about; `null` where it counts later, too. */
  readonly until: Instant | null;
}

/** Sent together; a few milliseconds' work for Redis, far below the time a command may take. */
const BATCH = 200;

/**
 * Releases that Redis could not take, kept in memory until it is back: of requests that ran when it went away, so there are never more than
 * one process runs at once, and of admissions without an answer, which are forgotten with the first attempt after their slots' leases.
 */
export class PendingReleases {
  #releases: PendingRelease[] = [];

  keep(release: PendingRelease): void {
    this.#releases.push(release);
  }

  /** Hands over all that are kept and still count, batch by batch, waiting for each. */
  async sendAll(now: Instant, send: (release: PendingRelease) => Promise<void>): Promise<void> {
    const releases = this.#releases.filter(({ until }) => until === null || now < until);
    this.#releases = [];
    for (let first = 0; first < releases.length; first += BATCH) await Promise.all(releases.slice(first, first + BATCH).map(send));
  }
}
