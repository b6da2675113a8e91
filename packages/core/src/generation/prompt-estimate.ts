import type { Model } from '../models/catalogue.js';
import { largestCrediblePrompt } from '../money/trusted-usage.js';
import { NO_TOKENS, type TokenCount, tokenCount } from '../primitives/token-count.js';
import { attachmentsOf, estimateDocuments } from './documents.js';
import type { GenerationRequest } from './generation-request.js';
import type { TokenEstimator } from './token-estimator.js';

interface PromptParts {
  /** Count for every model; includes the replacement texts of documents. */
  readonly tokens: TokenCount;
  readonly documentTokens: number;
  readonly documentCount: number;
  readonly schemaTokens: TokenCount;
  readonly imageCount: number;
}

type Reader = Pick<Model, 'readsDocuments' | 'readsSchemas'>;

/** Estimates the prompt for each model: documents and the output schema count only if the model receives them. */
export class PromptEstimate {
  private constructor(private readonly parts: PromptParts) {}

  static of(request: GenerationRequest, estimator: TokenEstimator): PromptEstimate {
    const { conversation, outputSchema } = request;
    const { documents, imageCount } = attachmentsOf(conversation);
    return new PromptEstimate({
      tokens: estimator.estimatePrompt(request),
      documentTokens: estimateDocuments(documents),
      documentCount: documents.length,
      schemaTokens: outputSchema === null ? NO_TOKENS : estimator.estimateSchema(outputSchema),
      imageCount,
    });
  }

  tokensFor({ readsDocuments = false, readsSchemas = false }: Reader): TokenCount {
    const { tokens, documentTokens, schemaTokens } = this.parts;
    return tokenCount(tokens + (readsDocuments ? documentTokens : 0) + (readsSchemas ? schemaTokens : 0));
  }

  largestFor(models: readonly Reader[]): TokenCount {
    let largest = NO_TOKENS;
    for (const model of models) largest = tokenCount(Math.max(largest, this.tokensFor(model)));
    return largest;
  }

  /** The largest plausible prompt in an upstream's report. */
  largestCredibleFor(model: Reader): TokenCount {
    const { imageCount, documentCount } = this.parts;
    return largestCrediblePrompt({ promptTokens: this.tokensFor(model), imageCount, documentCount: model.readsDocuments === true ? documentCount : 0 });
  }
}
