import type { Instant, ProcessId, Reservation, SweptReservations } from '@tollgate/core';

interface Lease {
  readonly renewedAt: Instant;
  readonly expiresAt: Instant;
}

/** Leases of processes. A process is alive until its lease expires. */
export class MemoryLeases {
  readonly #leases = new Map<ProcessId, Lease>();

  /** True if the process had no lease. */
  renew(ownerId: ProcessId, lease: Lease): boolean {
    const wasAbsent = !this.#leases.has(ownerId);
    this.#leases.set(ownerId, lease);
    return wasAbsent;
  }

  isAlive(ownerId: ProcessId, now: Instant): boolean {
    return (this.#leases.get(ownerId)?.expiresAt ?? now) > now;
  }

  retire(ownerId: ProcessId): void {
    this.#leases.delete(ownerId);
  }

  /** Removes expired leases. Groups swept reservations by owner. */
  sweep(reservations: readonly Pick<Reservation, 'ownerId'>[], now: Instant): readonly SweptReservations[] {
    const owners = reservations.map(({ ownerId }) => ownerId);
    const swept = [...new Set(owners)].map((ownerId): SweptReservations => {
      const lease = this.#leases.get(ownerId);
      const ended = owners.filter((owner) => owner === ownerId).length;
      return { ownerId, ended, cause: this.isAlive(ownerId, now) ? 'deadline' : 'lease', silentMilliseconds: lease === undefined ? null : now - lease.renewedAt };
    });
    for (const [ownerId, { expiresAt }] of this.#leases) if (expiresAt <= now) this.#leases.delete(ownerId);
    return swept;
  }
}
