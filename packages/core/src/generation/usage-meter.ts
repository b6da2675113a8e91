import { trustedPrompt } from '../money/trusted-usage.js';
import { clipOutput, NO_USAGE, type Usage } from '../money/usage.js';
import { NO_TOKENS, type TokenCount } from '../primitives/token-count.js';
import type { BlockDelta, BlockEvent, BlockOpening } from './generation-event.js';
import type { ThinkingDisplay } from './generation-request.js';
import type { ProviderStream } from './model-provider.js';
import type { TokenCounter, TokenEstimator } from './token-estimator.js';

export interface UsageMeterOptions {
  /** Has the prompt's size once the upstream reports it. */
  readonly source: Pick<ProviderStream, 'statedPrompt'>;
  /** Estimate, used until the upstream reports the prompt's size. */
  readonly promptTokens: TokenCount;
  /** A larger reported prompt is implausible. */
  readonly largestPromptTokens: TokenCount;
  /** Output beyond this maximum is never charged. */
  readonly maxOutputTokens: TokenCount;
  readonly thinking: ThinkingDisplay;
}

interface OutputCount {
  readonly reasoning: TokenCount;
  readonly visible: TokenCount;
}

const NO_OUTPUT: OutputCount = { reasoning: NO_TOKENS, visible: NO_TOKENS };

/** Counts the usage that is charged if the upstream's report is missing or implausible. */
export class UsageMeter {
  readonly #thinking: TokenCounter;
  readonly #visible: TokenCounter;
  #openBlock: BlockOpening['type'] = 'text';
  #observed = NO_OUTPUT;
  /** The count before the last observed event. */
  #before = NO_OUTPUT;
  #marked = NO_OUTPUT;

  constructor(estimator: TokenEstimator, private readonly options: UsageMeterOptions) {
    this.#thinking = estimator.startCounter();
    this.#visible = estimator.startCounter();
  }

  get estimatedPromptTokens(): TokenCount {
    return this.options.promptTokens;
  }

  /** All observed output, including output above the maximum. */
  get outputTokens(): number {
    return this.#observed.reasoning + this.#observed.visible;
  }

  observe(event: BlockEvent): void {
    this.#before = this.#observed;
    if (event.type === 'block-delta') this.add(event.delta);
    if (event.type !== 'block-start') return;
    this.#openBlock = event.block.type;
    if (event.block.type === 'tool-call') this.add(event.block.name);
  }

  /** Removes the last event from the count, because it is not delivered. No event may be observed afterwards. */
  discardLastEvent(): void {
    this.#observed = this.#before;
  }

  /**
   * The longest prefix of the last event's text with which the whole output counts at most `tokens`; `null` if the prefix is empty or the event is no
   * delta. No event may be observed afterwards.
   */
  clipLast(event: BlockEvent, tokens: number): BlockDelta | null {
    this.discardLastEvent();
    if (event.type !== 'block-delta') return null;
    const [counter, others] = this.#openBlock === 'thinking' ? [this.#thinking, this.#visible] : [this.#visible, this.#thinking];
    const length = counter.clipLast(event.delta, tokens - others.tokens);
    this.note(counter);
    return length === 0 ? null : { ...event, delta: event.delta.slice(0, length) };
  }

  /** Marks all observed output as delivered. */
  mark(): void {
    this.#marked = this.#observed;
  }

  /** Prompt and all observed output. */
  usage(): Usage {
    return this.withOutput(this.promptUsage(), this.#observed);
  }

  /** Like `usage`, but with the estimated prompt. */
  usageByEstimate(): Usage {
    return this.withOutput(this.promptByEstimate(), this.#observed);
  }

  /** Prompt and output up to the last mark. */
  usageAtMark(): Usage {
    return this.withOutput(this.promptUsage(), this.#marked);
  }

  promptUsage(): Usage {
    const { source, largestPromptTokens } = this.options;
    return { ...this.promptByEstimate(), ...trustedPrompt(source.statedPrompt, largestPromptTokens) };
  }

  private promptByEstimate(): Usage {
    return { ...NO_USAGE, uncachedPromptTokens: this.options.promptTokens };
  }

  private withOutput(prompt: Usage, { reasoning: reasoningTokens, visible: visibleOutputTokens }: OutputCount): Usage {
    const reasoningWithheld = this.options.thinking === 'withheld' && reasoningTokens > 0;
    return clipOutput({ ...prompt, reasoningTokens, visibleOutputTokens, reasoningWithheld }, this.options.maxOutputTokens);
  }

  private add(text: string): void {
    const counter = this.#openBlock === 'thinking' ? this.#thinking : this.#visible;
    counter.add(text);
    this.note(counter);
  }

  private note(counter: TokenCounter): void {
    const { tokens } = counter;
    this.#observed = counter === this.#thinking ? { ...this.#observed, reasoning: tokens } : { ...this.#observed, visible: tokens };
  }
}
