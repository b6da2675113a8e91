import type { Conversation, GenerationRequest, Reasoning, Sampling, Tool, ToolChoice } from '@tollgate/core';
import * as fc from 'fast-check';
import { attributionText, objectSchema, outputLimit, saidText, toolName } from './arbitrary-values.js';

/** What the fields around a conversation may say for one format to say it word for word. */
export interface ExpressibleFields {
  readonly conversation: fc.Arbitrary<Conversation>;
  readonly sampling: fc.Arbitrary<Sampling>;
  readonly reasonings: readonly Reasoning[];
  readonly replyFormat: fc.Arbitrary<Pick<GenerationRequest, 'responseFormat' | 'outputSchema'>>;
  readonly stopSequence: fc.Arbitrary<string>;
  /** Whether these fields can stand beside each other. */
  readonly fits: (request: GenerationRequest) => boolean;
}

const tool: fc.Arbitrary<Tool> = fc.record({ name: toolName, description: fc.option(fc.oneof(saidText, fc.constant(''))), inputSchema: objectSchema });

type ToolFields = Pick<GenerationRequest, 'tools' | 'toolChoice' | 'parallelToolCalls'>;

const NO_TOOLS: ToolFields = { tools: [], toolChoice: null, parallelToolCalls: null };

const toolFields: fc.Arbitrary<ToolFields> = fc.uniqueArray(tool, { selector: ({ name }) => name, maxLength: 3 }).chain((tools) => {
  if (tools.length === 0) return fc.constant(NO_TOOLS);
  return fc.record({
    tools: fc.constant(tools),
    toolChoice: fc.option(fc.oneof(
      fc.constantFrom<ToolChoice>({ kind: 'auto' }, { kind: 'none' }, { kind: 'any' }),
      fc.constantFrom(...tools).map(({ name }): ToolChoice => ({ kind: 'tool', name })),
    )),
    parallelToolCalls: fc.option(fc.boolean()),
  });
});

/** Requests that a format can say without folding anything. */
export function expressibleRequest(fields: ExpressibleFields): fc.Arbitrary<GenerationRequest> {
  return fc.record({
    model: fc.stringMatching(/^[a-z][a-z0-9./-]{0,20}$/),
    conversation: fields.conversation,
    tools: toolFields,
    maxOutputTokens: outputLimit,
    sampling: fields.sampling,
    stopSequences: fc.uniqueArray(fields.stopSequence, { maxLength: 16 }),
    reasoning: fc.constantFrom(...fields.reasonings),
    replyFormat: fields.replyFormat,
    attribution: fc.option(attributionText),
  }).map(({ tools, replyFormat, ...request }): GenerationRequest => ({ ...request, ...replyFormat, ...tools })).filter(fields.fits);
}
