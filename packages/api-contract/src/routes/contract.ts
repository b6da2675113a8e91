import { z } from 'zod';
import { defineRoute } from '../definition/route-contract.js';
import { accountRoutes, meRoutes } from './account-routes.js';
import { accountNoteRoutes } from './account-note-routes.js';
import { billingRoutes } from './billing-routes.js';
import { consentRoutes } from './consent-routes.js';
import { auditRoutes, controlRoutes, operatorPeopleRoutes, operatorStandingRoutes } from './control-routes.js';
import { keyNameRoutes } from './key-name-routes.js';
import { holderNameRoutes } from './holder-name-routes.js';
import { keyRoutes, modelRoutes, playgroundRoutes } from './key-routes.js';
import { machineRoutes } from './machine-routes.js';
import { mailRoutes } from './mail-routes.js';
import { notificationRoutes } from './notification-routes.js';
import { operationRoutes } from './operation-routes.js';
import { operatorAccountRoutes } from './operator-account-routes.js';
import { paymentRoutes } from './payment-routes.js';
import { credentialRoutes, entryRoutes, factorRoutes, sessionRoutes, signInMethodRoutes } from './sign-in-routes.js';
import { statementRoutes } from './statement-routes.js';
import { creditRoutes } from './credit-routes.js';
import { topUpRoutes } from './top-up-routes.js';
import { usageRoutes } from './usage-routes.js';
import { voucherRoutes } from './voucher-routes.js';
import { operatorWebhookRoutes, webhookRoutes } from './webhook-routes.js';

const descriptionRoutes = {
  describe: defineRoute({
    method: 'get', path: '/openapi.json', access: 'anyone', cache: 'etag', summary: 'This description, as OpenAPI 3.1.',
    reply: z.looseObject({ openapi: z.literal('3.1.0').describe('The version of OpenAPI.'), paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))).describe('Operations by path and method.') }),
  }),
} as const;

/** All routes under `/dashboard/api`, by the name that handlers and clients use. */
export const contract = {
  ...descriptionRoutes,
  ...sessionRoutes,
  ...entryRoutes,
  ...factorRoutes,
  ...credentialRoutes,
  ...signInMethodRoutes,
  ...consentRoutes,
  ...meRoutes,
  ...accountRoutes,
  ...billingRoutes,
  ...paymentRoutes,
  ...topUpRoutes,
  ...creditRoutes,
  ...notificationRoutes,
  ...keyRoutes,
  ...keyNameRoutes,
  ...webhookRoutes,
  ...modelRoutes,
  ...playgroundRoutes,
  ...usageRoutes,
  ...statementRoutes,
  ...operatorAccountRoutes,
  ...operatorStandingRoutes,
  ...holderNameRoutes,
  ...accountNoteRoutes,
  ...operatorPeopleRoutes,
  ...auditRoutes,
  ...controlRoutes,
  ...machineRoutes,
  ...voucherRoutes,
  ...operatorWebhookRoutes,
  ...operationRoutes,
  ...mailRoutes,
} as const;
