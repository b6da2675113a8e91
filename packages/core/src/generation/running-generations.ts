import type { ReservationProgress } from '../billing/reservation.js';
import { ServiceTokens } from '../money/service-tokens.js';
import type { ReservationId } from '../primitives/ids.js';
import { TransientMap } from '../primitives/transient-map.js';
import type { HeldRequest } from './held-request.js';

/** Generations that run in this process. Its checkpoints and prolongations are derived from this list. */
export class RunningGenerations {
  readonly #held = new TransientMap<ReservationId, HeldRequest>();

  get size(): number {
    return this.#held.size;
  }

  add(held: HeldRequest): void {
    this.#held.set(held.reservationId, held);
  }

  delete(held: HeldRequest): void {
    this.#held.delete(held.reservationId);
  }

  has(id: ReservationId): boolean {
    return this.#held.get(id) !== undefined;
  }

  values(): readonly HeldRequest[] {
    return [...this.#held.values()];
  }

  setAside(): ServiceTokens {
    let sum = ServiceTokens.ZERO;
    for (const held of this.#held.values()) sum = sum.plus(held.setAside);
    return sum;
  }

  /** Progress of the generations that an upstream has accepted. */
  progress(): ReadonlyMap<ReservationId, ReservationProgress> {
    const progress = new Map<ReservationId, ReservationProgress>();
    for (const held of this.#held.values()) {
      const of = held.progress();
      if (of !== null) progress.set(held.reservationId, of);
    }
    return progress;
  }
}
