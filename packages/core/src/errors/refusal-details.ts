import type { ModelSlug } from '../primitives/ids.js';
import type { TokenCount } from '../primitives/token-count.js';

export interface LimitExcess extends LimitFigures {
  readonly limit: LimitName;
  /** `null` if the plan's limit was exceeded. */
  readonly incidentModel: ModelSlug | null;
}

export interface RequestWindow {
  readonly limit: number;
  readonly resetSeconds: number;
}

export interface ErrorText {
  readonly message: string;
  readonly param: string;
}

/** All figures are model tokens. */
export type ContextOverflow =
  | {
    readonly kind: 'prompt';
    readonly promptTokens: number;
    readonly maximumTokens: number;
    /** `model`: the model's window. `plan`: the plan's limit. */
    readonly bound: 'model' | 'plan';
  }
  /** `output`: the client requested this many output tokens. `reply`: it requested no maximum, and the gateway kept this many for the reply. */
  | { readonly kind: 'output' | 'reply'; readonly promptTokens: number; readonly outputTokens: number; readonly windowTokens: number };

export type LimitName = 'requests-per-minute' | 'tokens-per-minute' | 'concurrent-requests' | 'tokens-per-day' | 'tokens-per-month';

/** Figures of a limit, which refuses a demand if `used + wanted > maximum`. */
export interface LimitFigures {
  readonly maximum: number;
  /** Use before this demand. */
  readonly used: number;
  readonly wanted: number;
}

/** Figures of the rate-limit headers at one instant. */
export interface QuotaSnapshot {
  readonly requestsLimit: number;
  readonly requestsRemaining: number;
  readonly tokensLimit: TokenCount;
  readonly tokensRemaining: TokenCount;
  /** Whole seconds, at least 0. */
  readonly requestsResetSeconds: number;
}

export type RequestLimitName = 'messages' | 'tools' | 'messageCharacters' | 'stopSequences';

export interface RequestLimitExcess {
  readonly name: RequestLimitName;
  /** Maximum; in the responses format, `messages` are items. */
  readonly most: number;
}
