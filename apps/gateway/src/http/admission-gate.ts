import { GatewayError } from '@tollgate/core';

/** Whether the service still takes work on. Closed for good once the service begins to stop. */
export class AdmissionGate {
  #open = true;

  get isOpen(): boolean {
    return this.#open;
  }

  close(): void {
    this.#open = false;
  }

  /** Throws `provider_unavailable` once the service is stopping. */
  check(): void {
    if (this.#open) return;
    throw new GatewayError('provider_unavailable', 'The service is restarting. Please try again.');
  }
}
