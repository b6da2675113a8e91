import { type Instant, MILLISECONDS_PER_MINUTE, MILLISECONDS_PER_SECOND, type PaymentDesk, PaymentProviderFailure } from '@tollgate/core';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

/** Interval between turns; each payment is checked at growing intervals of its own. */
export const PAYMENT_CHECK_MILLISECONDS = 15 * MILLISECONDS_PER_SECOND;
/** Maximum pause after turns in which the provider did not answer; each pause is twice the last. */
const LONGEST_PAUSE = 10 * MILLISECONDS_PER_MINUTE;
/** Maximum number of payments checked in a turn, one after the other, to stay far below the rate limits of providers. */
const PAYMENTS_PER_TURN = 20;

interface PaymentReconcilerPorts extends TaskPorts {
  readonly desk: PaymentDesk;
}

/** Asks the provider about payments that are due, so that a lost notification delays a booking by minutes only. Several gateways share the work. */
export class PaymentReconciler extends ScheduledTask<PaymentReconcilerPorts> {
  #failures = 0;
  #checkedAt: Instant | null = null;
  #failedAt: Instant | null = null;

  protected readonly schedule = {
    intervalMilliseconds: () => Math.min(LONGEST_PAUSE, PAYMENT_CHECK_MILLISECONDS * 2 ** this.#failures), failureMessage: 'payments could not be checked; the gateway retries',
  };

  /** When a turn last left no payment due; `null` before the first time. */
  get checkedAt(): Instant | null {
    return this.#checkedAt;
  }

  /** When the provider last failed to answer; `null` if it never did. */
  get failedAt(): Instant | null {
    return this.#failedAt;
  }

  override start(): void {
    if (this.ports.desk.provider !== null) super.start();
  }

  async run(): Promise<void> {
    const { desk, clock, log } = this.ports;
    try {
      if (await desk.reconcile(PAYMENTS_PER_TURN) < PAYMENTS_PER_TURN) this.#checkedAt = clock.now();
      this.#failures = 0;
    } catch (err) {
      if (!(err instanceof PaymentProviderFailure)) throw err;
      this.#failures += 1;
      this.#failedAt = clock.now();
      log.warn({ err, problem: err.problem }, 'payments could not be checked with the payment provider; the gateway tries again');
    }
  }
}
