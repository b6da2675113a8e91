import { type AdmissionEnd, type AdmissionTicket, type Instant, portionsOf } from '@tollgate/core';

export interface PendingRelease {
  readonly ticket: AdmissionTicket;
  readonly end: AdmissionEnd;
  /** Time at which Redis frees the slot itself, and the release is dropped; `null` if the release must be sent in any case. */
  readonly until: Instant | null;
}

/** Releases per batch. One batch keeps Redis busy for a few milliseconds. */
const BATCH = 200;

/**
 * Releases that Redis could not accept, in memory until Redis accepts them: at most one for each request that ran or asked for admission when Redis
 * failed. Releases of unanswered admissions are dropped when the leases of their slots have ended.
 */
export class PendingReleases {
  #releases: PendingRelease[] = [];

  keep(release: PendingRelease): void {
    this.#releases.push(release);
  }

  /** Sends all releases except those whose slots Redis has freed itself, one batch after the other. `send` may put a failed release back. */
  async sendAll(now: Instant, send: (release: PendingRelease) => Promise<void>): Promise<void> {
    const releases = this.#releases.filter(({ until }) => until === null || now < until);
    this.#releases = [];
    for (const batch of portionsOf(releases, BATCH)) await Promise.all(batch.map(send));
  }
}
