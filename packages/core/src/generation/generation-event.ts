import type { Settlement } from '../billing/reservation.js';
import type { ReportedUsage } from '../money/trusted-usage.js';
import type { Usage } from '../money/usage.js';
import type { ModelSlug } from '../primitives/primitives.js';
import type { SignatureForm } from './signature.js';

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
