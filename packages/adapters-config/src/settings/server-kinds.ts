import type { ReasoningStyle, ResponsesReasoningStyle, ThinkingStyle } from '@tollgate/core';

export const SERVER_KINDS = ['openai', 'anthropic', 'responses'] as const;

export const REASONING_STYLES = {
  openai: ['effort', 'thinking', 'chat-template', 'off-only', 'none'],
  anthropic: ['budget', 'adaptive', 'off-only', 'none'],
  responses: ['effort', 'off-only', 'none'],
} as const satisfies {
  readonly openai: readonly ReasoningStyle[];
  readonly anthropic: readonly ThinkingStyle[];
  readonly responses: readonly ResponsesReasoningStyle[];
};

export const ALL_REASONING_STYLES = [...REASONING_STYLES.anthropic, ...REASONING_STYLES.openai] as const;
