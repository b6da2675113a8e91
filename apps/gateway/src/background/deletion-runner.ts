import { type AccountDeletion, MILLISECONDS_PER_MINUTE, SYSTEM_ACTOR, tryInTurn } from '@tollgate/core';
import type { PersonRecords } from '@tollgate/identity';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

export const DELETION_INTERVAL_MILLISECONDS = MILLISECONDS_PER_MINUTE;
/** Maximum number of people removed per transaction. */
const PEOPLE_AT_ONCE = 10;

interface DeletionRunnerPorts extends TaskPorts {
  readonly deletions: AccountDeletion;
  readonly people: Pick<PersonRecords, 'discardUnverified'>;
}

/**
 * Performs due deletions, and removes people who never verified their address, once a minute. Only one of several gateways handles each account and
 * person.
 */
export class DeletionRunner extends ScheduledTask<DeletionRunnerPorts> {
  protected readonly schedule = { intervalMilliseconds: DELETION_INTERVAL_MILLISECONDS, failureMessage: 'accounts and people due for deletion could not be deleted; the gateway retries' };

  protected async run(): Promise<void> {
    await tryInTurn([() => this.carryOut(), () => this.discardUnverified()], (duty) => duty());
  }

  private async carryOut(): Promise<void> {
    const { deletions, log } = this.ports;
    const { deleted, failed } = await deletions.carryOutDue();
    for (const accountId of deleted) log.info({ accountId }, 'deleted an account');
    for (const { accountId, error: err } of failed) log.error({ accountId, err }, 'an account could not be deleted; the gateway retries');
  }

  private async discardUnverified(): Promise<void> {
    const { people, clock, log } = this.ports;
    let [all, some] = [0, 0];
    do {
      some = await people.discardUnverified(PEOPLE_AT_ONCE, { actor: SYSTEM_ACTOR, at: clock.now() });
      all += some;
    } while (some === PEOPLE_AT_ONCE);
    if (all > 0) log.info({ people: all }, 'removed people who never verified their address');
  }
}
