import { type AlertThreshold, parseAlertThresholds, parseNetwork } from '@tollgate/core';
import { z } from 'zod';

export const portNumber = wholeNumber(0, 65_535);

export const onOrOff = z.enum(['on', 'off'], { error: 'must be on or off' });

/** Seconds with up to three decimal places, as milliseconds. */
export function seconds(minimum: number, maximum: number): z.ZodType<number, string> {
  const message = `must be a number of seconds from ${minimum} to ${maximum}`;
  return z.string().regex(/^\d{1,7}(\.\d{1,3})?$/, message).transform((text) => Math.round(Number(text) * 1000))
    .refine((milliseconds) => milliseconds >= minimum * 1000 && milliseconds <= maximum * 1000, message);
}

export function wholeNumber(minimum: number, maximum: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z.string().regex(/^\d{1,15}$/, message).transform(Number).refine((value) => value >= minimum && value <= maximum, message);
}

/** A host name or an IP address. Whether the machine has that interface is known only when the gateway listens. */
export const hostName = z.string().regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or an IP address');

const URL_MESSAGE = 'must be an http:// or https:// address';

/** An HTTP URL; credentials are refused, because they would be lost. */
export const httpAddress = z.string().superRefine((text, context) => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) context.addIssue(URL_MESSAGE);
  else if (url.username !== '' || url.password !== '') context.addIssue('must not contain a user name or a password');
});

/** Scheme, host and port, in the form that browsers use. */
export const publicOrigin = httpAddress.transform((text, context) => {
  const { origin, pathname, search, hash } = new URL(text);
  if (pathname === '/' && search === '' && hash === '') return origin;
  context.addIssue('must have no path, as in https://api.example.com');
  return z.NEVER;
});

/** Text without control characters; a backslash and `n` stand for a line break. */
export function printedText(maximum: number): z.ZodType<string, string> {
  return z.string().max(maximum, `must have at most ${maximum} characters`).refine((text) => !/\p{Cc}/u.test(text), 'must have no control characters')
    .transform((text) => text.replaceAll('\\n', '\n'));
}

export const alertThresholds: z.ZodType<readonly AlertThreshold[], string> = z.string().transform((text, context) => {
  const thresholds = parseAlertThresholds(text === 'none' ? '' : text);
  if (thresholds !== null) return thresholds;
  context.addIssue('must be none, or up to three whole percentages such as 20% or amounts of service tokens such as 12.5, separated by commas');
  return z.NEVER;
});

const HOST_WITH_PORT = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Host names with optional ports, in lower case. */
export const hostList = z.string().transform((text) => text.toLowerCase().split(',').map((part) => part.trim()))
  .refine((hosts) => hosts.every((host) => HOST_WITH_PORT.test(host)), 'must be a comma-separated list of host names such as console.example.com');

/** A list of networks; `word` stands for the empty list. */
export function networkList(word: string): z.ZodType<readonly string[], string> {
  return z.string().transform((text) => (text === word ? [] : text.split(',').map((part) => part.trim())))
    .refine((networks) => networks.every((network) => parseNetwork(network) !== null), `must be ${word}, or a comma-separated list of addresses or CIDR ranges such as 10.0.0.0/8`);
}
