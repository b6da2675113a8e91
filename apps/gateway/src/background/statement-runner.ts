import { MILLISECONDS_PER_HOUR, type Statements } from '@tollgate/core';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

export const STATEMENT_INTERVAL_MILLISECONDS = MILLISECONDS_PER_HOUR;

interface StatementRunnerPorts extends TaskPorts {
  readonly statements: Statements;
}

/** Makes the statements of months that are over; each is made by one of several gateways. */
export class StatementRunner extends ScheduledTask<StatementRunnerPorts> {
  #isStopping = false;

  protected readonly schedule = { intervalMilliseconds: STATEMENT_INTERVAL_MILLISECONDS, failureMessage: 'statements could not be made; the gateway retries' };

  async run(): Promise<void> {
    const { statements, log } = this.ports;
    let made = 0;
    while (!this.#isStopping) {
      const step = await statements.makeSome();
      made += step.made;
      for (const err of step.failures) log.error({ err }, 'a statement could not be made');
      if (step.outcome !== 'more') break;
    }
    if (made > 0) log.info({ statements: made }, 'statements were made');
  }

  /** A running turn ends after its current batch. */
  override stop(): Promise<void> {
    this.#isStopping = true;
    return super.stop();
  }
}
