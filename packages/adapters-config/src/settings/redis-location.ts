import { z } from 'zod';

export interface RedisLocation {
  /** `redis://…`, `rediss://…`, or the absolute path of a Unix socket. May contain a password. */
  readonly url: string;
}

const REDIS_FORM = 'must be a redis:// or rediss:// address, or the absolute path of a Unix socket such as /run/redis/redis.sock';
const DATABASE_NUMBER = /^\/?\d{0,4}$/;

/** The error never repeats the text, which may contain a password. */
export const redisLocation: z.ZodType<RedisLocation, string> = z.string().transform((text, context) => {
  if (isSocketPath(text) || isRedisAddress(text)) return { url: text };
  context.addIssue(REDIS_FORM);
  return z.NEVER;
});

function isSocketPath(text: string): boolean {
  return text.startsWith('/') && !text.endsWith('/') && !text.includes('\0');
}

function isRedisAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && DATABASE_NUMBER.test(url.pathname);
}
