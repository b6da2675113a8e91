import {
  type AdmissionEnd, type Demand, type ExceededLimit, instant, type LimitName, type QuotaReading, type WindowCounts,
} from '@tollgate/core';
import type { Result } from 'ioredis';
import type { CommandKeys } from './limiter-keys.js';
import { luaScript } from './lua-scripts.js';
import type { RedisConnection } from './redis-connection.js';
import type { Seed } from './seed-reader.js';
import type { TicketContent } from './tickets.js';

type Argument = string | number;

export type AdmitReply = readonly [
  status: string, now: number, windowStartedAt: number, requests: number, tokens: number, generation: string,
  incidentStartedAt: number, incidentRequests: number, incidentTokens: number,
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

/** Defines the limiter's scripts as commands of a connection. The driver sends their hash, and the text to a server that does not know it. */
export function defineLimiterCommands(connection: RedisConnection): void {
  connection.defineCommand('tollgateAdmit', { lua: luaScript('admit', 'clock', 'window') });
  connection.defineCommand('tollgateRelease', { lua: luaScript('release', 'clock') });
  connection.defineCommand('tollgateQuota', { lua: luaScript('quota', 'clock', 'window') });
  connection.defineCommand('tollgateRenewSlots', { lua: luaScript('renew-slots', 'clock'), numberOfKeys: 1 });
}

/** A demand, and the name of the slot that it takes if it is admitted. */
export interface AskedDemand {
  readonly demand: Demand;
  readonly member: string;
}

/** An admission, and how it ended. */
export interface EndedAdmission {
  readonly content: TicketContent;
  readonly end: AdmissionEnd;
}

/** The figures of the database, in the order of the script; empty at a first attempt. */
export function seedArguments(seed: Seed | null): readonly Argument[] {
  return seed === null ? ['', '', '', ''] : [seed.dayNumber, seed.day, seed.month, seed.generation];
}

/** The demands in the order of the script. */
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

/** The released admissions, in the order of the script. */
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

/** The counts of an account at the time of the script. */
export function decodeReading([, now, startedAt, requests, tokens, , ...incident]: AdmitReply): QuotaReading {
  return decodeQuotaReply([now, startedAt, requests, tokens, ...incident]);
}

/** The limit that the status of a refused demand names. */
export function decodeExceeded([status]: AdmitReply): ExceededLimit {
  return status.startsWith(INCIDENT_STATUS)
    ? { limit: status.slice(INCIDENT_STATUS.length) as LimitName, owner: 'incident' }
    : { limit: status as LimitName, owner: 'plan' };
}

function windowCounts(startedAt: number, requests: number, tokens: number): WindowCounts {
  return { startedAt: startedAt < 0 ? null : instant(startedAt), requests, tokens };
}
