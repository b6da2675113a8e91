import type { Settlement } from '../billing/reservation.js';
import type { ReportedUsage } from '../money/trusted-usage.js';
import type { Usage } from '../money/usage.js';
import type { ModelSlug } from '../primitives/ids.js';
import type { SignatureForm } from './signature.js';

export type StopReason = 'end' | 'max-tokens' | 'tool-call' | 'content-filter' | 'capacity';

export type BlockOpening =
  | { readonly type: 'thinking' }
  | { readonly type: 'text'; readonly isRefusal?: true }
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string };

export interface BlockStart { readonly type: 'block-start'; readonly index: number; readonly block: BlockOpening }
/** Non-empty part of the open block's text or of a tool call's arguments. */
export interface BlockDelta { readonly type: 'block-delta'; readonly index: number; readonly delta: string }
/** `signature` is the upstream's, `null` except for thinking blocks; `form` is the form of the signature. */
export interface BlockEnd { readonly type: 'block-end'; readonly index: number; readonly signature: string | null; readonly form?: SignatureForm }
export type BlockEvent = BlockStart | BlockDelta | BlockEnd;

/** Total usage up to this point, not yet validated. */
export interface ProviderReport { readonly type: 'provider-report'; readonly usage: ReportedUsage }

export interface ProviderEnd { readonly type: 'provider-end'; readonly stopReason: StopReason; readonly usage: ReportedUsage | null }

/**
 * Grammar: (block-start block-delta* block-end)* provider-end. Blocks never interleave; `index` counts from 0 without gaps. Reports may occur
 * anywhere before the end.
 */
export type ProviderEvent = BlockEvent | ProviderReport | ProviderEnd;
/** Events that arrived together; never empty. */
export type ProviderEventBatch = readonly ProviderEvent[];

export interface GenerationStart {
  readonly type: 'generation-start';
  readonly servedBy: ModelSlug;
  readonly fallbackUsed: boolean;
  /** The upstream's name of the model, to which signatures are bound. Clients never see the name in plaintext. */
  readonly upstreamModel: string;
}
export interface GenerationEnd {
  readonly type: 'generation-end';
  readonly stopReason: StopReason;
  readonly usage: Usage;
  readonly settlement: Settlement;
}

/** Wire encoders receive generation-start, the provider's blocks, then a settled end. */
export type GenerationEvent = GenerationStart | BlockEvent | GenerationEnd;
export type GenerationEventBatch = readonly GenerationEvent[];
