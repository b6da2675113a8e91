import { type Instant, later, MILLISECONDS_PER_SECOND, type WebhookAttempt } from '@tollgate/core';
import { disablesWebhook, type DueDelivery, nextWebhookAttemptAt, type WebhookQueue, type WebhookTurn } from '@tollgate/identity';
import { signedMessage } from '../webhooks/webhook-message.js';
import { REQUESTS_AT_ONCE, type SendMessage } from '../webhooks/webhook-sender.js';
import type { TaskPorts } from './scheduled-task.js';

/** No delivery begins after this time, so that other due webhooks get their turn, and the lease outlasts the last answer. */
const TURN_MILLISECONDS = 20 * MILLISECONDS_PER_SECOND;
const DELIVERIES_PER_READ = 100;

/** Counts since the start. */
export interface WebhookCounts {
  readonly delivered: number;
  readonly failed: number;
  readonly disabled: number;
}

interface TurnPorts extends TaskPorts {
  readonly queue: WebhookQueue;
}

interface TurnParts {
  readonly turn: WebhookTurn;
  readonly secrets: readonly string[];
  readonly send: SendMessage;
  readonly signal: AbortSignal;
  readonly count: (what: keyof WebhookCounts) => void;
}

/** A turn of this gateway at one webhook. It ends with the first failure; the events of one account are delivered one after the other. */
export class WebhookDeliveryTurn {
  #failingSince: Instant | null;
  #isWorking = true;
  readonly #end: Instant;

  constructor(private readonly ports: TurnPorts, private readonly parts: TurnParts) {
    this.#failingSince = parts.turn.webhook.failingSince;
    this.#end = later(ports.clock.now(), TURN_MILLISECONDS);
  }

  /** Delivers until no event is due, an attempt fails or the time of the turn is over. False if an attempt failed. */
  async deliverDue(): Promise<boolean> {
    const { ports: { queue, clock }, parts: { turn: { webhook } } } = this;
    while (this.goesOn) {
      const due = await queue.due(webhook.id, clock.now(), DELIVERIES_PER_READ);
      if (due.length === 0) break;
      await this.deliverAll(due);
    }
    return this.#isWorking;
  }

  private get goesOn(): boolean {
    return this.#isWorking && !this.parts.signal.aborted && this.ports.clock.now() < this.#end;
  }

  /** Delivers in order for each account; events of the platform count as those of one account. */
  private async deliverAll(due: readonly DueDelivery[]): Promise<void> {
    const waiting = [...due];
    const busy = new Set<string | null>();
    const work = async (): Promise<void> => {
      while (this.goesOn) {
        const next = waiting.find(({ event }) => !busy.has(event?.accountId ?? null));
        if (next === undefined) return;
        waiting.splice(waiting.indexOf(next), 1);
        const account = next.event?.accountId ?? null;
        busy.add(account);
        await this.deliver(next).finally(() => busy.delete(account));
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: REQUESTS_AT_ONCE }, work));
    const failed = ended.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  private async deliver(delivery: DueDelivery): Promise<void> {
    const { ports: { queue, clock }, parts: { turn, secrets, send, signal, count } } = this;
    if (delivery.event === null) {
      await this.skip(delivery);
      return;
    }
    const attempt = await send(await signedMessage(delivery.event, secrets, clock.now()), signal);
    if (attempt === null) return;
    const isSuccess = attempt.failure === null;
    if (!isSuccess) this.#isWorking = false;
    count(isSuccess ? 'delivered' : 'failed');
    await queue.record(turn, { delivery, attempt, nextAttemptAt: isSuccess ? null : nextWebhookAttemptAt(delivery.attempts + 1, attempt.at) });
    if (isSuccess) this.#failingSince = null;
    else await this.failed(attempt);
  }

  /** Ends a delivery without an event. An unreadable event is logged without the parser's error, which may quote the event. */
  private async skip(delivery: DueDelivery): Promise<void> {
    const { ports: { queue, clock, log }, parts: { turn } } = this;
    const failure = delivery.isUnreadable ? 'the event cannot be read' : 'the event was removed after its time';
    await queue.record(turn, { delivery, nextAttemptAt: null, attempt: { at: clock.now(), milliseconds: 0, status: null, answer: null, failure } });
    const { id, owner } = turn.webhook;
    if (delivery.isUnreadable) log.error({ webhook: id, account: owner, event: delivery.eventId }, 'an event for a webhook cannot be read; the webhook goes on with the next');
  }

  private async failed(attempt: WebhookAttempt): Promise<void> {
    const { ports: { queue, log }, parts: { turn, count } } = this;
    const { id, owner } = turn.webhook;
    const facts = { webhook: id, account: owner, failure: attempt.failure };
    const reason = disablesWebhook(attempt, this.#failingSince);
    if (this.#failingSince === null) log.warn(facts, 'a webhook fails; the gateway retries');
    this.#failingSince ??= attempt.at;
    if (reason === null || !await queue.disable(turn, reason, attempt.at)) return;
    count('disabled');
    log.warn({ ...facts, reason }, 'a webhook was disabled');
  }
}
