import { type Clock, isStoreLost, later, MILLISECONDS_PER_MINUTE, MILLISECONDS_PER_SECOND, rfc3339 } from '@tollgate/core';
import {
  type ClaimedMail, MAIL_RANKS, type MailFailure, type MailOutbox, type MailOutcome, type MailRank, type MailTransport, nextAttemptAt,
} from '@tollgate/identity';
import type { Logger } from 'pino';
import { withTimeout } from './with-timeout.js';

/**
 * Maximum concurrent deliveries by rank, each to another domain. Unverified people leave places for verified ones, and both leave one for operators.
 */
const AT_A_TIME = [
  { ranks: ['verified', 'unverified'], most: 5 },
  { ranks: ['unverified'], most: 3 },
] as const satisfies readonly { readonly ranks: readonly MailRank[]; readonly most: number }[];
export const MAX_AT_A_TIME = 6;
/** Retry interval while due messages wait for other gateways' deliveries to the same domain. */
const BUSY_MILLISECONDS = 5 * MILLISECONDS_PER_SECOND;
/** Maximum duration of a delivery, from the connection to the last reply. */
export const DELIVERY_MILLISECONDS = MILLISECONDS_PER_MINUTE;
/** Longer than a delivery, so that no other process delivers the message too. */
export const MAIL_LEASE_MILLISECONDS = 2 * MILLISECONDS_PER_MINUTE;
/** Retry interval after a failure of the database. */
const RETRY_MILLISECONDS = 30 * MILLISECONDS_PER_SECOND;
/** Maximum time that running deliveries may continue when the gateway stops. */
export const STOP_MILLISECONDS = 5 * MILLISECONDS_PER_SECOND;

interface MailDeliveryPorts {
  readonly outbox: MailOutbox;
  /** Called before a delivery that finds no open connection. */
  readonly openTransport: () => Promise<MailTransport>;
  /** Interval of the search for messages of other processes; `null` for no search. */
  readonly pollMilliseconds: number | null;
  readonly clock: Clock;
  readonly log: Logger;
}

export type MailRoute = Pick<MailDeliveryPorts, 'openTransport' | 'pollMilliseconds'>;

/** Interval of the search for messages that the command line stored, or that a gateway left undelivered when it died. */
export const MAIL_POLL_MILLISECONDS = 30 * MILLISECONDS_PER_SECOND;

/** Counts since the start. */
interface MailCounts {
  readonly delivered: number;
  readonly failedAttempts: number;
  readonly givenUp: number;
  /** Messages that were not stored because too many messages to unverified addresses waited. */
  readonly dropped: number;
}

/**
 * Delivers the messages of the outbox. Queries the outbox at the start, after this process stores a message, when a message is due, and at intervals
 * for messages of other processes. Logs contain ids, never addresses or content.
 */
export class MailDelivery {
  #counts: MailCounts = { delivered: 0, failedAttempts: 0, givenUp: 0, dropped: 0 };
  #waiting: number | null = null;
  /** Running deliveries by place. Each place has its own connection, so that cutting off one delivery does not affect others. */
  readonly #running = new Map<number, { readonly rank: MailRank; readonly ended: Promise<void> }>();
  readonly #transports = new Map<number, Promise<MailTransport>>();
  /** Number of finished deliveries. */
  #ended = 0;
  #notice: () => void = () => undefined;
  #turn: Promise<void> | null = null;
  #storedMeanwhile = false;
  #stopped = false;
  #cancel: () => void = () => undefined;

  constructor(private readonly ports: MailDeliveryPorts) {}

  get counts(): MailCounts {
    return this.#counts;
  }

  /** Number of waiting messages at the last query; `null` before the first. */
  get waiting(): number | null {
    return this.#waiting;
  }

  /** Delivers due messages; call it after storing one. */
  wake(): void {
    if (this.#stopped) return;
    if (this.#turn !== null) {
      this.#storedMeanwhile = true;
      this.#notice();
      return;
    }
    this.#cancel();
    this.#turn = this.takeTurn();
  }

  /** Counts a message that was not stored; logs only the first. */
  drop(): void {
    if (this.#counts.dropped === 0) this.ports.log.warn('mail to unverified addresses is not stored: too many messages to such addresses are waiting');
    this.#counts = { ...this.#counts, dropped: this.#counts.dropped + 1 };
  }

  /** Begins no further delivery, and cuts off running ones after a few seconds; another process retries them. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    this.#notice();
    const { clock } = this.ports;
    const ended = this.#turn ?? Promise.resolve();
    if (await withTimeout(ended, STOP_MILLISECONDS, clock)) return;
    await this.closeTransports();
    await withTimeout(ended, STOP_MILLISECONDS, clock);
  }

  private async takeTurn(): Promise<void> {
    const pause = await this.deliverAll().catch((err: unknown) => this.failed(err));
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
    await this.closeTransports();
    this.#turn = null;
    if (this.#storedMeanwhile) {
      this.#storedMeanwhile = false;
      this.wake();
    } else if (pause !== null && !this.#stopped) this.#cancel = this.ports.clock.schedule(pause, () => this.wake());
  }

  /** Resolves with the time until the next query; `null` if only a newly stored message starts it. */
  private async deliverAll(): Promise<number | null> {
    const { pollMilliseconds } = this.ports;
    let pause = await this.pauseUntilDue();
    while (pause === 0 && !this.#stopped) {
      this.#storedMeanwhile = false;
      const ended = this.#ended;
      const mail = await this.claimNext();
      if (mail !== null) this.begin(mail);
      // A delivery that ended during the query may have freed its domain.
      else if (ended !== this.#ended) continue;
      else if (this.#running.size > 0) await this.change();
      else {
        const next = await this.pauseUntilDue();
        pause = next === 0 ? BUSY_MILLISECONDS : next;
      }
    }
    return pause === null || pollMilliseconds === null ? pause ?? pollMilliseconds : Math.min(pause, pollMilliseconds);
  }

  /** `null` if no message is due, or none may be delivered beside the running deliveries. */
  private async claimNext(): Promise<ClaimedMail | null> {
    const running = [...this.#running.values()].map(({ rank }) => rank);
    if (running.length >= MAX_AT_A_TIME) return null;
    const full = AT_A_TIME.filter(({ ranks, most }) => running.filter((rank) => (ranks as readonly MailRank[]).includes(rank)).length >= most).flatMap(({ ranks }): readonly MailRank[] => ranks);
    const at = this.ports.clock.now();
    const [mail = null] = await this.ports.outbox.claim({
      at, leaseExpiresAt: later(at, MAIL_LEASE_MILLISECONDS), most: 1, ranks: MAIL_RANKS.filter((rank) => !full.includes(rank)),
    });
    return mail;
  }

  private begin(mail: ClaimedMail): void {
    let place = 0;
    while (this.#running.has(place)) place += 1;
    const ended = this.deliver(mail, place).catch((err: unknown) => void this.failed(err)).then(() => {
      this.#running.delete(place);
      this.#ended += 1;
      this.#notice();
    });
    this.#running.set(place, { rank: mail.rank, ended });
  }

  /** Resolves when a delivery ends, a message is stored or the gateway stops; after `BUSY_MILLISECONDS` at the latest. */
  private async change(): Promise<void> {
    if (this.#storedMeanwhile) return;
    await new Promise<void>((resolve) => {
      const cancel = this.ports.clock.schedule(BUSY_MILLISECONDS, resolve);
      this.#notice = () => {
        cancel();
        resolve();
      };
    });
    this.#notice = () => undefined;
  }

  /** `null` if no message waits. */
  private async pauseUntilDue(): Promise<number | null> {
    const at = this.ports.clock.now();
    const { waiting, nextDueAt } = await this.ports.outbox.status(at);
    this.#waiting = waiting;
    return nextDueAt === null ? null : Math.max(0, nextDueAt - at);
  }

  private async deliver(mail: ClaimedMail, place: number): Promise<void> {
    const { outbox, clock, log } = this.ports;
    if (mail.expiresAt <= clock.now()) {
      await this.giveUp(mail, { code: 'expired', explanation: '' });
      return;
    }
    const result = await this.attempt(mail, place);
    if (result.outcome === 'delivered') {
      await outbox.finish(mail, { state: 'delivered' }, clock.now());
      this.#counts = { ...this.#counts, delivered: this.#counts.delivered + 1 };
      log.info({ mail: mail.id, attempt: mail.attempt, place: result.place }, 'a message was delivered');
      return;
    }
    this.#counts = { ...this.#counts, failedAttempts: this.#counts.failedAttempts + 1 };
    const at = clock.now();
    const next = result.outcome === 'refused' ? null : nextAttemptAt(mail, mail.attempt, at);
    if (next === null) {
      await this.giveUp(mail, result.failure);
      return;
    }
    await outbox.putOff(mail, { at, until: next }, result.failure.code);
    log.warn({ mail: mail.id, attempt: mail.attempt, code: result.failure.code, nextAttemptAt: rfc3339(next) }, 'a message could not be delivered; the gateway retries');
  }

  private async giveUp(mail: ClaimedMail, { code }: MailFailure): Promise<void> {
    await this.ports.outbox.finish(mail, { state: 'given-up', failure: code }, this.ports.clock.now());
    this.#counts = { ...this.#counts, givenUp: this.#counts.givenUp + 1 };
    this.ports.log.error({ mail: mail.id, attempt: mail.attempt, code }, 'a message could not be delivered and is discarded');
  }

  /** Has an overall timeout, since a slow server would otherwise hold a connection forever. */
  private async attempt(mail: ClaimedMail, place: number): Promise<MailOutcome> {
    const { clock, openTransport } = this.ports;
    const opening = this.#transports.get(place) ?? openTransport();
    this.#transports.set(place, opening);
    const transport = await opening;
    const delivery = transport.deliver(mail);
    if (await withTimeout(delivery.then(() => undefined), DELIVERY_MILLISECONDS, clock)) return delivery;
    await this.closeTransport(place);
    return { outcome: 'failed', failure: { code: 'ETIMEDOUT', explanation: 'the delivery timed out' } };
  }

  /** Connections are kept between the messages of one turn only. */
  private async closeTransports(): Promise<void> {
    await Promise.all([...this.#transports.keys()].map((place) => this.closeTransport(place)));
  }

  private async closeTransport(place: number): Promise<void> {
    const transport = this.#transports.get(place);
    this.#transports.delete(place);
    // The error of a transport that cannot be opened was reported to the delivery.
    const opened = await transport?.catch(() => null);
    await opened?.close();
  }

  private failed(err: unknown): number {
    // The lease keeper reports a lost store.
    if (!isStoreLost(err)) this.ports.log.error({ err }, 'the mail outbox could not be read or written');
    return RETRY_MILLISECONDS;
  }
}
