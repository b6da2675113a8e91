import { EVENT_TYPES, PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { cursor, id, instant, pageOf } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { ofAccount } from './account-reference.js';
import { defineAdminRoute } from './admin-route.js';

const MESSAGE = { error: `must be one of ${EVENT_TYPES.join(', ')}` };
const type = z.enum(EVENT_TYPES, MESSAGE);

const event = z.strictObject({
  object: z.literal('event').describe('The kind of object.'),
  id: id.describe('The id of the event.'),
  type: type.describe('What happened.'),
  account_id: id.nullable().describe('The account; `null` for events of the platform.'),
  external_id: z.string().nullable().describe('The operator’s own id of the account when the event was stored.'),
  account_sequence: z.number().int().min(1).nullable().describe('Counts the events of the account without gaps; `null` for events of the platform.'),
  occurred_at: instant.describe('When it happened.'),
  data: z.record(z.string(), z.unknown()).describe('Ids, words of fixed lists and amounts as decimal texts, depending on the type.'),
});

export const eventRoutes = {
  listEvents: defineAdminRoute({
    method: 'get', path: '/events', access: 'events:read', codes: ['cursor_lost'],
    summary: 'The feed of events, oldest first. A reader that keeps `next_cursor` misses none and reads none twice. A page may be empty and have more.',
    query: z.strictObject({
      after: cursor.describe('The `next_cursor` of an earlier page.'), limit: pageLimit(PAGE_SIZES.events.admin).describe('How many items the page has.'),
      type: z.union([type.transform((only) => [only]), z.array(type)], MESSAGE).optional().describe('Only these types; may be repeated.'), account: ofAccount('events'),
    }),
    reply: pageOf(event),
  }),
  readEvent: defineAdminRoute({
    method: 'get', path: '/events/{event_id}', access: 'events:read', summary: 'One event.', params: z.strictObject({ event_id: id.describe('The id of the event.') }), reply: event,
  }),
} as const;
