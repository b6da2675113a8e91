import type { AdmissionEnd, AdmissionTicket, Instant } from '@tollgate/core';

export interface PendingRelease {
  readonly ticket: AdmissionTicket;
  readonly end: AdmissionEnd;
  /** Time at which Redis expires the slot by itself; `null` if the release must also correct later counts. */
  readonly until: Instant | null;
}

/** Releases per command, which take Redis a few milliseconds. */
const BATCH = 200;

/**
 * Releases that Redis could not accept, in memory until it returns: at most as many as concurrent requests. Those of unanswered admissions
 * are dropped after their slots' leases.
 */
export class PendingReleases {
  #releases: PendingRelease[] = [];

  keep(release: PendingRelease): void {
    this.#releases.push(release);
  }

  /** Sends batches one after the other. */
  async sendAll(now: Instant, send: (release: PendingRelease) => Promise<void>): Promise<void> {
    const releases = this.#releases.filter(({ until }) => until === null || now < until);
    this.#releases = [];
    for (let first = 0; first < releases.length; first += BATCH) await Promise.all(releases.slice(first, first + BATCH).map(send));
  }
}
