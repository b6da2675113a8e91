import type { AnthropicUpstream, OpenaiUpstream, ResponsesUpstream } from '@tollgate/core';

/** An upstream whose server can list its models. */
export type AskableUpstream = OpenaiUpstream | AnthropicUpstream | ResponsesUpstream;
