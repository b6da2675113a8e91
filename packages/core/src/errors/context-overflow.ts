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
