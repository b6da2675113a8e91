import { type ContentBlock, type GenerationRequest, type TokenCount, type TokenCounter, type TokenEstimator, tokenCount } from '@tollgate/core';

/** An estimator whose figures can be worked out in one's head: each character of text is one token, whatever it is part of. */
export class OneTokenPerCharacter implements TokenEstimator {
  estimatePrompt({ conversation }: GenerationRequest): TokenCount {
    const blocks = [...conversation.system, ...conversation.turns.flatMap((turn): readonly ContentBlock[] => turn.content)];
    const characters = blocks.reduce((sum, block) => sum + ('text' in block ? block.text.length : 0), 0);
    return tokenCount(Math.max(1, characters));
  }

  startCounter(): TokenCounter {
    let characters = 0;
    return {
      add: (text) => { characters += text.length; },
      get tokens(): TokenCount { return tokenCount(characters); },
    };
  }
}
