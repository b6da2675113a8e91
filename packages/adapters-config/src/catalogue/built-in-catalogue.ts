import {
  Catalogue, DEFAULT_REQUEST_LIMITS, type Model, type ModelSlug, parseTokenRate, type Price, type RequestLimits, STANDARD_PLANS, tokenCount,
} from '@tollgate/core';
import { DEFAULT_CREATED_AT, DEFAULT_OWNER } from './decode-entries.js';
import { DEFAULT_MIN_RESERVATION, DEFAULT_PRICE, DEFAULT_USD_PER_SERVICE_TOKEN } from './catalogue-defaults.js';
import type { LoadedCatalogue } from './loaded-catalogue.js';

const SANDBOX = 'sandbox';

const DEARER_PRICE: Price = {
  promptToken: parseTokenRate('0.003'),
  cachedPromptToken: parseTokenRate('0.0003'),
  cacheCreationToken: parseTokenRate('0.00375'),
  outputToken: parseTokenRate('0.015'),
};

type SandboxModel = Pick<Model, 'displayName' | 'description' | 'inputModalities' | 'aliases' | 'reasoning' | 'price' | 'fallbacks'> & {
  readonly slug: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
};

function sandboxModel({ slug, contextWindow, maxOutput, ...rest }: SandboxModel): Model {
  return {
    ...rest,
    slug: slug as ModelSlug,
    ownedBy: DEFAULT_OWNER,
    createdAt: DEFAULT_CREATED_AT,
    contextWindowTokens: tokenCount(contextWindow),
    maxOutputTokens: tokenCount(maxOutput),
    enforcesMaxTokens: true,
    reasoningAssumed: false,
    readsSchemas: true,
    simulated: true,
    targets: [{ upstreamId: SANDBOX, upstreamModel: slug }],
  };
}

const SMALL = sandboxModel({
  slug: 'sandbox-small',
  displayName: 'Sandbox Small (simulated)',
  description: 'Answers from templates, without a model: for first steps and tests.',
  inputModalities: ['text', 'image'],
  aliases: ['claude-haiku-*', 'claude-3-5-haiku-*', 'gpt-*'],
  contextWindow: 128_000,
  maxOutput: 8_192,
  reasoning: false,
  price: DEFAULT_PRICE,
  fallbacks: [],
});

const REASONER = sandboxModel({
  slug: 'sandbox-reasoner',
  displayName: 'Sandbox Reasoner (simulated)',
  description: 'As Sandbox Small, with simulated reasoning and a larger context.',
  inputModalities: ['text', 'image'],
  aliases: ['claude-*', 'gpt-5*', 'gpt-6*', 'codex-*', 'o3*', 'o4-*'],
  contextWindow: 256_000,
  maxOutput: 32_768,
  reasoning: true,
  price: DEARER_PRICE,
  fallbacks: [SMALL.slug],
});

const UNAVAILABLE = sandboxModel({
  slug: 'sandbox-unavailable',
  displayName: 'Sandbox Unavailable (simulated)',
  description: 'Never answers, so that its fallback does.',
  inputModalities: ['text'],
  aliases: [],
  contextWindow: 128_000,
  maxOutput: 8_192,
  reasoning: false,
  price: DEARER_PRICE,
  fallbacks: [SMALL.slug],
});

/** Served without configuration: simulated models, also under the names that coding agents request. */
export function builtInCatalogue(requestLimits: RequestLimits = DEFAULT_REQUEST_LIMITS): LoadedCatalogue {
  return {
    catalogue: new Catalogue({
      models: [SMALL, REASONER, UNAVAILABLE],
      plans: STANDARD_PLANS,
      usdPerServiceToken: DEFAULT_USD_PER_SERVICE_TOKEN,
      minimumReservation: DEFAULT_MIN_RESERVATION,
      requestLimits,
    }),
    upstreams: [{ id: SANDBOX, kind: 'sandbox' }],
  };
}
