import type {
  Response, ResponseCompletedEvent, ResponseContentPartAddedEvent, ResponseContentPartDoneEvent, ResponseCreatedEvent, ResponseCustomToolCall,
  ResponseCustomToolCallInputDeltaEvent, ResponseCustomToolCallInputDoneEvent, ResponseError, ResponseErrorEvent, ResponseFailedEvent,
  ResponseFunctionCallArgumentsDeltaEvent, ResponseFunctionCallArgumentsDoneEvent, ResponseFunctionToolCall, ResponseIncompleteEvent, ResponseInProgressEvent,
  ResponseOutputItemAddedEvent, ResponseOutputItemDoneEvent, ResponseOutputMessage, ResponseOutputText, ResponseReasoningItem,
  ResponseReasoningSummaryPartAddedEvent, ResponseReasoningSummaryPartDoneEvent, ResponseReasoningSummaryTextDeltaEvent, ResponseReasoningSummaryTextDoneEvent,
  ResponseTextConfig, ResponseTextDeltaEvent, ResponseTextDoneEvent, ResponseToolSearchCall, ResponseUsage,
} from 'openai/resources/responses/responses';
import type { Reasoning } from 'openai/resources/shared';
import type { SchemaObject } from 'ajv';
import { COUNT, DECIMAL, listOf, NEVER_SENT, objectOf, orNull, TEXT } from './public-shape.js';

/**
 * The compiler compares the members of each schema with the types of the `openai` package. Those types are generated from the public OpenAPI
 * document, which the values follow too.
 */

const FLAG = { type: 'boolean' };
const EMPTY = { type: 'array', maxItems: 0 };

const ADDED = {
  usage: { svc_tokens_debited: DECIMAL, svc_cost_usd: DECIMAL, svc_balance_tokens: DECIMAL, svc_fallback_used: FLAG },
  /** Fields that the vendor sends although the public document lacks them. */
  response: { store: FLAG },
  customCall: { status: { enum: ['in_progress', 'completed', 'incomplete'] } },
  argumentsDone: { name: TEXT },
  /** Added to error events for clients that expect an error as in chat streams. */
  error: { error: { type: 'object', required: ['message', 'type', 'code', 'request_id'] } },
} as const;

const STATUS = { enum: ['in_progress', 'completed', 'incomplete'] };

const OUTPUT_TEXT = objectOf<ResponseOutputText>({ required: { type: { const: 'output_text' }, text: TEXT, annotations: EMPTY }, optional: { logprobs: EMPTY } });

const SUMMARY_TEXT = objectOf<ResponseReasoningItem.Summary>({ required: { type: { const: 'summary_text' }, text: TEXT }, optional: {} });

const ITEMS: readonly SchemaObject[] = [
  objectOf<ResponseOutputMessage>({
    required: { id: TEXT, type: { const: 'message' }, role: { const: 'assistant' }, status: STATUS, content: listOf(OUTPUT_TEXT) }, optional: { phase: NEVER_SENT },
  }),
  objectOf<ResponseReasoningItem>({
    required: { id: TEXT, type: { const: 'reasoning' }, summary: listOf(SUMMARY_TEXT) }, optional: { content: NEVER_SENT, encrypted_content: TEXT, status: STATUS },
  }),
  objectOf<ResponseFunctionToolCall>({
    required: { type: { const: 'function_call' }, call_id: TEXT, name: TEXT, arguments: TEXT },
    optional: { id: TEXT, status: STATUS, namespace: TEXT, async: NEVER_SENT, caller: NEVER_SENT },
  }),
  objectOf<ResponseCustomToolCall>({
    required: { type: { const: 'custom_tool_call' }, call_id: TEXT, name: TEXT, input: TEXT },
    optional: { id: TEXT, namespace: TEXT, async: NEVER_SENT, caller: NEVER_SENT },
    added: ADDED.customCall,
  }),
  objectOf<ResponseToolSearchCall>({
    required: { id: TEXT, type: { const: 'tool_search_call' }, call_id: orNull(TEXT), status: STATUS, execution: { const: 'client' }, arguments: { type: 'object' } },
    optional: { created_by: NEVER_SENT },
  }),
];

const ITEM: SchemaObject = { type: 'object', required: ['type'], discriminator: { propertyName: 'type' }, oneOf: ITEMS };

const USAGE = objectOf<ResponseUsage>({
  required: {
    input_tokens: COUNT,
    input_tokens_details: objectOf<ResponseUsage.InputTokensDetails>({
      required: { cached_tokens: COUNT, cache_write_tokens: COUNT }, optional: { cache_write_tokens_details: NEVER_SENT },
    }),
    output_tokens: COUNT,
    output_tokens_details: objectOf<ResponseUsage.OutputTokensDetails>({ required: { reasoning_tokens: COUNT }, optional: {} }),
    total_tokens: COUNT,
  },
  optional: {},
  added: ADDED.usage,
});

const FAILURE = objectOf<ResponseError>({
  required: { code: { enum: ['server_error', 'rate_limit_exceeded', 'invalid_prompt'] }, message: TEXT }, optional: { misalignment: NEVER_SENT, param: NEVER_SENT, type: NEVER_SENT },
});

const FORMAT = { type: 'object', required: ['type'], properties: { type: { enum: ['text', 'json_object', 'json_schema'] } } };

/** The response without `output_text`, which the SDK itself computes. */
export const RESPONSE = objectOf<Omit<Response, 'output_text'>>({
  required: {
    id: TEXT,
    object: { const: 'response' },
    created_at: COUNT,
    model: TEXT,
    output: listOf(ITEM),
    error: orNull(FAILURE),
    incomplete_details: orNull(objectOf<Response.IncompleteDetails>({ required: {}, optional: { reason: { enum: ['max_output_tokens', 'content_filter'] } } })),
    instructions: { type: 'null' },
    metadata: { type: 'object', additionalProperties: TEXT },
    parallel_tool_calls: FLAG,
    temperature: { type: 'number' },
    top_p: { type: 'number' },
    tool_choice: { anyOf: [{ enum: ['auto', 'none', 'required'] }, { type: 'object', required: ['type'] }] },
    tools: EMPTY,
    access_programs: { type: 'null' },
  },
  optional: {
    status: { enum: ['in_progress', 'completed', 'incomplete', 'failed'] },
    completed_at: orNull(COUNT),
    usage: USAGE,
    background: { const: false },
    previous_response_id: orNull(TEXT),
    max_output_tokens: orNull(COUNT),
    prompt_cache_key: orNull(TEXT),
    service_tier: { const: 'default' },
    truncation: { const: 'disabled' },
    reasoning: objectOf<Reasoning>({
      required: {},
      optional: { effort: orNull(TEXT), summary: orNull({ enum: ['auto', 'concise', 'detailed'] }), context: NEVER_SENT, generate_summary: NEVER_SENT, mode: NEVER_SENT },
    }),
    text: objectOf<ResponseTextConfig>({ required: {}, optional: { format: FORMAT, verbosity: { enum: ['low', 'medium', 'high'] } } }),
    conversation: NEVER_SENT, image: NEVER_SENT, input_transformations: NEVER_SENT, max_tool_calls: NEVER_SENT, moderation: NEVER_SENT, prompt: NEVER_SENT, prompt_cache_diagnostics: NEVER_SENT,
    prompt_cache_options: NEVER_SENT, prompt_cache_retention: NEVER_SENT, safety_identifier: NEVER_SENT, tool_usage: NEVER_SENT, top_logprobs: NEVER_SENT, user: NEVER_SENT,
  },
  added: ADDED.response,
});

const WHOLE = { sequence_number: COUNT, response: RESPONSE };
const OF_ITEM = { sequence_number: COUNT, output_index: COUNT, item: ITEM };
const IN_ITEM = { sequence_number: COUNT, output_index: COUNT, item_id: TEXT };
const IN_TEXT = { ...IN_ITEM, content_index: COUNT };
const IN_SUMMARY = { ...IN_ITEM, summary_index: COUNT };

/** All types of events in a stream. */
export const RESPONSE_EVENTS: readonly SchemaObject[] = [
  objectOf<ResponseCreatedEvent>({ required: { type: { const: 'response.created' }, ...WHOLE }, optional: {} }),
  objectOf<ResponseInProgressEvent>({ required: { type: { const: 'response.in_progress' }, ...WHOLE }, optional: {} }),
  objectOf<ResponseCompletedEvent>({ required: { type: { const: 'response.completed' }, ...WHOLE }, optional: {} }),
  objectOf<ResponseIncompleteEvent>({ required: { type: { const: 'response.incomplete' }, ...WHOLE }, optional: {} }),
  objectOf<ResponseFailedEvent>({ required: { type: { const: 'response.failed' }, ...WHOLE }, optional: {} }),
  objectOf<ResponseErrorEvent>({
    required: { type: { const: 'error' }, sequence_number: COUNT, code: orNull(TEXT), message: TEXT, param: orNull(TEXT) }, optional: {}, added: ADDED.error,
  }),
  objectOf<ResponseOutputItemAddedEvent>({ required: { type: { const: 'response.output_item.added' }, ...OF_ITEM }, optional: {} }),
  objectOf<ResponseOutputItemDoneEvent>({ required: { type: { const: 'response.output_item.done' }, ...OF_ITEM }, optional: {} }),
  objectOf<ResponseContentPartAddedEvent>({ required: { type: { const: 'response.content_part.added' }, ...IN_TEXT, part: OUTPUT_TEXT }, optional: {} }),
  objectOf<ResponseContentPartDoneEvent>({ required: { type: { const: 'response.content_part.done' }, ...IN_TEXT, part: OUTPUT_TEXT }, optional: {} }),
  objectOf<ResponseTextDeltaEvent>({ required: { type: { const: 'response.output_text.delta' }, ...IN_TEXT, delta: TEXT, logprobs: EMPTY }, optional: {} }),
  objectOf<ResponseTextDoneEvent>({ required: { type: { const: 'response.output_text.done' }, ...IN_TEXT, text: TEXT, logprobs: EMPTY }, optional: {} }),
  objectOf<ResponseReasoningSummaryPartAddedEvent>({ required: { type: { const: 'response.reasoning_summary_part.added' }, ...IN_SUMMARY, part: SUMMARY_TEXT }, optional: {} }),
  objectOf<ResponseReasoningSummaryPartDoneEvent>({
    required: { type: { const: 'response.reasoning_summary_part.done' }, ...IN_SUMMARY, part: SUMMARY_TEXT }, optional: { status: NEVER_SENT },
  }),
  objectOf<ResponseReasoningSummaryTextDeltaEvent>({ required: { type: { const: 'response.reasoning_summary_text.delta' }, ...IN_SUMMARY, delta: TEXT }, optional: {} }),
  objectOf<ResponseReasoningSummaryTextDoneEvent>({ required: { type: { const: 'response.reasoning_summary_text.done' }, ...IN_SUMMARY, text: TEXT }, optional: {} }),
  objectOf<ResponseFunctionCallArgumentsDeltaEvent>({ required: { type: { const: 'response.function_call_arguments.delta' }, ...IN_ITEM, delta: TEXT }, optional: {} }),
  objectOf<ResponseFunctionCallArgumentsDoneEvent>({
    required: { type: { const: 'response.function_call_arguments.done' }, ...IN_ITEM, arguments: TEXT }, optional: {}, added: ADDED.argumentsDone,
  }),
  objectOf<ResponseCustomToolCallInputDeltaEvent>({ required: { type: { const: 'response.custom_tool_call_input.delta' }, ...IN_ITEM, delta: TEXT }, optional: {} }),
  objectOf<ResponseCustomToolCallInputDoneEvent>({ required: { type: { const: 'response.custom_tool_call_input.done' }, ...IN_ITEM, input: TEXT }, optional: {} }),
];
