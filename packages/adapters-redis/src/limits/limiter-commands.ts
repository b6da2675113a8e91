import type { Result } from 'ioredis';
import type { RedisConnection } from '../connection/open-redis.js';
import { ADMIT_SCRIPT, QUOTA_SCRIPT, RELEASE_SCRIPT, RENEW_SCRIPT } from './limiter-scripts.js';

type Argument = string | number;

export type AdmitReply = readonly [
  status: string, now: number, windowStartedAt: number, requests: number, tokens: number, generation: string,
];

export type QuotaReply = readonly [now: number, windowStartedAt: number, requests: number, tokens: number];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    tollgateAdmit(...keysAndArguments: readonly Argument[]): Result<AdmitReply, Context>;
    tollgateRelease(...keysAndArguments: readonly Argument[]): Result<null, Context>;
    tollgateQuota(...keysAndArguments: readonly Argument[]): Result<QuotaReply, Context>;
    tollgateRenewSlots(...keysAndArguments: readonly Argument[]): Result<null, Context>;
  }
}

/** Gives a connection the limiter's scripts as commands. They are sent by their hash, and whole to a server that does not know them. */
export function defineLimiterCommands(connection: RedisConnection): void {
  connection.defineCommand('tollgateAdmit', { lua: ADMIT_SCRIPT, numberOfKeys: 3 });
  connection.defineCommand('tollgateRelease', { lua: RELEASE_SCRIPT, numberOfKeys: 3 });
  connection.defineCommand('tollgateQuota', { lua: QUOTA_SCRIPT, numberOfKeys: 1 });
  connection.defineCommand('tollgateRenewSlots', { lua: RENEW_SCRIPT, numberOfKeys: 1 });
}
