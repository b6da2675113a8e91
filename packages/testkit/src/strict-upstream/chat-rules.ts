import type { JsonObject } from '@tollgate/core';
import { nameRefusals, objectOf, objectsOf, type Refusal, textOf, tooLong, unknownName } from './vendor-rules.js';
import type { VendorSeals } from './vendor-seals.js';

const MAX_NAME_CHARACTERS = 64;
const MAX_ID_CHARACTERS = 40;
const MAX_STOP_SEQUENCES = 4;

const FIELDS = new Set([
  'model', 'messages', 'max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'n', 'stop', 'stream', 'stream_options', 'presence_penalty', 'frequency_penalty', 'logit_bias',
  'logprobs', 'top_logprobs', 'user', 'safety_identifier', 'prompt_cache_key', 'prompt_cache_retention', 'seed', 'response_format', 'tools', 'tool_choice', 'parallel_tool_calls',
  'reasoning_effort', 'verbosity', 'service_tier', 'store', 'metadata', 'modalities', 'audio', 'prediction', 'web_search_options', 'functions', 'function_call',
]);
const ROLES = new Set(['system', 'assistant', 'user', 'function', 'tool', 'developer']);
const USER_PARTS = new Set(['text', 'image_url', 'input_audio', 'file']);

function* settingRefusals(body: JsonObject): Generator<Refusal> {
  const foreign = unknownName(body, FIELDS);
  if (foreign !== undefined) yield { message: `Unrecognized request argument supplied: ${foreign}` };
  if (body['max_tokens'] !== undefined && body['max_completion_tokens'] !== undefined) {
    yield { message: 'Setting \'max_tokens\' and \'max_completion_tokens\' at the same time is not supported.', param: 'max_tokens', code: 'invalid_parameter_combination' };
  }
  if (body['stream_options'] !== undefined && body['stream'] !== true) yield { message: 'The \'stream_options\' parameter is only allowed when \'stream\' is enabled.', param: 'stream_options' };
  const stop = body['stop'];
  if (Array.isArray(stop) && stop.length > MAX_STOP_SEQUENCES) {
    yield { message: `Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length ${stop.length} instead.`, param: 'stop', code: 'array_above_max_length' };
  }
}

function* toolRefusals(body: JsonObject): Generator<Refusal> {
  const tools = objectsOf(body['tools']);
  const names = tools.map((tool) => textOf(objectOf(tool['function'])['name']));
  if (Array.isArray(body['tools']) && tools.length === 0) {
    yield { message: 'Invalid \'tools\': empty array. Expected an array with minimum length 1, but got an empty array instead.', param: 'tools', code: 'empty_array' };
  }
  for (const [position, name] of names.entries()) yield* nameRefusals(`tools[${position}].function.name`, name, MAX_NAME_CHARACTERS);
  const choice = body['tool_choice'];
  if (choice !== undefined && names.length === 0) yield { message: '\'tool_choice\' is only allowed when \'tools\' are specified.', param: 'tool_choice' };
  if (body['parallel_tool_calls'] !== undefined && names.length === 0) yield { message: '\'parallel_tool_calls\' is only allowed when \'tools\' are specified.', param: 'parallel_tool_calls' };
  const chosen = textOf(objectOf(objectOf(choice)['function'])['name']);
  if (chosen !== '' && !names.includes(chosen)) yield { message: `Tool choice '${chosen}' not found in 'tools' parameter.`, param: 'tool_choice' };
}

function* contentRefusals({ role, content, tool_calls: calls }: JsonObject, place: string): Generator<Refusal> {
  const param = `${place}.content`;
  if (Array.isArray(content) && content.length === 0) {
    yield { message: `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`, param, code: 'empty_array' };
  }
  if (typeof content !== 'string' && !Array.isArray(content) && (role !== 'assistant' || calls === undefined)) {
    yield { message: `Invalid value for 'content': expected a string, got ${content === null ? 'null' : 'nothing'}.`, param };
  }
  for (const [number, { type }] of objectsOf(content).entries()) {
    const isKnown = role === 'assistant' ? type === 'text' || type === 'refusal' : USER_PARTS.has(textOf(type));
    if (!isKnown) yield { message: `Invalid value: '${textOf(type)}'.`, param: `${param}[${number}].type`, code: 'invalid_value' };
  }
}

function* callRefusals({ tool_calls: list }: JsonObject, place: string): Generator<Refusal> {
  const calls = objectsOf(list);
  if (Array.isArray(list) && calls.length === 0) {
    yield { message: `Invalid '${place}.tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`, param: `${place}.tool_calls`, code: 'empty_array' };
  }
  for (const [number, call] of calls.entries()) {
    const id = textOf(call['id']);
    if (id.length > MAX_ID_CHARACTERS) yield tooLong(`${place}.tool_calls[${number}].id`, id, MAX_ID_CHARACTERS);
    yield* nameRefusals(`${place}.tool_calls[${number}].function.name`, textOf(objectOf(call['function'])['name']), MAX_NAME_CHARACTERS);
  }
}

function idsOf(message: JsonObject | undefined): readonly string[] {
  return objectsOf(message?.['tool_calls']).map(({ id }) => textOf(id));
}

/** Refuses calls whose results do not follow directly, and results without a call. */
function* pairRefusals(messages: readonly JsonObject[]): Generator<Refusal> {
  let open: readonly string[] = [];
  for (const [number, message] of [...messages, {} as JsonObject].entries()) {
    const id = textOf(message['tool_call_id']);
    const isAnswer = message['role'] === 'tool' && open.includes(id);
    if (isAnswer) open = open.filter((one) => one !== id);
    else if (open.length > 0) {
      yield {
        message: 'An assistant message with \'tool_calls\' must be followed by tool messages responding to each \'tool_call_id\'. '
          + `The following tool_call_ids did not have response messages: ${open.join(', ')}`,
        param: `messages.[${number}].role`,
      };
    } else if (message['role'] === 'tool') {
      yield { message: 'Invalid parameter: messages with role \'tool\' must be a response to a preceeding message with \'tool_calls\'.', param: `messages.[${number}].role` };
    }
    if (!isAnswer) open = idsOf(message);
  }
}

/** The rules that the vendor of chat completions has published. */
export function* chatRules(body: JsonObject): Generator<Refusal> {
  const messages = objectsOf(body['messages']);
  yield* settingRefusals(body);
  if (messages.length === 0) yield { message: 'Invalid \'messages\': empty array. Expected an array with minimum length 1, but got an empty array instead.', param: 'messages', code: 'empty_array' };
  for (const [number, message] of messages.entries()) {
    const role = textOf(message['role']);
    if (!ROLES.has(role)) {
      yield {
        message: `Invalid value: '${role}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.`, param: `messages[${number}].role`, code: 'invalid_value',
      };
    }
    yield* contentRefusals(message, `messages[${number}]`);
    yield* callRefusals(message, `messages[${number}]`);
  }
  yield* toolRefusals(body);
  yield* pairRefusals(messages);
}

/** The signature that the vendor accepts for calls which its model did not make. */
export const SIGNATURE_PLACEHOLDER = 'skip_thought_signature_validator';

/** What a thought signature signs. */
export function signedCall(id: string, name: string): string {
  return `${id} ${name}`;
}

/** The rules of a vendor whose models sign the first call of each message. It requires that signature when the call comes back in the same turn. */
export function* signedCallRules(body: JsonObject, seals: VendorSeals): Generator<Refusal> {
  yield* chatRules(body);
  const messages = objectsOf(body['messages']);
  const begun = messages.findLastIndex(({ role }) => role === 'user');
  for (const [number, message] of messages.entries()) {
    const [first] = objectsOf(message['tool_calls']);
    if (first === undefined) continue;
    const name = textOf(objectOf(first['function'])['name']);
    const signature = textOf(objectOf(objectOf(first['extra_content'])['google'])['thought_signature']);
    if (signature === '' && number > begun) {
      yield {
        message: 'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to '
          + `degraded model performance. Additional data, function call \`default_api:${name}\` , position ${number + 1}.`,
      };
    }
    if (signature !== '' && signature !== SIGNATURE_PLACEHOLDER && seals.open(signature, signedCall(textOf(first['id']), name)) === null) yield { message: 'Thought signature is not valid.' };
  }
}
