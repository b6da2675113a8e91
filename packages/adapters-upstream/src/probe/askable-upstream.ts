import type { AnthropicUpstream, OpenaiUpstream, ResponsesUpstream } from '@tollgate/core';

/** An upstream with a list of models. */
export type AskableUpstream = OpenaiUpstream | AnthropicUpstream | ResponsesUpstream;
