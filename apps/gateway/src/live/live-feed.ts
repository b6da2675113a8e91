import { type Clock, GatewayError, type Instant, instant, MILLISECONDS_PER_SECOND, type PersonId, type RunningGenerations, unixSeconds } from '@tollgate/core';
import type { RunningExchanges } from '../http/running-exchanges.js';
import type { LiveAlert, LiveAlerts } from './live-alerts.js';
import { alertFrame, requestsFrame, snapshotFrame, tickFrame } from './live-frames.js';
import type { LiveReader } from './live-reader.js';
import { LIVE_SECONDS, type LiveTraffic } from './live-traffic.js';

/** Maximum number of open streams per gateway. */
export const MAX_LIVE_STREAMS = 20;
const KEEP_ALIVE_SECONDS = 15;
const SESSION_CHECK_SECONDS = 10;
const KEEP_ALIVE_FRAME = ': keep-alive\n\n';

interface LiveFeedPorts {
  readonly traffic: LiveTraffic;
  readonly alerts: LiveAlerts;
  readonly running: RunningGenerations;
  readonly exchanges: RunningExchanges;
  readonly clock: Clock;
}

function nameOf({ kind, subject }: LiveAlert): string {
  return `${kind} ${subject ?? ''}`;
}

/** Sends readers the traffic of this gateway every second; idle without readers. */
export class LiveFeed {
  readonly #readers = new Set<LiveReader>();
  #raised = new Map<string, LiveAlert>();
  #cancel: () => void = () => undefined;
  #ticks = 0;
  /** Number of the last second that readers were sent. */
  #lastSent = 0;
  #closed = false;

  constructor(private readonly ports: LiveFeedPorts) {}

  get size(): number {
    return this.#readers.size;
  }

  /**
   * At the maximum, ends the oldest stream of the person with the most streams, unless the newcomer would then have as many. Throws `server_busy` if
   * there is no room, or when the gateway stops.
   */
  makeRoomFor(person: PersonId): void {
    if (this.#closed) throw new GatewayError('server_busy', 'This gateway is stopping. Please try again.', { retryAfterSeconds: 1 });
    if (this.#readers.size >= MAX_LIVE_STREAMS) this.#displaceFor(person);
    if (this.#readers.size >= MAX_LIVE_STREAMS) throw new GatewayError('server_busy', 'Too many live views of this gateway are open. Close one, or try again later.', { retryAfterSeconds: 1 });
  }

  /** Begins with a snapshot, or after the last second that the reader saw. */
  add(reader: LiveReader, lastSeen: number | null): void {
    const { traffic, clock } = this.ports;
    if (this.#readers.size === 0) this.#start();
    this.#readers.add(reader);
    reader.onEnd(() => this.#remove(reader));
    const last = unixSeconds(clock.now()) - 1;
    const canResume = lastSeen !== null && lastSeen <= last && lastSeen >= Math.max(unixSeconds(traffic.startedAt), last - LIVE_SECONDS);
    if (!canResume) {
      reader.send(snapshotFrame(traffic.between(last - LIVE_SECONDS, last), { since: this.#remembersSince(last), last, alerts: [...this.#raised.values()], requests: traffic.recent() }));
      return;
    }
    const missed = traffic.between(lastSeen, last).map((second) => tickFrame(second, null));
    // Sent even if no second was missed, because the first frame sends the headers.
    reader.send(missed.join('') + KEEP_ALIVE_FRAME);
  }

  /** The time since which seconds are remembered: fifteen minutes ago, or the start of the gateway if that is later. */
  #remembersSince(last: number): Instant {
    return instant(Math.max(last - LIVE_SECONDS + 1, unixSeconds(this.ports.traffic.startedAt)) * MILLISECONDS_PER_SECOND);
  }

  /** Ends all streams and refuses new ones. */
  close(): void {
    this.#closed = true;
    for (const reader of this.#readers) reader.end();
  }

  #displaceFor(person: PersonId): void {
    const byPerson = new Map<PersonId, LiveReader[]>();
    for (const reader of this.#readers) byPerson.set(reader.person, [...byPerson.get(reader.person) ?? [], reader]);
    const longest = [...byPerson.values()].reduce<readonly LiveReader[]>((most, readers) => (readers.length > most.length ? readers : most), []);
    const [oldest] = longest;
    if (oldest === undefined || longest.length <= (byPerson.get(person)?.length ?? 0) + 1) return;
    oldest.end();
    // The `close` event comes later.
    this.#remove(oldest);
  }

  #start(): void {
    this.ports.traffic.watch(true);
    this.#raised = new Map(this.ports.alerts.current().map((alert) => [nameOf(alert), alert]));
    this.#ticks = 0;
    this.#lastSent = unixSeconds(this.ports.clock.now()) - 1;
    this.#scheduleTick();
  }

  #remove(reader: LiveReader): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0) return;
    this.#cancel();
    this.ports.traffic.watch(false);
  }

  #scheduleTick(): void {
    const { clock } = this.ports;
    this.#cancel = clock.schedule(MILLISECONDS_PER_SECOND - clock.now() % MILLISECONDS_PER_SECOND, () => {
      this.#tick();
      if (this.#readers.size > 0) this.#scheduleTick();
    });
  }

  #tick(): void {
    const { traffic, running, exchanges, clock } = this.ports;
    this.#ticks += 1;
    const last = unixSeconds(clock.now()) - 1;
    // In a busy process the timer is late, so more than one second may have passed.
    const late = traffic.between(this.#lastSent, last - 1);
    this.#lastSent = last;
    const latest = traffic.takeLatest();
    const frames = [
      ...this.#alertFrames(),
      ...late.map((second) => tickFrame(second, null)),
      ...(latest.requests.length === 0 ? [] : [requestsFrame(latest)]),
      // The last frame names the last complete second.
      tickFrame(traffic.second(last), { running: exchanges.size - this.#readers.size, reserved: running.setAside() }),
      ...(this.#ticks % KEEP_ALIVE_SECONDS === 0 ? [KEEP_ALIVE_FRAME] : []),
    ].join('');
    for (const reader of this.#readers) {
      if (this.#ticks % SESSION_CHECK_SECONDS === 0) reader.checkSession();
      reader.send(frames);
    }
  }

  #alertFrames(): readonly string[] {
    const { alerts, clock } = this.ports;
    const now = new Map(alerts.current().map((alert) => [nameOf(alert), alert]));
    const raised = [...now].filter(([name]) => !this.#raised.has(name)).map(([, alert]) => alertFrame(alert, 'raised', clock.now()));
    const ended = [...this.#raised].filter(([name]) => !now.has(name)).map(([, alert]) => alertFrame(alert, 'ended', clock.now()));
    this.#raised = now;
    return [...raised, ...ended];
  }
}
