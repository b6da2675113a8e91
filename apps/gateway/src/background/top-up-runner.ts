import { type AutomaticTopUps, MILLISECONDS_PER_MINUTE, MILLISECONDS_PER_SECOND, PaymentProviderFailure } from '@tollgate/core';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

export const TOP_UP_INTERVAL_MILLISECONDS = 5 * MILLISECONDS_PER_SECOND;
/** Maximum pause after turns in which the provider did not answer; each pause is twice the last. */
const LONGEST_PAUSE = 10 * MILLISECONDS_PER_MINUTE;
/** Maximum number of accounts charged in a turn, one after the other, to stay far below the rate limits of providers. */
const ACCOUNTS_PER_TURN = 20;

interface TopUpRunnerPorts extends TaskPorts {
  readonly topUps: AutomaticTopUps;
}

/** Charges accounts that are due for a top-up. Several gateways share the work. */
export class TopUpRunner extends ScheduledTask<TopUpRunnerPorts> {
  #failures = 0;

  protected readonly schedule = {
    intervalMilliseconds: () => Math.min(LONGEST_PAUSE, TOP_UP_INTERVAL_MILLISECONDS * 2 ** this.#failures), failureMessage: 'accounts could not be topped up; the gateway retries',
  };

  override start(): void {
    if (this.ports.topUps.provider !== null) super.start();
  }

  async run(): Promise<void> {
    const { topUps, log } = this.ports;
    try {
      await topUps.chargeSome(ACCOUNTS_PER_TURN);
      this.#failures = 0;
    } catch (err) {
      if (!(err instanceof PaymentProviderFailure)) throw err;
      this.#failures += 1;
      log.warn({ err, problem: err.problem }, 'the payment provider did not answer a charge; the gateway repeats it');
    }
  }
}
