import { z } from 'zod';
import { instant, label } from '../definition/field-schemas.js';
import { defineRoute } from '../definition/route-contract.js';

const document = z.enum(['terms', 'privacy']);

export const consent = z.strictObject({
  document: document.describe('The terms of service or the privacy notice.'),
  version: z.string().describe('The version.'),
  agreed_at: instant.describe('When the owner agreed to it.'),
}).meta({ id: 'Consent', description: 'A version of the terms or of the privacy notice that the owner agreed to.' });

const missing = z.strictObject({
  document: document.describe('The terms of service or the privacy notice.'),
  version: z.string().describe('The version in force.'),
  url: z.string().describe('Where it can be read.'),
  agreed_version: z.string().nullable().describe('The version that the person agreed to last; `null` for none.'),
});

export const consentRoutes = {
  consent: defineRoute({
    method: 'get', path: '/consent', access: 'owner', beforeConsent: true, summary: 'The documents that the person has to agree to before anything else.',
    reply: z.strictObject({ object: z.literal('consent').describe('The kind of object.'), documents: z.array(missing).readonly().describe('Empty if nothing is missing.') }),
  }),
  agree: defineRoute({
    method: 'post', path: '/consent', access: 'owner', beforeConsent: true, openTo: 'inactive', status: 204,
    summary: 'Agrees to the versions that the person was shown; repeating it changes nothing.',
    body: z.strictObject({ terms: label(100).optional().describe('The version of the terms.'), privacy: label(100).optional().describe('The version of the privacy notice.') }),
  }),
} as const;
