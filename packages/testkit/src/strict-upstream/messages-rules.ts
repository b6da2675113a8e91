import type { JsonObject, JsonValue } from '@tollgate/core';
import { objectOf, objectsOf, type Refusal, repeated, textOf, unknownName } from './vendor-rules.js';
import type { SealedPlace, VendorSeals } from './vendor-seals.js';

/** Names of tools that the vendor of the messages format accepts. Its older models accept at most 64 characters. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const TOOL_ID = /^[a-zA-Z0-9_-]+$/;
const MIN_BUDGET_TOKENS = 1024;

const FIELDS = new Set([
  'model', 'messages', 'max_tokens', 'system', 'stream', 'temperature', 'top_p', 'top_k', 'stop_sequences', 'metadata', 'thinking', 'tools', 'tool_choice', 'service_tier',
  'output_config', 'cache_control', 'container', 'context_management', 'mcp_servers', 'inference_geo',
]);
const BLOCK_FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  text: new Set(['type', 'text', 'cache_control', 'citations']),
  image: new Set(['type', 'source', 'cache_control']),
  document: new Set(['type', 'source', 'cache_control', 'citations', 'context', 'title']),
  thinking: new Set(['type', 'thinking', 'signature']),
  redacted_thinking: new Set(['type', 'data']),
  tool_use: new Set(['type', 'id', 'name', 'input', 'cache_control', 'caller']),
  tool_result: new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control']),
};
const THINKING = new Set(['thinking', 'redacted_thinking']);

function isOn(thinking: JsonObject): boolean {
  return thinking['type'] === 'enabled' || thinking['type'] === 'adaptive';
}

function blocksOf(message: JsonObject | undefined): readonly JsonObject[] {
  const content = message?.['content'];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content);
}

function* settingRefusals(body: JsonObject): Generator<Refusal> {
  const foreign = unknownName(body, FIELDS);
  if (foreign !== undefined) yield { message: `${foreign}: Extra inputs are not permitted` };
  const most = body['max_tokens'];
  if (most === undefined) yield { message: 'max_tokens: Field required' };
  else if (!(Number(most) >= 1)) yield { message: 'max_tokens: Input should be greater than or equal to 1' };
  const thinking = objectOf(body['thinking']);
  const budget = Number(thinking['budget_tokens']);
  if (thinking['type'] === 'enabled' && !(budget >= MIN_BUDGET_TOKENS)) yield { message: 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024' };
  if (thinking['type'] === 'enabled' && !(Number(most) > budget)) yield { message: '`max_tokens` must be greater than `thinking.budget_tokens`.' };
  if (!isOn(thinking)) return;
  if ((body['temperature'] ?? 1) !== 1) yield { message: '`temperature` may only be set to 1 when thinking is enabled.' };
  if (body['top_k'] !== undefined) yield { message: '`top_k` must be unset when thinking is enabled.' };
  if (['any', 'tool'].includes(textOf(objectOf(body['tool_choice'])['type']))) yield { message: 'Thinking may not be enabled when tool_choice forces tool use.' };
}

function* toolRefusals(body: JsonObject): Generator<Refusal> {
  const names = objectsOf(body['tools']).map(({ name }) => textOf(name));
  for (const [position, name] of names.entries()) {
    if (!TOOL_NAME.test(name)) yield { message: `tools.${position}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'` };
  }
  if (repeated(names) !== undefined) yield { message: 'tools: Tool names must be unique.' };
  const choice = objectOf(body['tool_choice']);
  if (choice['type'] === undefined) return;
  if (names.length === 0) yield { message: 'tool_choice may only be specified while providing tools' };
  if (choice['type'] === 'tool' && !names.includes(textOf(choice['name']))) yield { message: `tool_choice: Tool '${textOf(choice['name'])}' not found in provided tools` };
}

function* textRefusals(blocks: readonly JsonObject[], place: string): Generator<Refusal> {
  for (const { type, text } of blocks) {
    if (type === 'text' && textOf(text) === '') yield { message: `${place}: text content blocks must be non-empty` };
    else if (type === 'text' && textOf(text).trim() === '') yield { message: `${place}: text content blocks must contain non-whitespace text` };
  }
}

function* blockRefusals(block: JsonObject, place: string, seals: VendorSeals): Generator<Refusal> {
  const type = textOf(block['type']);
  const fields = BLOCK_FIELDS[type];
  if (fields === undefined) {
    yield { message: `${place}: Input tag '${type}' found using 'type' does not match any of the expected tags` };
    return;
  }
  const foreign = unknownName(block, fields);
  if (foreign !== undefined) yield { message: `${place}.${type}.${foreign}: Extra inputs are not permitted` };
  if (type === 'thinking' && textOf(block['signature']) === '') yield { message: `${place}.thinking.signature: Field required` };
  else if (THINKING.has(type) && placeOf(block, seals) === null) yield { message: `${place}: Invalid \`${type === 'thinking' ? 'signature' : 'data'}\` in \`${type}\` block` };
  if (type === 'tool_use' && !TOOL_ID.test(textOf(block['id']))) yield { message: `${place}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'` };
  if (type === 'tool_use' && !TOOL_NAME.test(textOf(block['name']))) yield { message: `${place}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'` };
  if (type !== 'tool_result') return;
  const inner = typeof block['content'] === 'string' ? [] : objectsOf(block['content']);
  yield* textRefusals(inner, 'messages');
  if (block['is_error'] === true && inner.length === 0 && textOf(block['content']) === '') yield { message: `${place}.tool_result: content cannot be empty if \`is_error\` is true` };
}

/** The position of a thinking block in the reply that contained it, or `null` if the block is not from this server. */
function placeOf(block: JsonObject, seals: VendorSeals): SealedPlace | null {
  return block['type'] === 'thinking' ? seals.open(textOf(block['signature']), textOf(block['thinking'])) : seals.open(textOf(block['data']), '');
}

function* messageRefusals(messages: readonly JsonObject[], seals: VendorSeals): Generator<Refusal> {
  if (messages.length === 0) yield { message: 'messages: at least one message is required' };
  if (messages.length > 0 && messages[0]?.['role'] !== 'user') yield { message: 'messages: first message must use the "user" role' };
  for (const [number, message] of messages.entries()) {
    const blocks = blocksOf(message);
    const isLast = number === messages.length - 1;
    if (!['user', 'assistant'].includes(textOf(message['role']))) yield { message: `messages.${number}.role: Input should be 'user' or 'assistant'` };
    if (blocks.length === 0 && !(isLast && message['role'] === 'assistant')) {
      yield { message: `messages.${number}: all messages must have non-empty content except for the optional final assistant message` };
    }
    yield* textRefusals(blocks, 'messages');
    for (const [position, block] of blocks.entries()) yield* blockRefusals(block, `messages.${number}.content.${position}`, seals);
    const last = blocks.at(-1);
    if (message['role'] === 'assistant' && THINKING.has(textOf(last?.['type']))) yield { message: `messages.${number}: The final block in an assistant message cannot be \`${textOf(last?.['type'])}\`.` };
    if (isLast && message['role'] === 'assistant' && /\s$/.test(textOf(last?.['text']))) yield { message: 'messages: final assistant content cannot end with trailing whitespace' };
  }
}

function idsOf(blocks: readonly JsonObject[], type: string, field: string): readonly string[] {
  return blocks.filter((block) => block['type'] === type).map((block) => textOf(block[field]));
}

/** The messages, with consecutive ones of the same role merged. */
function mergedTurns(messages: readonly JsonObject[]): readonly { readonly role: JsonValue | undefined; readonly blocks: readonly JsonObject[]; readonly number: number }[] {
  const turns: { role: JsonValue | undefined; blocks: readonly JsonObject[]; number: number }[] = [];
  for (const [number, message] of messages.entries()) {
    const last = turns.at(-1);
    if (last?.role === message['role'] && last !== undefined) last.blocks = [...last.blocks, ...blocksOf(message)];
    else turns.push({ role: message['role'], blocks: blocksOf(message), number });
  }
  return turns;
}

function* pairRefusals(messages: readonly JsonObject[]): Generator<Refusal> {
  const turns = mergedTurns(messages);
  if (repeated(turns.flatMap(({ blocks }) => idsOf(blocks, 'tool_use', 'id'))) !== undefined) yield { message: 'messages: `tool_use` ids must be unique' };
  for (const [position, { blocks, number }] of turns.entries()) {
    const calls = idsOf(blocks, 'tool_use', 'id');
    const following = turns[position + 1]?.blocks ?? [];
    const end = following.findIndex(({ type }) => type !== 'tool_result');
    const answered = idsOf(end === -1 ? following : following.slice(0, end), 'tool_result', 'tool_use_id');
    const missing = calls.filter((id) => !answered.includes(id));
    if (missing.length > 0) {
      yield {
        message: `messages.${number}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. `
          + 'Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
      };
    }
    const results = idsOf(blocks, 'tool_result', 'tool_use_id');
    const before = idsOf(turns[position - 1]?.blocks ?? [], 'tool_use', 'id');
    const unexpected = results.find((id) => !before.includes(id));
    if (unexpected !== undefined) {
      yield {
        message: `messages.${number}.content: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${unexpected}. `
          + 'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
      };
    }
    const twice = repeated(results);
    if (twice !== undefined) yield { message: `messages.${number}.content: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}` };
  }
}

/** The types of the blocks before a thinking block in its turn, other thinking excluded, such as `text,tool_use`. */
export function blocksBefore(types: readonly string[]): string {
  return types.filter((type) => !THINKING.has(type)).join();
}

/**
 * The latest assistant message must contain the thinking of its reply: completely, in the same order, and at the same positions among the other
 * blocks.
 */
function* latestThinkingRefusals(messages: readonly JsonObject[], { seals, isThinking }: { readonly seals: VendorSeals; readonly isThinking: boolean }): Generator<Refusal> {
  const turns = mergedTurns(messages);
  const at = turns.findLastIndex(({ role }) => role === 'assistant');
  const latest = turns[at];
  const isOpen = at === turns.length - 1 || turns[at + 1]?.blocks.some(({ type }) => type === 'tool_result') === true;
  if (latest === undefined || !isOpen) return;
  const types = latest.blocks.map(({ type }) => textOf(type));
  let first = at;
  while (turns[first - 1]?.blocks.some(({ type }) => type === 'tool_result') === true) first -= 2;
  const begins = textOf(turns[first]?.blocks[0]?.['type']);
  if (isThinking && !THINKING.has(begins)) {
    yield {
      message: `messages.${turns[first]?.number ?? 0}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${begins}\`. When \`thinking\` is enabled, `
        + 'a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).',
    };
  }
  const placed = latest.blocks.flatMap((block, position) => (THINKING.has(types[position] ?? '') ? [{ place: placeOf(block, seals), position }] : []));
  const isUnchanged = placed.every(({ place, position }, index) => (
    place === null || (place.count === placed.length && place.index === index && place.neighbour === blocksBefore(types.slice(0, position)))
  ));
  if (!isUnchanged) {
    yield {
      message: `messages.${latest.number}.content.${placed[0]?.position ?? 0}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. `
        + 'These blocks must remain as they were in the original response.',
    };
  }
}

/** The rules that the vendor of the messages format has published. */
export function* messagesRules(body: JsonObject, seals: VendorSeals): Generator<Refusal> {
  const messages = objectsOf(body['messages']);
  yield* settingRefusals(body);
  yield* toolRefusals(body);
  yield* textRefusals(objectsOf(body['system']), 'system');
  yield* messageRefusals(messages, seals);
  yield* pairRefusals(messages);
  yield* latestThinkingRefusals(messages, { seals, isThinking: isOn(objectOf(body['thinking'])) });
}
