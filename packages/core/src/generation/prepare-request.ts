import type { RequestFacts } from '../billing/usage-record.js';
import { imageCountOf } from '../conversation/conversation.js';
import { NO_TOKENS, type TokenCount } from '../ids.js';
import type { KeyLimit } from '../keys/spending-limit.js';
import { incidentInForce } from '../limits/incident-in-force.js';
import type { BindingLimits } from '../limits/quota-snapshot.js';
import type { Catalogue } from '../models/catalogue.js';
import type { CatalogueSource } from '../ports/catalogue-source.js';
import type { Clock } from '../ports/clock.js';
import type { PlatformState } from '../ports/platform-state.js';
import type { TokenEstimator } from '../ports/token-estimator.js';
import type { GenerateCommand } from './generate-command.js';
import type { GenerationRequest } from './generation-request.js';
import { largestCrediblePrompt } from './reported-usage.js';
import { type RequestSize, sizeRequest } from './size-request.js';

export interface PreparePorts {
  readonly catalogue: CatalogueSource;
  readonly platform: PlatformState;
  readonly estimator: TokenEstimator;
  readonly clock: Clock;
}

/** What a request needs, all of it worked out before anything is taken, so that nothing is left to fail in between. */
export interface PreparedRequest extends RequestSize {
  readonly facts: RequestFacts;
  readonly binding: BindingLimits;
  readonly largestPromptTokens: TokenCount;
  readonly keyLimit: KeyLimit | null;
}

/** Chooses the models and sizes the request. Throws the refusals about the model and the context. */
export function prepareRequest(command: GenerateCommand, ports: PreparePorts): PreparedRequest {
  const { caller, request } = command;
  const catalogue = ports.catalogue.current();
  const size = sizeRequest({ request, access: caller }, { catalogue, estimator: ports.estimator });
  const incident = incidentInForce(ports.platform.current(), size.model.slug, ports.clock.now());
  return {
    ...size,
    facts: factsOf(command, catalogue),
    binding: { limits: caller.plan.limits, incident },
    largestPromptTokens: largestCrediblePrompt({
      promptTokens: size.promptTokens, schemaTokens: tokensOfSchema(request, ports.estimator), imageCount: imageCountOf(request.conversation),
    }),
    keyLimit: caller.keyLimit,
  };
}

function tokensOfSchema({ outputSchema }: GenerationRequest, estimator: TokenEstimator): TokenCount {
  if (outputSchema === null) return NO_TOKENS;
  const counter = estimator.startCounter();
  counter.add(outputSchema.schema.text);
  return counter.tokens;
}

function factsOf({ caller, request, requestId, format, delivery, startedAt }: GenerateCommand, catalogue: Catalogue): RequestFacts {
  return {
    requestId,
    accountId: caller.account.id,
    keyId: caller.keyId,
    format,
    streamed: delivery === 'stream',
    requestedModel: request.model,
    attribution: request.attribution,
    usdPerServiceToken: catalogue.usdPerServiceToken,
    startedAt,
  };
}
