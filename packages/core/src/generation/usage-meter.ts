import { NO_TOKENS, type TokenCount } from '../ids.js';
import type { ProviderStream, TokenCounter, TokenEstimator } from '../ports/model-provider.js';
import { assertNever } from '../invariant.js';
import type { BlockEvent, BlockOpening } from './generation-event.js';
import type { ThinkingDisplay } from './thinking-display.js';
import { clipOutput, NO_USAGE, trustedPrompt, type Usage } from './usage.js';

export interface UsageMeterOptions {
  /** Says how large the prompt is, when it knows. */
  readonly source: Pick<ProviderStream, 'statedPrompt'>;
  /** By estimate, for as long as the source has not said. */
  readonly promptTokens: TokenCount;
  /** What the source says is believed up to this. */
  readonly largestPromptTokens: TokenCount;
  /** No more output than this is charged, however much is counted. */
  readonly maxOutputTokens: TokenCount;
  readonly thinking: ThinkingDisplay;
}

/** Counts the output of a generation, event by event. Its figures are charged when the upstream's cannot be trusted. */
export class UsageMeter {
  readonly #thinking: TokenCounter;
  readonly #visible: TokenCounter;
  #openBlock: BlockOpening['type'] = 'text';
  #reasoningTokens: TokenCount = NO_TOKENS;
  #visibleTokens: TokenCount = NO_TOKENS;
  #reasoningBefore: TokenCount = NO_TOKENS;
  #visibleBefore: TokenCount = NO_TOKENS;
  #reasoningMarked: TokenCount = NO_TOKENS;
  #visibleMarked: TokenCount = NO_TOKENS;

  constructor(estimator: TokenEstimator, private readonly options: UsageMeterOptions) {
    this.#thinking = estimator.startCounter();
    this.#visible = estimator.startCounter();
  }

  get estimatedPromptTokens(): TokenCount {
    return this.options.promptTokens;
  }

  /** Of all that was observed, beyond the maximum too. */
  get outputTokens(): number {
    return this.#reasoningTokens + this.#visibleTokens;
  }

  observe(event: BlockEvent): void {
    this.#reasoningBefore = this.#reasoningTokens;
    this.#visibleBefore = this.#visibleTokens;
    switch (event.type) {
      case 'block-start':
        this.#openBlock = event.block.type;
        if (event.block.type === 'tool-call') this.add(event.block.name);
        return;
      case 'block-delta':
        this.add(event.delta);
        return;
      case 'block-end':
        return;
      default: assertNever(event);
    }
  }

  /** Takes back the event observed last: it is not going to be relayed. Nothing may be observed after it. */
  withholdLast(): void {
    this.#reasoningTokens = this.#reasoningBefore;
    this.#visibleTokens = this.#visibleBefore;
  }

  /** Everything observed before has been handed on; what comes now may not be. */
  mark(): void {
    this.#reasoningMarked = this.#reasoningTokens;
    this.#visibleMarked = this.#visibleTokens;
  }

  /** The prompt and all output observed so far. */
  usage(): Usage {
    return this.usageOf(this.#reasoningTokens, this.#visibleTokens);
  }

  /** The same, whatever the source says of the prompt. */
  usageByEstimate(): Usage {
    return this.withOutput(this.promptByEstimate(), this.#reasoningTokens, this.#visibleTokens);
  }

  /** The prompt and the output observed before the last mark. */
  usageAtMark(): Usage {
    return this.usageOf(this.#reasoningMarked, this.#visibleMarked);
  }

  /** The prompt alone: the usage if no output reached the client. */
  promptUsage(): Usage {
    const { source, largestPromptTokens } = this.options;
    return { ...this.promptByEstimate(), ...trustedPrompt(source.statedPrompt, largestPromptTokens) };
  }

  private promptByEstimate(): Usage {
    return { ...NO_USAGE, uncachedPromptTokens: this.options.promptTokens };
  }

  private usageOf(reasoningTokens: TokenCount, visibleOutputTokens: TokenCount): Usage {
    return this.withOutput(this.promptUsage(), reasoningTokens, visibleOutputTokens);
  }

  private withOutput(prompt: Usage, reasoningTokens: TokenCount, visibleOutputTokens: TokenCount): Usage {
    const reasoningWithheld = this.options.thinking === 'withheld' && reasoningTokens > 0;
    return clipOutput({ ...prompt, reasoningTokens, visibleOutputTokens, reasoningWithheld }, this.options.maxOutputTokens);
  }

  private add(text: string): void {
    if (this.#openBlock === 'thinking') {
      this.#thinking.add(text);
      this.#reasoningTokens = this.#thinking.tokens;
      return;
    }
    this.#visible.add(text);
    this.#visibleTokens = this.#visible.tokens;
  }
}
