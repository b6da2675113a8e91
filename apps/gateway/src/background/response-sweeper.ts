import type { ResponseStore } from '@tollgate/core';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';
import { SWEEP_MILLISECONDS } from './sweep-runner.js';

/** Each sweep is a short transaction, so that requests run between two sweeps. */
const RESPONSE_SWEEPS_PER_TURN = 80;

interface ResponseSweeperPorts extends TaskPorts {
  readonly responses: ResponseStore;
}

export class ResponseSweeper extends ScheduledTask<ResponseSweeperPorts> {
  protected readonly schedule = { intervalMilliseconds: SWEEP_MILLISECONDS, failureMessage: 'expired responses could not be removed; the gateway retries' };

  protected async run(): Promise<void> {
    const { responses, clock } = this.ports;
    const now = clock.now();
    let turns = 0;
    while (turns < RESPONSE_SWEEPS_PER_TURN && await responses.sweep(now) > 0) turns += 1;
  }
}
