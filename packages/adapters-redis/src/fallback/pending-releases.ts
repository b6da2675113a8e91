import type { AdmissionEnd, AdmissionTicket } from '@tollgate/core';

export interface PendingRelease {
  readonly ticket: AdmissionTicket;
  readonly end: AdmissionEnd;
}

/** Sent together; a few milliseconds' work for Redis, far below the time a command may take. */
const BATCH = 200;

/**
 * Releases that Redis could not take, kept in memory until it is back.
 * They are of requests that ran when it went away, so there are never more than one process runs at once.
 */
export class PendingReleases {
  #releases: PendingRelease[] = [];

  keep(release: PendingRelease): void {
    this.#releases.push(release);
  }

  /** Hands over all that are kept, batch by batch, waiting for each. */
  async sendAll(send: (release: PendingRelease) => Promise<void>): Promise<void> {
    const releases = this.#releases;
    this.#releases = [];
    for (let first = 0; first < releases.length; first += BATCH) await Promise.all(releases.slice(first, first + BATCH).map(send));
  }
}
