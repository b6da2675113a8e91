import { type AlertThreshold, type BalanceAlerts, type CatalogueSource, type EventLog, type Instant, later, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_SECOND, tryInTurn } from '@tollgate/core';
import { repeatSteps } from './repeat-steps.js';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

export const EVENT_KEEPER_MILLISECONDS = 5 * MILLISECONDS_PER_SECOND;
/** Interval between two searches for events that are too old. */
export const PRUNE_MILLISECONDS = MILLISECONDS_PER_HOUR;

interface EventKeeperPorts extends TaskPorts {
  readonly events: EventLog;
  readonly alerts: BalanceAlerts;
  readonly catalogue: CatalogueSource;
  readonly settings: { readonly eventsKeptMilliseconds: number; readonly lowBalanceAlerts: readonly AlertThreshold[] };
}

/**
 * Applies the balance thresholds of the settings and the smallest reservation of the catalogue, assigns positions to events even if no reader asks
 * for them, and prunes old events.
 */
export class EventKeeper extends ScheduledTask<EventKeeperPorts> {
  protected readonly schedule = { intervalMilliseconds: EVENT_KEEPER_MILLISECONDS, failureMessage: 'events could not be numbered or removed; the gateway retries' };
  #nextPrune: Instant | null = null;

  async run(): Promise<void> {
    const { alerts, events, catalogue, settings: { lowBalanceAlerts: thresholds } } = this.ports;
    const duties = [
      () => alerts.applyPolicy({ thresholds, minimumReservation: catalogue.current().minimumReservation }), () => repeatSteps(() => events.position()), () => this.prune(),
    ];
    await tryInTurn<() => Promise<unknown>>(duties, (duty) => duty());
  }

  private async prune(): Promise<void> {
    const { events, clock, settings: { eventsKeptMilliseconds } } = this.ports;
    const now = clock.now();
    if (this.#nextPrune !== null && now < this.#nextPrune) return;
    const isDone = await repeatSteps(() => events.prune(later(now, -eventsKeptMilliseconds)));
    this.#nextPrune = isDone ? later(now, PRUNE_MILLISECONDS) : now;
  }
}
