import {
  perCount, perRate, type Account, type AccountId, type ApiKey, type ApiKeyId, type EncodeContext, type Ending, type GenerationRequest, instant, type JsonObject,
  type KeyHash, type Maintenance, type Model, type ModelSlug, NO_USAGE, parseTokenRate, PAY_AS_YOU_GO, type Price, type RequestFacts,
  type RequestId, type ServedModel, STANDARD_PRICES, TOKEN_COUNTS, TOKEN_RATES, tokenCount, type Usage,
} from '@tollgate/core';

/** A request for the model `small` with one user turn, `Hello`. */
export function aGenerationRequest(differences: Partial<GenerationRequest> = {}): GenerationRequest {
  return {
    model: 'small',
    conversation: { system: [], turns: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] },
    tools: [],
    toolChoice: null,
    parallelToolCalls: null,
    maxOutputTokens: null,
    sampling: { temperature: null, topP: null, frequencyPenalty: null, presencePenalty: null },
    stopSequences: [],
    reasoning: 'model-default',
    responseFormat: 'text',
    outputSchema: null,
    attribution: null,
    source: null,
    ...differences,
  };
}

/** A price with these rates per token. Classes without an argument have the rate of the prompt. */
export function aPrice(promptToken: string, cachedPromptToken: string, ...[cacheCreationToken, outputToken]: readonly [string, string]): Price {
  return {
    ...perRate(() => parseTokenRate(promptToken)),
    cachedPromptToken: parseTokenRate(cachedPromptToken),
    cacheCreationToken: parseTokenRate(cacheCreationToken),
    outputToken: parseTokenRate(outputToken),
  };
}

/** A price whose rates differ and have all decimal places, so that tests notice mixed-up rates. */
export function distinctPrice(factor: number): Price {
  return perRate((rate) => parseTokenRate(`0.${String(factor * 2 ** TOKEN_RATES.indexOf(rate)).padStart(6, '0')}000001`));
}

/**
 * The model `small`: 1 service token per prompt token, 2 per output token; a context window of 100,000 tokens, an output of at most 8,192; and one
 * target, `upstream` / `small`.
 */
export function aModel(differences: Partial<Model> = {}): Model {
  const slug = differences.slug ?? 'small' as ModelSlug;
  return {
    slug,
    displayName: slug,
    ownedBy: 'tests',
    createdAt: instant(Date.UTC(2026, 0, 1)),
    aliases: [],
    contextWindowTokens: tokenCount(100_000),
    maxOutputTokens: tokenCount(8192),
    enforcesMaxTokens: true,
    reasoning: false,
    reasoningAssumed: false,
    simulated: false,
    price: aPrice('1', '0.1', '1', '2'),
    targets: [{ upstreamId: 'upstream', upstreamModel: slug }],
    fallbacks: [],
    ...differences,
  };
}

/** A verified, active account of the plan "pay as you go". */
export function anAccount(differences: Partial<Account> = {}): Account {
  return {
    id: 'acct_alice' as AccountId,
    email: 'alice@example.test',
    name: 'Alice',
    planId: PAY_AS_YOU_GO,
    priceList: null,
    status: 'active',
    emailVerified: true,
    blocked: false,
    deletion: null,
    createdAt: instant(0),
    externalId: null,
    metadata: {},
    ...differences,
  };
}

/** An active key of the account of `anAccount`. It does not expire. */
export function anApiKey(differences: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 'key_1' as ApiKeyId,
    accountId: 'acct_alice' as AccountId,
    name: null,
    hash: '0'.repeat(64) as KeyHash,
    hint: 'sk-00…0000',
    createdAt: instant(0),
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    blocked: false,
    models: null,
    limit: null,
    lineage: differences.id ?? 'key_1' as ApiKeyId,
    ...differences,
  };
}

/** The model `small`, at 1 service token per token of every class. */
export function aServedModel(differences: Partial<ServedModel> = {}): ServedModel {
  return { servedBy: 'small' as ModelSlug, upstreamId: 'scripted', fallbackUsed: false, price: aPrice('1', '1', '1', '1'), priceVersion: STANDARD_PRICES, ...differences };
}

/** Usage that an upstream reported. All output is visible. */
export function outputUsage(outputTokens: number, differences: Partial<Usage> = {}): Usage {
  return { ...NO_USAGE, visibleOutputTokens: tokenCount(outputTokens), source: 'reported', ...differences };
}

/** Usage that an upstream reported. The counts of the classes differ so that tests notice mixed-up classes, also in sums. */
export function distinctUsage(factor: number, differences: Partial<Usage> = {}): Usage {
  return { ...NO_USAGE, ...perCount((count) => tokenCount(factor * 2 ** TOKEN_COUNTS.indexOf(count))), source: 'reported', ...differences };
}

/** The ending of a completed request, at 12:00:01 on 18 November 2026. */
export function anEnding(outputTokens: number, differences: Partial<Ending> = {}): Ending {
  return {
    reason: 'completed',
    service: aServedModel(),
    usage: outputUsage(outputTokens),
    firstOutputAt: null,
    endedAt: instant(Date.UTC(2026, 10, 18, 12, 0, 1)),
    ...differences,
  };
}

export function anUnservedEnding(differences: Partial<Ending> = {}): Ending {
  return anEnding(0, { reason: 'provider_unavailable', service: null, usage: NO_USAGE, ...differences });
}

/** Maintenance that has begun and has no planned end. */
export const MAINTENANCE: Maintenance = { startsAt: instant(0), endsAt: null, message: null };

/** A streamed chat request of `acct_alice` for the model `small`, when one service token is worth 0.01 USD. */
export function requestFacts(differences: Partial<RequestFacts> = {}): RequestFacts {
  return {
    requestId: 'req_1' as RequestId,
    accountId: 'acct_alice' as AccountId,
    keyId: 'key_1' as ApiKeyId,
    format: 'chat',
    streamed: true,
    requestedModel: 'small',
    attribution: null,
    usdPerServiceToken: parseTokenRate('0.01'),
    startedAt: instant(Date.UTC(2026, 10, 18, 12)),
    ...differences,
  };
}

/** The context of the request `req_1`, which was received at Unix time 1,700,000,000. */
export function anEncodeContext(responseId: string, differences: Partial<EncodeContext> = {}): EncodeContext {
  return { responseId, createdAt: instant(1_700_000_000_999), requestId: 'req_1' as RequestId, includeUsage: true, ...differences };
}

/** A request with the required fields and the differences. */
export function aChatRequest(differences: JsonObject = {}): JsonObject {
  return { model: 'test-model', messages: [{ role: 'user', content: 'Hi' }], ...differences };
}

/** A request with the required fields and the differences. */
export function aMessagesRequest(differences: JsonObject = {}): JsonObject {
  return { model: 'test-model', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], ...differences };
}
