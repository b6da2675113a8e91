import { type CreditRecords, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

export const CREDIT_INTERVAL_MILLISECONDS = 15 * MILLISECONDS_PER_MINUTE;
const ACCOUNTS_PER_READ = 50;
const MAX_READS = 200;

interface CreditRunnerPorts extends TaskPorts {
  readonly credits: Pick<CreditRecords, 'due' | 'expire'>;
}

/** Books the expiry of credits, and stores notices of credits that will expire. An account with such credits is due at least once a day. */
export class CreditRunner extends ScheduledTask<CreditRunnerPorts> {
  #isStopping = false;

  protected readonly schedule = { intervalMilliseconds: CREDIT_INTERVAL_MILLISECONDS, failureMessage: 'the expiry of credits could not be booked; the gateway retries' };

  async run(): Promise<void> {
    const { credits, clock } = this.ports;
    const at = clock.now();
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      const accounts = await credits.due(at, ACCOUNTS_PER_READ);
      for (const accountId of accounts) await this.#expire(accountId);
      if (this.#isStopping || accounts.length < ACCOUNTS_PER_READ) return;
    }
  }

  /** A running turn ends after its current account. */
  override stop(): Promise<void> {
    this.#isStopping = true;
    return super.stop();
  }

  /** An account that fails does not delay others: it is due again when its lease ends. */
  async #expire(accountId: Parameters<CreditRecords['expire']>[0]): Promise<void> {
    if (this.#isStopping) return;
    const { credits, clock, log } = this.ports;
    try {
      const outcome = await credits.expire(accountId, clock.now());
      if (outcome === 'behind') log.warn({ accountId }, 'the credits of an account changed again while they were being computed; the gateway retries');
    } catch (err) {
      log.error({ err, accountId }, 'the expiry of an account\'s credits could not be booked; the gateway retries');
    }
  }
}
