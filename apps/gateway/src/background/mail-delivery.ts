import {
  type ClaimedMail, type Clock, isStoreLost, later, type MailFailure, type MailOutbox, type MailOutcome, type MailTransport, MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE,
  MILLISECONDS_PER_SECOND, nextAttemptAt, rfc3339,
} from '@tollgate/core';
import type { DatabaseLocation } from '@tollgate/sql-common';
import type { Logger } from 'pino';
import { withTimeout } from './scheduled-tasks.js';

/** Messages delivered at the same time. */
const AT_A_TIME = 2;
/** One delivery, from its connection to the server's last reply. */
export const DELIVERY_MILLISECONDS = MILLISECONDS_PER_MINUTE;
/** Longer than a delivery may take, so that no other process delivers the same message meanwhile. */
export const MAIL_LEASE_MILLISECONDS = 2 * MILLISECONDS_PER_MINUTE;
/** How soon the outbox is asked again after the database failed. */
const RETRY_MILLISECONDS = 30 * MILLISECONDS_PER_SECOND;
/** How long deliveries under way may go on once the gateway stops. */
export const STOP_MILLISECONDS = 5 * MILLISECONDS_PER_SECOND;
/** How long the reference of a message stays known after its end. */
const REMEMBERED_MILLISECONDS = 7 * MILLISECONDS_PER_DAY;

interface MailDeliveryPorts {
  readonly outbox: MailOutbox;
  /** Called at the first delivery, and at the first one after a pause. */
  readonly openTransport: () => Promise<MailTransport>;
  /** How often to look for messages that other processes have stored; `null`: never. */
  readonly pollMilliseconds: number | null;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How messages leave this gateway. */
export type MailRoute = Pick<MailDeliveryPorts, 'openTransport' | 'pollMilliseconds'>;

/** Another gateway that dies leaves messages, which the others find by polling. */
const POLL_MILLISECONDS = 30 * MILLISECONDS_PER_SECOND;

/** How often a gateway polls the mail outbox; `null` over a database file, which has one gateway. */
export function mailPollMilliseconds({ kind }: Pick<DatabaseLocation, 'kind'>): number | null {
  return kind === 'postgres' ? POLL_MILLISECONDS : null;
}

/** What became of messages since the start of this process. */
interface MailCounts {
  readonly delivered: number;
  readonly failedAttempts: number;
  readonly givenUp: number;
}

/**
 * Delivers the messages of the outbox, beside the requests. It asks the outbox when it starts, when this process has stored a message
 * and when a message is due, so an idle gateway does nothing. Logs name messages by their ids, never by address or content.
 */
export class MailDelivery {
  #counts: MailCounts = { delivered: 0, failedAttempts: 0, givenUp: 0 };
  #waiting: number | null = null;
  #transport: Promise<MailTransport> | null = null;
  #turn: Promise<void> | null = null;
  #storedMeanwhile = false;
  #stopped = false;
  #cancel: () => void = () => undefined;

  constructor(private readonly ports: MailDeliveryPorts) {}

  get counts(): MailCounts {
    return this.#counts;
  }

  /** Messages in the outbox when it was last asked; `null` before that. */
  get waiting(): number | null {
    return this.#waiting;
  }

  /** Delivers what is due now; at the start of the gateway, and whenever a message was stored. */
  wake(): void {
    if (this.#stopped) return;
    if (this.#turn !== null) {
      this.#storedMeanwhile = true;
      return;
    }
    this.#cancel();
    this.#turn = this.takeTurn();
  }

  /** Resolves after the deliveries under way have ended; those that take longer than a few seconds are cut off and tried again by the next process. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    const { clock } = this.ports;
    const ended = this.#turn ?? Promise.resolve();
    if (await withTimeout(ended, STOP_MILLISECONDS, clock)) return;
    await this.closeTransport();
    await withTimeout(ended, STOP_MILLISECONDS, clock);
  }

  private async takeTurn(): Promise<void> {
    const pause = await this.deliverAll().catch((err: unknown) => this.failed(err));
    await this.closeTransport();
    this.#turn = null;
    if (this.#storedMeanwhile) {
      this.#storedMeanwhile = false;
      this.wake();
    } else if (pause !== null && !this.#stopped) this.#cancel = this.ports.clock.schedule(pause, () => this.wake());
  }

  /** Delivers until nothing is due. Gives back how long to wait before asking again; `null`: until a message is stored. */
  private async deliverAll(): Promise<number | null> {
    const { outbox, clock, pollMilliseconds } = this.ports;
    let pause = await this.pauseUntilDue();
    if (pause === 0) await outbox.forget(later(clock.now(), -REMEMBERED_MILLISECONDS));
    for (; pause === 0 && !this.#stopped; pause = await this.pauseUntilDue()) {
      const now = clock.now();
      const mails = await outbox.claim({ at: now, leaseExpiresAt: later(now, MAIL_LEASE_MILLISECONDS), most: AT_A_TIME });
      await Promise.all(mails.map((mail) => this.deliver(mail)));
    }
    return pause === null || pollMilliseconds === null ? pause ?? pollMilliseconds : Math.min(pause, pollMilliseconds);
  }

  /** `null` when no message waits. */
  private async pauseUntilDue(): Promise<number | null> {
    const { waiting, nextDueAt } = await this.ports.outbox.status();
    this.#waiting = waiting;
    return nextDueAt === null ? null : Math.max(0, nextDueAt - this.ports.clock.now());
  }

  private async deliver(mail: ClaimedMail): Promise<void> {
    const { outbox, clock, log } = this.ports;
    if (mail.expiresAt <= clock.now()) {
      await this.giveUp(mail, { code: 'expired', explanation: '' });
      return;
    }
    const result = await this.attempt(mail);
    if (result.outcome === 'delivered') {
      await outbox.finish(mail, { state: 'delivered' }, clock.now());
      this.#counts = { ...this.#counts, delivered: this.#counts.delivered + 1 };
      log.info({ mail: mail.id, attempt: mail.attempt, place: result.place }, 'a message was delivered');
      return;
    }
    this.#counts = { ...this.#counts, failedAttempts: this.#counts.failedAttempts + 1 };
    const next = result.outcome === 'refused' ? null : nextAttemptAt(mail, mail.attempt, clock.now());
    if (next === null) {
      await this.giveUp(mail, result.failure);
      return;
    }
    await outbox.putOff(mail, next, result.failure.code);
    log.warn({ mail: mail.id, attempt: mail.attempt, code: result.failure.code, nextAttemptAt: rfc3339(next) }, 'a message could not be delivered; the gateway retries');
  }

  private async giveUp(mail: ClaimedMail, { code }: MailFailure): Promise<void> {
    await this.ports.outbox.finish(mail, { state: 'given-up', failure: code }, this.ports.clock.now());
    this.#counts = { ...this.#counts, givenUp: this.#counts.givenUp + 1 };
    this.ports.log.error({ mail: mail.id, attempt: mail.attempt, code }, 'a message could not be delivered and is discarded');
  }

  /** Bounded as a whole: a server that says a little now and then would hold a connection for ever. */
  private async attempt(mail: ClaimedMail): Promise<MailOutcome> {
    const { clock, openTransport } = this.ports;
    this.#transport ??= openTransport();
    const transport = await this.#transport;
    const delivery = transport.deliver(mail);
    if (await withTimeout(delivery.then(() => undefined), DELIVERY_MILLISECONDS, clock)) return delivery;
    await this.closeTransport();
    return { outcome: 'failed', failure: { code: 'ETIMEDOUT', explanation: 'the delivery took too long' } };
  }

  /** Connections are kept from one message to the next, not while nothing is due. */
  private async closeTransport(): Promise<void> {
    const transport = this.#transport;
    this.#transport = null;
    // One that could not be opened has been told of where it was needed.
    const opened = await transport?.catch(() => null);
    await opened?.close();
  }

  private failed(err: unknown): number {
    // The lease keeper tells of a store that is lost.
    if (!isStoreLost(err)) this.ports.log.error({ err }, 'the mail outbox could not be read or written');
    return RETRY_MILLISECONDS;
  }
}
