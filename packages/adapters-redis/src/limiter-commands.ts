import {
  type AccountId, type AdmissionEnd, type Demand, instant, type LimitName, type QuotaReading, type UsedLimit, type WindowCounts,
} from '@tollgate/core';
import type { Result } from 'ioredis';
import type { CommandKeys } from './limiter-keys.js';
import type { TicketContent } from './admission-ticket.js';
import { luaScript } from './lua-script.js';
import type { RedisConnection } from './redis-connection.js';
import type { Seed } from './redis-rate-limiter.js';

type Argument = string | number;

export type AdmitReply = readonly [
  status: string, now: number, windowStartedAt: number, requests: number, tokens: number, generation: string,
  incidentStartedAt: number, incidentRequests: number, incidentTokens: number, used: number,
];

type QuotaReply = readonly [
  now: number, windowStartedAt: number, requests: number, tokens: number,
  incidentStartedAt: number, incidentRequests: number, incidentTokens: number,
];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    tollgateAdmit(numberOfKeys: number, ...keysAndArguments: readonly Argument[]): Result<readonly AdmitReply[], Context>;
    tollgateRelease(numberOfKeys: number, ...keysAndArguments: readonly Argument[]): Result<null, Context>;
    tollgateQuota(numberOfKeys: number, ...keysAndArguments: readonly Argument[]): Result<QuotaReply, Context>;
    tollgateRenewSlots(...keysAndArguments: readonly Argument[]): Result<null, Context>;
  }
}

/** Defines the scripts as commands. The driver sends the hash of a script, and its text only if the server does not have it. */
export function defineLimiterCommands(connection: RedisConnection): void {
  connection.defineCommand('tollgateAdmit', { lua: luaScript('admit', 'window') });
  connection.defineCommand('tollgateRelease', { lua: luaScript('release', 'window') });
  connection.defineCommand('tollgateQuota', { lua: luaScript('quota', 'window') });
  connection.defineCommand('tollgateRenewSlots', { lua: luaScript('renew-slots', 'window'), numberOfKeys: 1 });
}

/** A demand, and the name of the slot that it would take. */
export interface AskedDemand {
  readonly demand: Demand;
  readonly member: string;
}

export interface EndedAdmission {
  readonly content: TicketContent;
  readonly end: AdmissionEnd;
}

/** Arguments for the figures of the database, in the order in which the script reads them; empty at the first attempt. */
export function seedArguments(seed: Seed | null): readonly Argument[] {
  return seed === null ? ['', '', '', ''] : [seed.dayNumber, seed.day, seed.month, seed.generation];
}

/** Arguments for each demand, in the order in which the script reads them. */
export function demandArguments(asked: readonly AskedDemand[], keys: CommandKeys): readonly Argument[] {
  const all: Argument[] = [];
  for (const { member, demand: { kind, tokens, limits, incident } } of asked) {
    const { requestsPerMinute, tokensPerMinute, concurrentRequests, tokensPerDay, tokensPerMonth } = limits;
    all.push(
      kind, member, tokens, requestsPerMinute, tokensPerMinute, concurrentRequests, tokensPerDay ?? '', tokensPerMonth ?? '', keys.numberOf(incident),
      incident?.requestsPerMinute ?? '', incident?.tokensPerMinute ?? '', incident?.concurrentRequests ?? '',
    );
  }
  return all;
}

/** Arguments for each release, in the order in which the script reads them. */
export function releaseArguments(ended: readonly EndedAdmission[], keys: CommandKeys): readonly Argument[] {
  const all: Argument[] = [];
  for (const { content: { kind, member, tokens, windowStartedAt, incident }, end } of ended) {
    all.push(
      kind, member, tokens, windowStartedAt ?? '', end.kind, end.kind === 'served' ? end.tokens : 0,
      keys.numberOf(incident), incident?.windowStartedAt ?? '',
    );
  }
  return all;
}

const INCIDENT_STATUS = 'incident:';

export function decodeQuotaReply([now, startedAt, requests, tokens, incidentStartedAt, incidentRequests, incidentTokens]: QuotaReply): QuotaReading {
  return {
    now: instant(now),
    plan: windowCounts(startedAt, requests, tokens),
    incident: windowCounts(incidentStartedAt, incidentRequests, incidentTokens),
  };
}

/** Counts of the windows when the script ran. */
export function decodeReading(reply: AdmitReply): QuotaReading {
  const [, now, startedAt, requests, tokens, , incidentStartedAt, incidentRequests, incidentTokens] = reply;
  return decodeQuotaReply([now, startedAt, requests, tokens, incidentStartedAt, incidentRequests, incidentTokens]);
}

export function decodeExceeded(reply: AdmitReply): UsedLimit {
  const [status, , , , , , , , , used] = reply;
  return status.startsWith(INCIDENT_STATUS)
    ? { limit: status.slice(INCIDENT_STATUS.length) as LimitName, owner: 'incident', used }
    : { limit: status as LimitName, owner: 'plan', used };
}

function windowCounts(startedAt: number, requests: number, tokens: number): WindowCounts {
  return { startedAt: startedAt < 0 ? null : instant(startedAt), requests, tokens };
}

/** Maximum number of demands or releases per command, which bounds its duration. */
const MAX_GROUP = 200;

interface Group<Item, Answer> {
  readonly items: Item[];
  /** Answer to all items of the group. */
  readonly answer: Promise<Answer>;
  readonly send: () => void;
}

export interface Joined<Answer> {
  readonly answer: Promise<Answer>;
  /** Index of the item in its group. */
  readonly place: number;
}

/** Groups the items of an account within one event loop turn, so that they are sent as one command. */
export class GroupsOfTurn<Item, Answer> {
  readonly #groups = new Map<AccountId, Group<Item, Answer>>();

  constructor(private readonly send: (accountId: AccountId, items: readonly Item[]) => Promise<Answer>) {}

  join(accountId: AccountId, item: Item): Joined<Answer> {
    const { items, answer } = this.#groups.get(accountId) ?? this.#begin(accountId);
    const place = items.push(item) - 1;
    if (items.length === MAX_GROUP) this.#send(accountId);
    return { answer, place };
  }

  #begin(accountId: AccountId): Group<Item, Answer> {
    if (this.#groups.size === 0) setImmediate(() => this.#sendAll());
    const items: Item[] = [];
    let send = (): void => undefined;
    const answer = new Promise<Answer>((resolve) => {
      send = () => resolve(this.send(accountId, items));
    });
    const group = { items, answer, send };
    this.#groups.set(accountId, group);
    return group;
  }

  #sendAll(): void {
    for (const accountId of this.#groups.keys()) this.#send(accountId);
  }

  #send(accountId: AccountId): void {
    const group = this.#groups.get(accountId);
    this.#groups.delete(accountId);
    group?.send();
  }
}
