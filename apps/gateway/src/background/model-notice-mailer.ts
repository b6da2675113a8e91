import { isDeepStrictEqual } from 'node:util';
import { MILLISECONDS_PER_HOUR, MILLISECONDS_PER_SECOND, type PriceListId } from '@tollgate/core';
import type { ModelNotices, NoticeStep } from '@tollgate/identity';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

/** Interval of the search for accounts that have not been notified yet. */
export const NOTICE_MILLISECONDS = MILLISECONDS_PER_HOUR;
/** Each step reads a few accounts, so that requests run between two steps. */
const STEPS_PER_TURN = 50;

interface ModelNoticeMailerPorts extends TaskPorts {
  readonly notices: ModelNotices;
}

/**
 * Mails owners about rising prices and ending models; each is mailed by only one of several gateways. Warns of price lists that the catalogue
 * lacks.
 */
export class ModelNoticeMailer extends ScheduledTask<ModelNoticeMailerPorts> {
  protected readonly schedule = {
    intervalMilliseconds: () => (this.#hasMore ? MILLISECONDS_PER_SECOND : NOTICE_MILLISECONDS), failureMessage: 'notices about model changes could not be stored; the gateway retries',
  };
  /** True before the first turn, so that it follows soon after the start. */
  #hasMore = true;
  #missing: ReadonlyMap<PriceListId, number> = new Map();

  async run(): Promise<void> {
    const { notices, log } = this.ports;
    await this.warn();
    this.#hasMore = false;
    let outcome: NoticeStep['outcome'] = 'more';
    for (let steps = 0; outcome === 'more' && steps < STEPS_PER_TURN; steps += 1) {
      const step = await notices.step();
      for (const err of step.failures) this.failed(err);
      ({ outcome } = step);
    }
    if (outcome === 'full') log.warn('notices about model changes are postponed: too many messages are waiting for delivery');
    this.#hasMore = outcome === 'more';
  }

  /** Warns when the missing price lists, or the numbers of accounts that have them, have changed. */
  private async warn(): Promise<void> {
    const missing = await this.ports.notices.missingPriceLists();
    if (isDeepStrictEqual(missing, this.#missing)) return;
    this.#missing = missing;
    for (const [priceList, accounts] of missing) this.ports.log.warn({ priceList, accounts }, 'the catalogue lacks a price list that is assigned to accounts; these accounts pay the standard prices');
  }
}
