import type { ModelSlug, TokenCount } from '../primitives/primitives.js';

/** A limit of a plan without room for a request, or the incident limit of a model. */
export interface LimitExcess extends LimitFigures {
  readonly limit: LimitName;
  /** `null` where it is the plan's. */
  readonly incidentModel: ModelSlug | null;
}

/** A window of requests of which none is left. */
export interface RequestWindow {
  readonly limit: number;
  readonly resetSeconds: number;
}

/** What a client reads about a refusal, and the field at fault. */
export interface ErrorText {
  readonly message: string;
  readonly param: string;
}

/** Why a request does not fit a context, in tokens. Each wire format words it and names its own fields. */
export type ContextOverflow =
  | {
    readonly kind: 'prompt';
    readonly promptTokens: number;
    readonly maximumTokens: number;
    /** What sets the maximum: the model's window, the plan, or the window less the least reply. */
    readonly bound: 'model' | 'plan' | 'reply';
  }
  | { readonly kind: 'output'; readonly promptTokens: number; readonly outputTokens: number; readonly windowTokens: number };

export type LimitName = 'requests-per-minute' | 'tokens-per-minute' | 'concurrent-requests' | 'tokens-per-day' | 'tokens-per-month';

/** Why a limit had no room: `used` and `wanted` together exceed `maximum`. */
export interface LimitFigures {
  readonly maximum: number;
  /** Before the demand. */
  readonly used: number;
  readonly wanted: number;
}

/** What the rate-limit headers say; true at the instant it was taken. */
export interface QuotaSnapshot {
  readonly requestsLimit: number;
  readonly requestsRemaining: number;
  readonly tokensLimit: TokenCount;
  readonly tokensRemaining: TokenCount;
  /** Whole seconds until the window resets, at least 0. */
  readonly requestsResetSeconds: number;
}

export type RequestLimitName = 'messages' | 'tools' | 'messageCharacters' | 'stopSequences';

/** A limit that a request exceeds. */
export interface RequestLimitExcess {
  readonly name: RequestLimitName;
  /** The limit itself; of items in the responses format. */
  readonly most: number;
}
