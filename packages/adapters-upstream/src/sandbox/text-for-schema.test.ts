import { expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { z } from 'zod';
import { textFor } from './text-for-schema.js';

/** Formats that libraries validate. */
const FORMATS: readonly (readonly [string, z.ZodType])[] = [
  ['email', z.email()], ['url', z.url()], ['uuid', z.uuid()], ['guid', z.guid()], ['date', z.iso.date()], ['date-time', z.iso.datetime()], ['duration', z.iso.duration()],
  ['ipv4', z.ipv4()], ['ipv6', z.ipv6()], ['cidrv4', z.cidrv4()], ['cidrv6', z.cidrv6()], ['base64', z.base64()], ['base64url', z.base64url()], ['e164', z.e164()], ['jwt', z.jwt()],
  ['nanoid', z.nanoid()], ['cuid', z.cuid()], ['cuid2', z.cuid2()], ['ulid', z.ulid()], ['xid', z.xid()], ['ksuid', z.ksuid()], ['emoji', z.emoji()],
];

it.each(FORMATS)('a text for a schema has the format %s, according to a library for that format', (_name, schema) => {
  const text = textFor(z.toJSONSchema(schema) as JsonObject);
  expect(schema.safeParse(text)).toEqual({ success: true, data: text });
});

it.each([[{ minLength: 12 }, 'simulated...'], [{ maxLength: 3 }, 'sim'], [{ format: 'emoji', maxLength: 1 }, '🙂'], [{ format: 'unknown' }, 'simulated']])('the text for the schema %j has a permitted length, and splits no character', (schema, text) => {
  expect(textFor(schema)).toBe(text);
});
