import type { TokenCountFormat, TokenCounting, WireFormat } from '@tollgate/core';
import type { Endpoint } from '../http/routing/endpoint.js';
import { accountEndpoint, type AccountEndpointPorts } from '../routes/account/account-endpoint.js';
import { apiKeysEndpoints } from '../routes/api-keys/api-keys-endpoints.js';
import { countTokensEndpoint } from '../routes/generation/count-tokens-endpoint.js';
import { generationEndpoint, type GenerationEndpointPorts } from '../routes/generation/generation-endpoint.js';
import { modelsEndpoints } from '../routes/models/models-endpoints.js';
import { listUsageEndpoint } from '../routes/usage/list-usage.js';
import { readUsageEndpoint } from '../routes/usage/read-usage.js';
import { summariseUsageEndpoint } from '../routes/usage/summarise-usage.js';

export interface EndpointNeeds extends GenerationEndpointPorts, AccountEndpointPorts {
  readonly counting: TokenCounting;
  readonly chat: WireFormat;
  readonly messages: WireFormat & TokenCountFormat;
}

/** Every endpoint of the service. Of two paths that match the same address, the more particular one stands first. */
export function createEndpoints(needs: EndpointNeeds): readonly Endpoint[] {
  const { chat, messages, counting, bodies, catalogue, keys, usage, clock } = needs;
  return [
    generationEndpoint('/v1/chat/completions', chat, needs),
    generationEndpoint('/v1/messages', messages, needs),
    countTokensEndpoint({ counting, bodies, format: messages }),
    ...modelsEndpoints(catalogue),
    accountEndpoint(needs),
    ...apiKeysEndpoints(keys, clock),
    listUsageEndpoint(usage),
    summariseUsageEndpoint(usage, clock),
    readUsageEndpoint(usage),
  ];
}
