import type { JsonObject } from '@tollgate/core';
import { nameRefusals, objectOf, objectsOf, type Refusal, textOf, tooLong, unknownName } from './vendor-rules.js';
import type { VendorSeals } from './vendor-seals.js';

const MAX_NAME_CHARACTERS = 64;
const MAX_CALL_ID_CHARACTERS = 64;
const MIN_OUTPUT_TOKENS = 16;

const FIELDS = new Set([
  'model', 'input', 'instructions', 'max_output_tokens', 'max_tool_calls', 'temperature', 'top_p', 'top_logprobs', 'stream', 'stream_options', 'store', 'include', 'metadata', 'user',
  'safety_identifier', 'prompt_cache_key', 'prompt_cache_retention', 'tools', 'tool_choice', 'parallel_tool_calls', 'reasoning', 'text', 'truncation', 'service_tier',
  'previous_response_id', 'background', 'conversation', 'prompt', 'context_management',
]);
const ID_PREFIXES: Readonly<Record<string, string>> = { message: 'msg', reasoning: 'rs', function_call: 'fc' };
const TYPES = new Set([...Object.keys(ID_PREFIXES), 'function_call_output']);
const ROLES = new Set(['assistant', 'system', 'developer', 'user']);
const INPUT_PARTS = new Set(['input_text', 'input_image', 'input_file']);
const OUTPUT_PARTS = new Set(['output_text', 'refusal']);

function typeOf(item: JsonObject | undefined): string {
  return textOf(item?.['type']) || (item?.['role'] === undefined ? '' : 'message');
}

function* settingRefusals(body: JsonObject): Generator<Refusal> {
  const foreign = unknownName(body, FIELDS);
  if (foreign !== undefined) yield { message: `Unknown parameter: '${foreign}'.`, param: foreign, code: 'unknown_parameter' };
  // The vendor requires this of accounts without data retention.
  if (body['store'] !== false) yield { message: 'Store must be set to false', param: 'store' };
  const most = body['max_output_tokens'];
  if (typeof most === 'number' && most < MIN_OUTPUT_TOKENS) {
    yield {
      message: `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${most} instead.`, param: 'max_output_tokens', code: 'integer_below_min_value',
    };
  }
}

function* toolRefusals(body: JsonObject): Generator<Refusal> {
  const names = objectsOf(body['tools']).map(({ name }) => textOf(name));
  for (const [position, name] of names.entries()) yield* nameRefusals(`tools[${position}].name`, name, MAX_NAME_CHARACTERS);
  const chosen = textOf(objectOf(body['tool_choice'])['name']);
  if (chosen !== '' && !names.includes(chosen)) yield { message: `Tool choice '${chosen}' not found in 'tools' parameter.`, param: 'tool_choice' };
}

function* itemRefusals(item: JsonObject, place: string): Generator<Refusal> {
  const type = typeOf(item);
  if (!TYPES.has(type)) yield { message: `Invalid value: '${type}'.`, param: place, code: 'invalid_value' };
  const [id, prefix] = [textOf(item['id']), ID_PREFIXES[type]];
  if (id !== '' && prefix !== undefined && !id.startsWith(prefix)) yield { message: `Invalid '${place}.id': '${id}'. Expected an ID that begins with '${prefix}'.`, param: `${place}.id`, code: 'invalid_value' };
  const callId = textOf(item['call_id']);
  if (callId.length > MAX_CALL_ID_CHARACTERS) yield tooLong(`${place}.call_id`, callId, MAX_CALL_ID_CHARACTERS);
  if (type === 'function_call') yield* nameRefusals(`${place}.name`, textOf(item['name']), MAX_NAME_CHARACTERS);
  if (type !== 'message') return;
  const role = textOf(item['role']);
  if (!ROLES.has(role)) yield { message: `Invalid value: '${role}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`, param: `${place}.role`, code: 'invalid_value' };
  const known = role === 'assistant' ? OUTPUT_PARTS : INPUT_PARTS;
  for (const [number, part] of objectsOf(item['content']).entries()) {
    const param = `${place}.content[${number}]`;
    if (!known.has(textOf(part['type']))) yield { message: `Invalid value: '${textOf(part['type'])}'. Supported values are: ${[...known].map((one) => `'${one}'`).join(', ')}.`, param, code: 'invalid_value' };
  }
}

/** A text that identifies an item by its contents, whatever its position and id. */
export function markOf(item: JsonObject | undefined): string {
  const type = typeOf(item);
  if (type === 'function_call') return `function_call ${textOf(item?.['call_id'])}`;
  if (type !== 'message') return type;
  const content = item?.['content'];
  return `message ${typeof content === 'string' ? content : objectsOf(content).map(({ text }) => textOf(text)).join('')}`;
}

function* reasoningRefusals(input: readonly JsonObject[], seals: VendorSeals): Generator<Refusal> {
  for (const [position, item] of input.entries()) {
    if (typeOf(item) !== 'reasoning') continue;
    const id = textOf(item['id']);
    const sealed = textOf(item['encrypted_content']);
    if (sealed === '') yield { message: `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`, param: 'input' };
    const place = sealed === '' ? null : seals.open(sealed, '');
    if (sealed !== '' && place === null) {
      yield {
        message: `The encrypted content ${sealed.slice(0, 8)}... could not be verified. Reason: Encrypted content could not be decrypted or parsed.`, code: 'invalid_encrypted_content',
      };
    }
    if (place !== null && markOf(input[position + 1]) !== place.neighbour) yield { message: `Item '${id}' of type 'reasoning' was provided without its required following item.`, param: 'input' };
  }
}

function* pairRefusals(input: readonly JsonObject[]): Generator<Refusal> {
  const idsOf = (type: string, items: readonly JsonObject[]): readonly string[] => items.filter((item) => typeOf(item) === type).map((item) => textOf(item['call_id']));
  for (const [position, item] of input.entries()) {
    const id = textOf(item['call_id']);
    if (typeOf(item) === 'function_call' && !idsOf('function_call_output', input.slice(position)).includes(id)) yield { message: `No tool output found for function call ${id}.`, param: 'input' };
    if (typeOf(item) === 'function_call_output' && !idsOf('function_call', input.slice(0, position)).includes(id)) {
      yield { message: `No tool call found for function call output with call_id ${id}.`, param: 'input' };
    }
  }
}

/** The rules that the vendor of the responses format has published, for requests that refer to no stored response. */
export function* responsesRules(body: JsonObject, seals: VendorSeals): Generator<Refusal> {
  const input = objectsOf(body['input']);
  yield* settingRefusals(body);
  for (const [position, item] of input.entries()) yield* itemRefusals(item, `input[${position}]`);
  yield* toolRefusals(body);
  yield* pairRefusals(input);
  yield* reasoningRefusals(input, seals);
}
