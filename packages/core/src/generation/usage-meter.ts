import { trustedPrompt } from '../money/trusted-usage.js';
import { clipOutput, NO_USAGE, type Usage } from '../money/usage.js';
import { NO_TOKENS, type TokenCount } from '../primitives/primitives.js';
import type { BlockDelta, BlockEvent, BlockOpening } from './generation-event.js';
import type { ThinkingDisplay } from './generation-request.js';
import type { ProviderStream } from './model-provider.js';
import type { TokenCounter, TokenEstimator } from './token-estimator.js';

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

/** Tokens of an output, by what they are. */
interface OutputCount {
  readonly reasoning: TokenCount;
  readonly visible: TokenCount;
}

const NO_OUTPUT: OutputCount = { reasoning: NO_TOKENS, visible: NO_TOKENS };

/** Counts the output of a generation, event by event. Its figures are charged when the upstream's cannot be trusted. */
export class UsageMeter {
  readonly #thinking: TokenCounter;
  readonly #visible: TokenCounter;
  #openBlock: BlockOpening['type'] = 'text';
  #observed = NO_OUTPUT;
  /** The count before the last event. */
  #before = NO_OUTPUT;
  #marked = NO_OUTPUT;

  constructor(estimator: TokenEstimator, private readonly options: UsageMeterOptions) {
    this.#thinking = estimator.startCounter();
    this.#visible = estimator.startCounter();
  }

  get estimatedPromptTokens(): TokenCount {
    return this.options.promptTokens;
  }

  /** Of all observed output, beyond the maximum too. */
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

  /** Takes back the last observed event, which is not relayed. Nothing may be observed after it. */
  withholdLast(): void {
    this.#observed = this.#before;
  }

  /**
   * Takes back the last observed event, but for the beginning of its text with which all output counts as `tokens` at most; `null` if there is none.
   * Nothing may be observed after it.
   */
  clipLast(event: BlockEvent, tokens: number): BlockDelta | null {
    this.withholdLast();
    if (event.type !== 'block-delta') return null;
    const [counter, others] = this.#openBlock === 'thinking' ? [this.#thinking, this.#visible] : [this.#visible, this.#thinking];
    const length = counter.clipLast(event.delta, tokens - others.tokens);
    this.note(counter);
    return length === 0 ? null : { ...event, delta: event.delta.slice(0, length) };
  }

  /** All observed output has been handed on; later output may not be. */
  mark(): void {
    this.#marked = this.#observed;
  }

  /** The prompt and all output observed so far. */
  usage(): Usage {
    return this.withOutput(this.promptUsage(), this.#observed);
  }

  /** The same, without the prompt that the source states. */
  usageByEstimate(): Usage {
    return this.withOutput(this.promptByEstimate(), this.#observed);
  }

  /** The prompt and the output observed before the last mark. */
  usageAtMark(): Usage {
    return this.withOutput(this.promptUsage(), this.#marked);
  }

  /** The prompt alone: the usage if no output reached the client. */
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
