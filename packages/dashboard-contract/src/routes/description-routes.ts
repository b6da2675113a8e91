import { z } from 'zod';
import { defineRoute } from '../route-contract.js';

export const descriptionRoutes = {
  describe: defineRoute({
    method: 'get', path: '/openapi.json', access: 'anyone', cache: 'etag', summary: 'This description, as OpenAPI 3.1.',
    reply: z.looseObject({ openapi: z.literal('3.1.0'), paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))) }),
  }),
} as const;
