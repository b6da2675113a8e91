import {
  type AccountId, type Admission, type AdmissionEnd, type AdmissionTicket, type BindingLimits, type Clock, type Demand, type Instant,
  invariant, MILLISECONDS_PER_DAY, portionsOf, type ProcessId, quotaOf, type QuotaSnapshot, type RateLimiter, refusedAdmission, type UsageReader,
} from '@tollgate/core';
import { answered, UnansweredAdmission } from './redis-failures.js';
import type { RedisConnection } from './redis-connection.js';
import { Ticker } from './ticker.js';
import { accountKeys, type CommandKeys, commandKeys, incidentKeys, type IncidentName } from './limiter-keys.js';
import { decodeTicket, encodeTicket, type IncidentContent, type TicketContent } from './admission-ticket.js';
import { HeldSlots, type SlotKeys } from './held-slots.js';
import {
  type AdmitReply, type AskedDemand, decodeExceeded, decodeQuotaReply, decodeReading, defineLimiterCommands, demandArguments,
  type EndedAdmission, GroupsOfTurn, releaseArguments, seedArguments,
} from './limiter-commands.js';

/** Source of the tokens used, for daily and monthly caps. The ledger's usage reader implements it. */
export type TokensUsedSource = Pick<UsageReader, 'tokensUsed'>;

/** Figures that a process read from the database because a reply of Redis requested them. */
export interface Seed {
  readonly dayNumber: number;
  readonly day: number;
  readonly month: number;
  /**
   * The number with which Redis requested the figures. Redis accepts them only on the UTC day for which they were read, and only if no request of the
   * account has ended since. With an empty number, Redis does not check for ended requests.
   */
  readonly generation: string;
}

export interface SeedRequest {
  readonly accountId: AccountId;
  readonly at: Instant;
  readonly generation: string;
}

/** Concurrent requests of this process for the same figures share one read. */
class SeedReader {
  readonly #reading = new Map<AccountId, { readonly generation: string; readonly seed: Promise<Seed> }>();

  constructor(private readonly usage: TokensUsedSource) {}

  /** Rejects if the source does. The next request then reads again. */
  read(request: SeedRequest): Promise<Seed> {
    const { accountId, generation } = request;
    const running = this.#reading.get(accountId);
    if (running?.generation === generation) return running.seed;
    const seed = this.#readNow(request).finally(() => {
      if (this.#reading.get(accountId)?.seed === seed) this.#reading.delete(accountId);
    });
    this.#reading.set(accountId, { generation, seed });
    return seed;
  }

  async #readNow({ accountId, at, generation }: SeedRequest): Promise<Seed> {
    const { day, month } = await this.usage.tokensUsed(accountId, at);
    return { dayNumber: Math.floor(at / MILLISECONDS_PER_DAY), day, month, generation };
  }
}

export interface RedisRateLimiterPorts {
  readonly connection: RedisConnection;
  /** Read only for accounts with daily or monthly caps. */
  readonly usage: TokensUsedSource;
  /** Schedules the renewals. */
  readonly clock: Clock;
  /** Prefix of slot names. It must differ from that of every other process, including earlier ones. */
  readonly processId: ProcessId;
  /** Receives the failures of renewing slots and of undoing admissions. The slots end with their leases. */
  readonly onCleanUpFailed: (cause: unknown) => void;
  /** Clock by which windows and leases are decided: that of Redis, or, in tests, `clock`. */
  readonly time?: 'redis' | 'clock';
  /** Prefix of every key. */
  readonly prefix?: string;
}

/**
 * Maximum number of reads of the usage per admission. A second one is needed only if the UTC day, or a request of the account, ends during the
 * first. The last one is accepted even if a request ends during it.
 */
const MAX_SEEDS = 6;
/** Start of a window that never existed, so that undoing an admission late changes no window. */
const NO_WINDOW = 0;
/** A lease expires only if three renewals in a row fail. */
const RENEWAL_MILLISECONDS = 10_000;
/** Maximum number of slots per command that renews them. */
const RENEWAL_BATCH = 500;

/**
 * A limiter that processes share. One script decides and counts, so that limits are exact over all processes. Demands of one account within an event
 * loop turn are sent as one command and decided in order. If Redis does not respond in time or refuses a command, `release` and `quota` reject with
 * `RedisUnavailable`, and `admit` with its subclass `UnansweredAdmission`, whose ticket must be released when Redis responds again. `admit` also
 * rejects if `usage` does. Slots are leases of 30 s, renewed between `start` and `stop`.
 */
export class RedisRateLimiter implements RateLimiter {
  readonly #held = new HeldSlots();
  readonly #demands = new GroupsOfTurn<AskedDemand, readonly AdmitReply[]>((accountId, asked) => this.#sendDemands(accountId, asked, null));
  readonly #endings = new GroupsOfTurn<EndedAdmission, null>((accountId, ended) => this.#sendEndings(accountId, ended));
  readonly #seeds: SeedReader;
  readonly #renewals: Ticker;
  readonly #prefix: string;
  #admissions = 0;

  constructor(private readonly ports: RedisRateLimiterPorts) {
    defineLimiterCommands(ports.connection);
    this.#seeds = new SeedReader(ports.usage);
    this.#prefix = ports.prefix ?? 'tollgate:';
    this.#renewals = new Ticker(ports.clock, RENEWAL_MILLISECONDS, () => this.renew());
  }

  get heldSlots(): number {
    return this.#held.size;
  }

  start(): void {
    this.#renewals.start();
  }

  stop(): void {
    this.#renewals.stop();
  }

  async admit(demand: Demand): Promise<Admission> {
    const name = (this.#admissions += 1).toString(36);
    const asked: AskedDemand = { demand, member: `${this.ports.processId}-${name}:${demand.tokens}` };
    let reply = await this.#ask(asked, null);
    for (let seeds = 1; reply[0] === 'unseeded' && seeds <= MAX_SEEDS; seeds += 1) {
      const seed = await this.#seeds.read({ accountId: demand.accountId, at: decodeReading(reply).now, generation: reply[5] });
      reply = await this.#ask(asked, seeds < MAX_SEEDS ? seed : { ...seed, generation: '' });
    }
    return this.#admission(asked, reply);
  }

  async release(ticket: AdmissionTicket, end: AdmissionEnd): Promise<void> {
    const content = decodeTicket(ticket);
    this.#held.remove(this.#slotKeys(content), content.member);
    await answered(this.#endings.join(content.accountId, { content, end }).answer);
  }

  async quota(accountId: AccountId, binding: BindingLimits): Promise<QuotaSnapshot> {
    const { incident } = binding;
    const { window } = accountKeys(this.#prefix, accountId);
    const keys = incident === null ? [window] : [window, incidentKeys(this.#prefix, accountId, incident).window];
    const reply = await answered(this.ports.connection.tollgateQuota(keys.length, ...keys, this.#time()));
    return quotaOf(binding, decodeQuotaReply(reply));
  }

  /**
   * Renews the held slots, and restores those that Redis has lost. After `start`, this happens every 10 s. Failures are reported to
   * `onCleanUpFailed`.
   */
  async renew(): Promise<void> {
    const renewals: Promise<null>[] = [];
    for (const [slots, members] of this.#held.byKey) {
      for (const batch of portionsOf([...members], RENEWAL_BATCH)) {
        renewals.push(this.ports.connection.tollgateRenewSlots(slots, this.#time(), ...batch));
      }
    }
    const failed = (await Promise.allSettled(renewals)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') this.ports.onCleanUpFailed(failed.reason);
  }

  /** Sends a demand to Redis, grouped with others of the account. A demand with figures from the database is sent alone. */
  async #ask(asked: AskedDemand, seed: Seed | null): Promise<AdmitReply> {
    const { accountId } = asked.demand;
    const { answer, place } = seed === null
      ? this.#demands.join(accountId, asked)
      : { answer: this.#sendDemands(accountId, [asked], seed), place: 0 };
    const replies = await answer.catch((cause: unknown) => this.#unanswered(asked, cause));
    const reply = replies[place];
    invariant(reply !== undefined, 'the script answers every demand');
    return reply;
  }

  #sendDemands(accountId: AccountId, asked: readonly AskedDemand[], seed: Seed | null): Promise<readonly AdmitReply[]> {
    const keys = this.#keysOf(accountId, asked.map(({ demand }) => demand.incident));
    return this.ports.connection.tollgateAdmit(keys.all.length, ...keys.all, this.#time(), ...seedArguments(seed), ...demandArguments(asked, keys));
  }

  #admission({ demand, member }: AskedDemand, reply: AdmitReply): Admission {
    const [status] = reply;
    const reading = decodeReading(reply);
    invariant(status !== 'unseeded', 'the last seed is taken whatever ended while it was read');
    if (status !== 'admitted') return refusedAdmission(decodeExceeded(reply), demand, reading);
    const { accountId, kind, tokens } = demand;
    const incident = incidentContent(demand, reading.incident.startedAt);
    const content: TicketContent = { accountId, kind, member, tokens, windowStartedAt: reading.plan.startedAt, incident };
    if (kind === 'generation') this.#held.add(this.#slotKeys(content), member);
    return { admitted: true, ticket: encodeTicket(content), quota: quotaOf(demand, reading) };
  }

  #unanswered({ demand, member }: AskedDemand, cause: unknown): never {
    const { accountId, kind, tokens } = demand;
    const content = { accountId, kind, member, tokens };
    void this.#undoUnanswered({ ...content, windowStartedAt: null, incident: incidentContent(demand, null) });
    const ticket = encodeTicket({ ...content, windowStartedAt: NO_WINDOW, incident: incidentContent(demand, NO_WINDOW) });
    throw new UnansweredAdmission(cause, ticket);
  }

  /**
   * Undoes an admission that timed out, since it may still take effect. Redis executes the commands of a connection in order, so it undoes the
   * admission only after it.
   */
  async #undoUnanswered(content: TicketContent): Promise<void> {
    try {
      await this.#endings.join(content.accountId, { content, end: { kind: 'undone' } }).answer;
    } catch (cause) {
      this.ports.onCleanUpFailed(cause);
    }
  }

  #sendEndings(accountId: AccountId, ended: readonly EndedAdmission[]): Promise<null> {
    const keys = this.#keysOf(accountId, ended.map(({ content }) => content.incident));
    return this.ports.connection.tollgateRelease(keys.all.length, ...keys.all, this.#time(), ...releaseArguments(ended, keys));
  }

  #keysOf(accountId: AccountId, incidents: readonly (IncidentName | null)[]): CommandKeys {
    return commandKeys({ prefix: this.#prefix, accountId }, incidents);
  }

  #slotKeys({ accountId, incident }: TicketContent): SlotKeys {
    const { slots } = accountKeys(this.#prefix, accountId);
    return incident === null ? [slots] : [slots, incidentKeys(this.#prefix, accountId, incident).slots];
  }

  #time(): number | '' {
    return this.ports.time === 'clock' ? this.ports.clock.now() : '';
  }
}

/** Returns `null` for token counting, which incident limits do not include. */
function incidentContent({ kind, incident }: Demand, windowStartedAt: number | null): IncidentContent | null {
  return incident === null || kind === 'count' ? null : { model: incident.model, setAt: incident.setAt, windowStartedAt };
}
