import type { ResolutionContext } from 'inversify';
import { TokenCounting } from '@tollgate/core';
import { JsonBodyReader } from '../http/body/json-body-reader.js';
import type { Endpoint } from '../http/middleware/endpoint.js';
import { accountEndpoint, apiKeysEndpoints } from '../routes/account.js';
import { countTokensEndpoint, generationEndpoint } from '../routes/generation/generation-endpoints.js';
import { modelsEndpoints } from '../routes/models.js';
import { listUsageEndpoint, readUsageEndpoint, summariseUsageEndpoint } from '../routes/usage.js';
import { services } from './services.js';

/** Every endpoint of the service. Of two paths that match the same address, the more particular one stands first. */
export function createEndpoints(context: ResolutionContext): readonly Endpoint[] {
  const [catalogue, keys, usage] = [context.get(services.catalogue), context.get(services.keys), context.get(services.usage)];
  const [limiter, clock, bodies] = [context.get(services.limiter), context.get(services.clock), context.get(JsonBodyReader)];
  return [
    generationEndpoint('/v1/chat/completions', { handler: context.get(services.chatGenerations), bodies }),
    generationEndpoint('/v1/messages', { handler: context.get(services.messagesGenerations), bodies }),
    countTokensEndpoint({ counting: context.get(TokenCounting), bodies, format: context.get(services.messages) }),
    ...modelsEndpoints(catalogue),
    accountEndpoint({ ledger: context.get(services.ledger), limiter, usage, keys, catalogue, platform: context.get(services.platform), clock }),
    ...apiKeysEndpoints(keys, clock),
    listUsageEndpoint(usage),
    summariseUsageEndpoint(usage, clock),
    readUsageEndpoint(usage),
  ];
}
