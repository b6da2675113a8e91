import type { AdmissionEnd, Demand } from '@tollgate/core';
import type { Result } from 'ioredis';
import type { RedisConnection } from '../connection/open-redis.js';
import type { CommandKeys } from './command-keys.js';
import { ADMIT_SCRIPT, QUOTA_SCRIPT, RELEASE_SCRIPT, RENEW_SCRIPT } from './limiter-scripts.js';
import type { Seed } from './seed-reader.js';
import type { TicketContent } from './ticket.js';

type Argument = string | number;

export type AdmitReply = readonly [
  status: string, now: number, windowStartedAt: number, requests: number, tokens: number, generation: string,
  incidentStartedAt: number, incidentRequests: number, incidentTokens: number,
];

export type QuotaReply = readonly [
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

/** Gives a connection the limiter's scripts as commands. They are sent by their hash, and whole to a server that does not know them. */
export function defineLimiterCommands(connection: RedisConnection): void {
  connection.defineCommand('tollgateAdmit', { lua: ADMIT_SCRIPT });
  connection.defineCommand('tollgateRelease', { lua: RELEASE_SCRIPT });
  connection.defineCommand('tollgateQuota', { lua: QUOTA_SCRIPT });
  connection.defineCommand('tollgateRenewSlots', { lua: RENEW_SCRIPT, numberOfKeys: 1 });
}

/** A demand, and the name of the slot it would get. */
export interface AskedDemand {
  readonly demand: Demand;
  readonly member: string;
}

/** An admission, and how it ended. */
export interface EndedAdmission {
  readonly content: TicketContent;
  readonly end: AdmissionEnd;
}

/** What the source of truth says, in the order of the script; nothing at a first attempt. */
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

/** What is released, in the order of the script. */
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
