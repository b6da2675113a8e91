import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { contract } from './contract.js';
import type { RouteDefinition } from '../definition/route-contract.js';

/** Routes that set the name of an account, a person, a key, a passkey, a machine or a batch of vouchers, each with the field of the name. */
const ROUTES: Readonly<Record<string, RouteDefinition>> = contract;
const DOORS = Object.entries(ROUTES).flatMap(([route, { body }]) =>
  (body instanceof z.ZodObject ? ['name', 'account_name'].filter((field) => field in body.shape).map((field) => [route, field, body.shape[field] as z.ZodType] as const) : []));

it('the routes that take a name are exactly those that this test lists', () => {
  expect(DOORS.map(([route, field]) => `${route} ${field}`).toSorted()).toEqual([
    'addPasskey name', 'changeAccount name', 'changeKey name', 'changeKeyOfAccount name', 'changeProfile account_name', 'changeProfile name', 'createAccount name', 'createKey name', 'createKeyOfAccount name', 'createMachine name', 'createVouchers name',
    'invitePerson name', 'renamePasskey name', 'signUp name',
  ]);
});

it.each(DOORS)('%s accepts a %s of 1 to 200 characters on one line, and no other', (_route, _field, schema) => {
  expect(['a', 'x'.repeat(200)].map((name) => schema.safeParse(name).success)).toEqual([true, true]);
  expect(['', ' ', 'x'.repeat(201), 'a\nb'].map((name) => schema.safeParse(name).success)).toEqual([false, false, false, false]);
});
