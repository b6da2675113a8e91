import {
  type AccountId, type Admission, type AdmissionEnd, type AdmissionTicket, type BindingLimits, type Clock, type Demand, type Instant,
  invariant, MILLISECONDS_PER_DAY, type ProcessId, quotaOf, type QuotaSnapshot, type RateLimiter, refusedAdmission, type UsageReader,
} from '@tollgate/core';
import { answered, type RedisConnection, UnansweredAdmission } from './redis-connection.js';
import { Ticker } from './ticker.js';
import {
  accountKeys, type CommandKeys, commandKeys, decodeTicket, encodeTicket, HeldSlots, type IncidentContent, incidentKeys, type IncidentName,
  type SlotKeys, type TicketContent,
} from './limiter-keys.js';
import {
  type AdmitReply, type AskedDemand, decodeExceeded, decodeQuotaReply, decodeReading, defineLimiterCommands, demandArguments,
  type EndedAdmission, GroupsOfTurn, releaseArguments, seedArguments,
} from './limiter-commands.js';

/** Where caps per day and month learn what an account has used; the ledger's usage reader is one. */
export type TokensUsedSource = Pick<UsageReader, 'tokensUsed'>;

/** Absolute figures of the source of truth, and what they were read for. */
export interface Seed {
  readonly dayNumber: number;
  readonly day: number;
  readonly month: number;
  /** Redis counts on only if nothing ended since it gave out this generation. */
  readonly generation: string;
}

export interface SeedRequest {
  readonly accountId: AccountId;
  readonly at: Instant;
  readonly generation: string;
}

/** Reads the source of truth once for all the requests of this process that wait for the same figures. */
class SeedReader {
  readonly #reading = new Map<AccountId, { readonly generation: string; readonly seed: Promise<Seed> }>();

  constructor(private readonly usage: TokensUsedSource) {}

  /** Rejects as the source does; the next request tries again. */
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
  /** Asked only for accounts whose plan caps days or months. */
  readonly usage: TokensUsedSource;
  /** Says when to renew slots. */
  readonly clock: Clock;
  /** Unique among all processes, past ones included: names of slots begin with it. */
  readonly processId: ProcessId;
  /** Receives slots that could not be renewed, and admissions without an answer that could not be undone at once. Both end with their lease at the latest. */
  readonly onCleanUpFailed: (cause: unknown) => void;
  /** What decides about windows and leases: Redis's own clock, or in tests that set the time, `clock`. */
  readonly time?: 'redis' | 'clock';
  /** Begins every key. */
  readonly prefix?: string;
}

/** Reads of the source of truth for one admission. More are needed only while requests of the account end during each of them. */
const MAX_SEEDS = 6;
/** No window starts there. What is undone when Redis is back may find a later window than its own, which must not be given back to. */
const NO_WINDOW = 0;
/** How often slots are renewed: two renewals may fail before a lease expires. */
const RENEWAL_MILLISECONDS = 10_000;
/** Slots named in one renewal. */
const RENEWAL_BATCH = 500;

/**
 * The limiter that processes share: one script decides and counts, so limits hold exactly across all of them.
 * What is asked about one account in one turn of the event loop goes in one command, decided in the order in which it was asked.
 * Every method rejects with `RedisUnavailable` when Redis does not answer in time, `admit` with an `UnansweredAdmission`,
 * whose ticket the caller releases when Redis is back: an undoing is sent at once, but nothing says that it arrives.
 * Slots are leases of 30 s, renewed while `start` is in force; without it, longer requests lose theirs.
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

  /** Renews the slots of this process, and adds again those that Redis has lost; `start` does it every 10 s. Never rejects. */
  async renew(): Promise<void> {
    const renewals: Promise<null>[] = [];
    for (const [slots, members] of this.#held.byKey) {
      const all = [...members];
      for (let first = 0; first < all.length; first += RENEWAL_BATCH) {
        renewals.push(this.ports.connection.tollgateRenewSlots(slots, this.#time(), ...all.slice(first, first + RENEWAL_BATCH)));
      }
    }
    const failed = (await Promise.allSettled(renewals)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') this.ports.onCleanUpFailed(failed.reason);
  }

  /** With figures of the source of truth, a demand goes alone. */
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

  /** An admission that timed out may yet take effect. Commands of a connection keep their order, so this one finds what it left. */
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

/** A count of tokens does not count for an incident limit. */
function incidentContent({ kind, incident }: Demand, windowStartedAt: number | null): IncidentContent | null {
  return incident === null || kind === 'count' ? null : { model: incident.model, setAt: incident.setAt, windowStartedAt };
}
