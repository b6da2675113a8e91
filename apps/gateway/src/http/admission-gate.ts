import { GatewayError } from '@tollgate/core';

/** Admits work until the service stops. The stop may be announced earlier. */
export class AdmissionGate {
  #open = true;
  #isStopping = false;

  /** True once the stop is announced. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Announces the stop; new work is still accepted. */
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

  /** Throws `provider_unavailable` once new work is refused. */
  check(): void {
    if (this.#open) return;
    throw new GatewayError('provider_unavailable', 'The service is restarting. Please try again.');
  }
}
