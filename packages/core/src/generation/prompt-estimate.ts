import type { Model } from '../models/catalogue.js';
import { largestCrediblePrompt } from '../money/trusted-usage.js';
import { NO_TOKENS, type TokenCount, tokenCount } from '../primitives/primitives.js';
import { documentsOf, estimateDocuments, imageCountOf } from './documents.js';
import type { GenerationRequest } from './generation-request.js';
import type { TokenEstimator } from './token-estimator.js';

/** What a prompt has, each part by itself. */
interface PromptParts {
  /** What every model is sent, including the texts that replace documents. */
  readonly tokens: TokenCount;
  readonly documentTokens: number;
  readonly documentCount: number;
  readonly schemaTokens: TokenCount;
  readonly imageCount: number;
}

type Reader = Pick<Model, 'readsDocuments' | 'readsSchemas'>;

/** The size of a request's prompt, which differs by model: documents and the schema of the reply count where the model is sent them. */
export class PromptEstimate {
  private constructor(private readonly parts: PromptParts) {}

  static of(request: GenerationRequest, estimator: TokenEstimator): PromptEstimate {
    const { conversation, outputSchema } = request;
    const documents = documentsOf(conversation);
    return new PromptEstimate({
      tokens: estimator.estimatePrompt(request),
      documentTokens: estimateDocuments(documents),
      documentCount: documents.length,
      schemaTokens: outputSchema === null ? NO_TOKENS : estimator.estimateSchema(outputSchema),
      imageCount: imageCountOf(conversation),
    });
  }

  tokensFor({ readsDocuments = false, readsSchemas = false }: Reader): TokenCount {
    const { tokens, documentTokens, schemaTokens } = this.parts;
    return tokenCount(tokens + (readsDocuments ? documentTokens : 0) + (readsSchemas ? schemaTokens : 0));
  }

  /** Of models that may serve, the prompt of the one that is sent most. */
  largestFor(models: readonly Reader[]): TokenCount {
    return tokenCount(Math.max(...models.map((model) => this.tokensFor(model))));
  }

  /** The largest prompt that an upstream of this model may report and be believed. */
  largestCredibleFor(model: Reader): TokenCount {
    const { imageCount, documentCount } = this.parts;
    return largestCrediblePrompt({ promptTokens: this.tokensFor(model), imageCount, documentCount: model.readsDocuments === true ? documentCount : 0 });
  }
}
