import { type GenerationRequest, type TokenCount, type TokenCounter, type TokenEstimator, tokenCount } from '@tollgate/core';

/** Counts one token for every four characters: easy to foresee in a test. */
export class LengthEstimator implements TokenEstimator {
  estimatePrompt(request: GenerationRequest): TokenCount {
    return tokenCount(Math.max(1, Math.ceil(JSON.stringify(request.conversation.turns).length / 4)));
  }

  startCounter(): TokenCounter {
    let characters = 0;
    return {
      add: (text) => {
        characters += text.length;
      },
      get tokens() {
        return tokenCount(Math.ceil(characters / 4));
      },
    };
  }
}
