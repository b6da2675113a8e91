import { assertNever, invariant, type ModelSlug } from '../primitives.js';
import type { Settlement } from '../billing/reservation.js';
import type { ReportedUsage, Usage } from './usage.js';
import type { AssistantBlock, SignatureForm } from './generation-request.js';

export type StopReason = 'end' | 'max-tokens' | 'tool-call' | 'content-filter' | 'capacity';

export type BlockOpening =
  | { readonly type: 'thinking' }
  | { readonly type: 'text'; readonly isRefusal?: true }
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string };

export interface BlockStart { readonly type: 'block-start'; readonly index: number; readonly block: BlockOpening }
/** A non-empty piece of the open block: of its text, or of a tool call's arguments. */
export interface BlockDelta { readonly type: 'block-delta'; readonly index: number; readonly delta: string }
/** `signature` is the upstream's own, on thinking blocks only, and `form` says what it is. */
export interface BlockEnd { readonly type: 'block-end'; readonly index: number; readonly signature: string | null; readonly form?: SignatureForm }
export type BlockEvent = BlockStart | BlockDelta | BlockEnd;

/** The usage of all events before this one, as an upstream states it while it generates. Not yet trusted. */
export interface ProviderReport { readonly type: 'provider-report'; readonly usage: ReportedUsage }

export interface ProviderEnd { readonly type: 'provider-end'; readonly stopReason: StopReason; readonly usage: ReportedUsage | null }

/**
 * What a provider yields. Grammar: (block-start block-delta* block-end)* provider-end.
 * Blocks never interleave; `index` counts them from 0 without gaps. Reports may stand anywhere after the first event.
 */
export type ProviderEvent = BlockEvent | ProviderReport | ProviderEnd;
/** Events that arrived together travel together. Never empty. */
export type ProviderEventBatch = readonly ProviderEvent[];

export interface GenerationStart {
  readonly type: 'generation-start';
  readonly servedBy: ModelSlug;
  readonly fallbackUsed: boolean;
  /** The serving upstream's own name of the model, which is what signs thinking. Never shown to a client in clear. */
  readonly upstreamModel: string;
}
export interface GenerationEnd {
  readonly type: 'generation-end';
  readonly stopReason: StopReason;
  readonly usage: Usage;
  readonly settlement: Settlement;
}

/** What a wire encoder sees: generation-start, the provider's blocks, and an end that is already settled. */
export type GenerationEvent = GenerationStart | BlockEvent | GenerationEnd;
export type GenerationEventBatch = readonly GenerationEvent[];

/** A whole reply: the same events that a stream sends, collected. */
export interface CompletedGeneration {
  readonly servedBy: ModelSlug;
  readonly fallbackUsed: boolean;
  readonly upstreamModel: string;
  readonly blocks: readonly AssistantBlock[];
  readonly stopReason: StopReason;
  readonly usage: Usage;
  readonly settlement: Settlement;
}

function blockOf(opening: BlockOpening, text: string, { signature, form }: BlockEnd): AssistantBlock {
  switch (opening.type) {
    case 'thinking': return { type: 'thinking', text, signature, ...(form === undefined ? {} : { form }) };
    case 'text': return opening.isRefusal === true ? { type: 'text', text, isRefusal: true } : { type: 'text', text };
    case 'tool-call': return { type: 'tool-call', id: opening.id, name: opening.name, argumentsJson: text };
    default: return assertNever(opening);
  }
}

/** Builds blocks from their events. Pieces are joined once, at the end of a block. */
export class BlockCollector {
  readonly blocks: AssistantBlock[] = [];
  #open: BlockOpening | null = null;
  #pieces: string[] = [];

  add(event: BlockEvent): void {
    switch (event.type) {
      case 'block-start':
        this.#open = event.block;
        this.#pieces = [];
        return;
      case 'block-delta':
        this.#pieces.push(event.delta);
        return;
      case 'block-end':
        invariant(this.#open !== null, 'a block ends only after it began');
        this.blocks.push(blockOf(this.#open, this.#pieces.join(''), event));
        this.#open = null;
        return;
      default: assertNever(event);
    }
  }
}

/** Builds a whole reply from its events. */
export class ReplyCollector {
  readonly #collector = new BlockCollector();
  #start: GenerationStart | null = null;

  /** The reply when its end is among the events, else `null`. */
  add(batch: GenerationEventBatch): CompletedGeneration | null {
    for (const event of batch) {
      if (event.type === 'generation-end') return this.complete(event);
      if (event.type === 'generation-start') this.#start = event;
      else this.#collector.add(event);
    }
    return null;
  }

  private complete({ stopReason, usage, settlement }: GenerationEnd): CompletedGeneration {
    invariant(this.#start !== null, 'a generation ends only after it began');
    const { servedBy, fallbackUsed, upstreamModel } = this.#start;
    return { servedBy, fallbackUsed, upstreamModel, blocks: this.#collector.blocks, stopReason, usage, settlement };
  }
}

/** Reads a generation to its end. Throws what the generation throws. */
export async function collectGeneration(events: AsyncIterable<GenerationEventBatch>): Promise<CompletedGeneration> {
  const reply = new ReplyCollector();
  for await (const batch of events) {
    const completed = reply.add(batch);
    if (completed !== null) return completed;
  }
  throw new Error('the generation ended without its end event');
}
