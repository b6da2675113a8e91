import { GatewayError } from '@tollgate/core';

/** Closed when the service stops; a stop may be announced before. */
export class AdmissionGate {
  #open = true;
  #isStopping = false;

  /** True from the announcement on. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** New work is still accepted. */
  announceStop(): void {
    this.#isStopping = true;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  close(): void {
    this.#isStopping = true;
    this.#open = false;
  }

  /** Throws `provider_unavailable` after the stop. */
  check(): void {
    if (this.#open) return;
    throw new GatewayError('provider_unavailable', 'The service is restarting. Please try again.');
  }
}
