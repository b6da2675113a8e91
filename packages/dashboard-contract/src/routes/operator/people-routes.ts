import { z } from 'zod';
import { defineRoute } from '../../route-contract.js';
import { email, id, label } from '../../values.js';
import { session } from '../session-routes.js';

const params = z.strictObject({ id });

export const operatorPeopleRoutes = {
  invitePerson: defineRoute({
    method: 'post', path: '/operator/invitations', access: 'operator', status: 202,
    summary: 'Mails a link with which the invited person chooses a password, in place of an earlier one; the link proves the address.',
    body: z.strictObject({ email, name: label(100) }), reply: z.strictObject({ object: z.literal('invitation'), email: z.string() }),
  }),
  listSessionsOfPerson: defineRoute({
    method: 'get', path: '/operator/people/{id}/sessions', access: 'operator', summary: 'The sessions of a person that are alive, most recently used first.',
    params, reply: z.strictObject({ object: z.literal('list'), data: z.array(session).readonly(), has_more: z.literal(false) }),
  }),
  endSessionsOfPerson: defineRoute({
    method: 'delete', path: '/operator/people/{id}/sessions', access: 'operator', fresh: true, status: 204, summary: 'Ends all sessions of a person.', params,
  }),
} as const;
