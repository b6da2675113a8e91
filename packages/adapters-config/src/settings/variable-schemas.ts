import { parseNetwork, ServiceTokens, type ReasoningStyle, type ResponsesReasoningStyle, type ThinkingStyle } from '@tollgate/core';
import { z } from 'zod';

export const SERVER_KINDS = ['openai', 'anthropic', 'responses'] as const;

export const REASONING_STYLES = {
  openai: ['effort', 'thinking', 'chat-template', 'off-only', 'none'],
  anthropic: ['budget', 'adaptive', 'off-only', 'none'],
  responses: ['effort', 'off-only', 'none'],
} as const satisfies {
  readonly openai: readonly ReasoningStyle[];
  readonly anthropic: readonly ThinkingStyle[];
  readonly responses: readonly ResponsesReasoningStyle[];
};

export const ALL_REASONING_STYLES = [...REASONING_STYLES.anthropic, ...REASONING_STYLES.openai] as const;

export const portNumber = wholeNumber(0, 65_535);

export const onOrOff = z.enum(['on', 'off'], { error: 'must be on or off' });

/** Up to three decimal places; returns milliseconds. */
export function seconds(minimum: number, maximum: number): z.ZodType<number, string> {
  const message = `must be a number of seconds from ${minimum} to ${maximum}`;
  return z.string().regex(/^\d{1,7}(\.\d{1,3})?$/, message).transform((text) => Math.round(Number(text) * 1000))
    .refine((milliseconds) => milliseconds >= minimum * 1000 && milliseconds <= maximum * 1000, message);
}

export function wholeNumber(minimum: number, maximum: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z.string().regex(/^\d{1,15}$/, message).transform(Number).refine((value) => value >= minimum && value <= maximum, message);
}

/** Whether the machine has the interface shows only when listening. */
export const hostName = z.string().regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or an IP address');

const URL_MESSAGE = 'must be an http:// or https:// address';

/** Credentials are refused: they would be lost. */
export const httpAddress = z.string().superRefine((text, context) => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) context.addIssue(URL_MESSAGE);
  else if (url.username !== '' || url.password !== '') context.addIssue('must not contain a user name or a password');
});

/** Scheme, host and port as in browsers. */
export const publicOrigin = httpAddress.transform((text, context) => {
  const { origin, pathname, search, hash } = new URL(text);
  if (pathname === '/' && search === '' && hash === '') return origin;
  context.addIssue('must have no path: https://api.example.com');
  return z.NEVER;
});

const CREDIT_MESSAGE = 'must be a number of service tokens from 0 to 999999999 with at most six decimal places';

/** `null` for none. */
export const credit: z.ZodType<ServiceTokens | null, string> = z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, CREDIT_MESSAGE)
  .transform((text) => (/[1-9]/.test(text) ? ServiceTokens.parse(text) : null));

const MAX_CREDIT_LINE_CHARACTERS = 300;
const ADDRESS = /[a-z][a-z0-9+.-]*:\/\/\S+/gi;

/** One line for owners, with at most one https address. */
export const creditLine = z.string().superRefine((text, context) => {
  const addresses = text.match(ADDRESS) ?? [];
  const isLine = text.length <= MAX_CREDIT_LINE_CHARACTERS && !/\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}/u.test(text);
  if (!isLine) context.addIssue(`must be one line of at most ${MAX_CREDIT_LINE_CHARACTERS} characters`);
  else if (addresses.length > 1 || addresses.some((address) => URL.parse(address)?.protocol !== 'https:')) context.addIssue('may have one address, which begins with https://');
});

const HOST_WITH_PORT = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;

/** In lower case. */
export const hostList = z.string().transform((text) => text.toLowerCase().split(',').map((part) => part.trim()))
  .refine((hosts) => hosts.every((host) => HOST_WITH_PORT.test(host)), 'must be a comma-separated list of host names such as console.example.com');

/** `word` stands for the empty list. */
export function networkList(word: string): z.ZodType<readonly string[], string> {
  return z.string().transform((text) => (text === word ? [] : text.split(',').map((part) => part.trim())))
    .refine((networks) => networks.every((network) => parseNetwork(network) !== null), `must be ${word}, or a comma-separated list of addresses or CIDR ranges such as 10.0.0.0/8`);
}

/** A local file, or a server that gateways share. */
export type DatabaseLocation =
  | {
    readonly kind: 'sqlite';
    /** Absolute or relative, or `:memory:`. */
    readonly path: string;
  }
  | {
    readonly kind: 'postgres';
    /** May contain a password. */
    readonly url: string;
  };

const DATABASE_FORM = 'must have the form sqlite:PATH, for example sqlite:./data/tollgate.db, or postgresql://USER:PASSWORD@HOST:PORT/DATABASE';
/** `sqlite:///path` equals `sqlite:/path`. */
const SQLITE = /^sqlite:(?:\/\/(?=\/))?(?!\/\/)(.+)$/;
/** Users, passwords, ports and parameters are optional; so is the host, for a socket in a parameter. */
const POSTGRES = /^postgres(?:ql)?:\/\/(?:[^@/?#\s]*@)?[^@/?#\s]*\/[^/?#\s]+(?:\?[^#\s]*)?$/i;

/** `sqlite:PATH` or `postgresql://…`. The error never repeats the text, which may contain a password. */
export const databaseLocation: z.ZodType<DatabaseLocation, string> = z.string().transform((text, context) => {
  const path = SQLITE.exec(text)?.[1];
  if (path !== undefined) return { kind: 'sqlite' as const, path };
  if (POSTGRES.test(text)) return { kind: 'postgres' as const, url: text };
  context.addIssue(DATABASE_FORM);
  return z.NEVER;
});

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
