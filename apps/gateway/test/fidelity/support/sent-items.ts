import type { AssistantBlock, Conversation, ImageSource, JsonObject, TextBlock, ToolResultBlock, Turn, UserBlock } from '@tollgate/core';

type Part = Readonly<Record<string, unknown>>;
type ShownBlock = Exclude<UserBlock, ToolResultBlock>;

const DATA_URL = /^data:([^;]*);base64,(.*)$/s;

function imageAt(url: string): ImageSource {
  const [, mediaType, data] = DATA_URL.exec(url) ?? [];
  return mediaType === undefined || data === undefined ? { kind: 'url', url } : { kind: 'base64', mediaType, data };
}

function blockOf({ type, text, image_url: url }: Part): ShownBlock {
  return type === 'input_image' ? { type: 'image', source: imageAt(String(url)) } : { type: 'text', text: String(text) };
}

function partsIn(value: unknown): readonly Part[] {
  return typeof value === 'string' ? [{ type: 'input_text', text: value }] : (value as readonly Part[]);
}

function userBlocks(item: Part): readonly UserBlock[] | null {
  if (item['type'] === 'function_call_output') {
    return [{ type: 'tool-result', toolCallId: String(item['call_id']), content: partsIn(item['output']).map(blockOf), isError: false }];
  }
  return item['role'] === 'user' ? partsIn(item['content']).map(blockOf) : null;
}

function assistantBlocks(item: Part): readonly AssistantBlock[] | null {
  switch (item['type']) {
    case 'function_call': return [{ type: 'tool-call', id: String(item['call_id']), name: String(item['name']), argumentsJson: String(item['arguments']) }];
    case 'reasoning': {
      const parts = [...partsIn(item['summary'] ?? []), ...partsIn(item['content'] ?? [])];
      return [{ type: 'thinking', text: parts.map(({ text }) => String(text)).join(''), signature: null }];
    }
    default: return item['role'] === 'assistant' ? partsIn(item['content']).map(({ text }): TextBlock => ({ type: 'text', text: String(text) })) : null;
  }
}

function turnOf(item: Part): Turn {
  const [asked, said] = [userBlocks(item), assistantBlocks(item)];
  if (asked !== null) return { role: 'user', content: asked };
  if (said !== null) return { role: 'assistant', content: said };
  return { role: 'system', content: partsIn(item['content']).map(({ text }): TextBlock => ({ type: 'text', text: String(text) })) };
}

function isContinued(last: Turn | undefined, next: Turn): boolean {
  return last !== undefined && last.role === next.role && last.role !== 'system';
}

/** Decodes the items literally. Unlike the gateway's decoder, it accepts calls without results and results without calls. */
export function conversationOfItems(body: string): Conversation {
  const { instructions, input } = JSON.parse(body) as { readonly instructions?: string; readonly input: readonly JsonObject[] };
  const turns: Turn[] = [];
  for (const item of input) {
    const next = turnOf(item);
    const last = turns.at(-1);
    if (isContinued(last, next)) turns[turns.length - 1] = { role: next.role, content: [...(last?.content ?? []), ...next.content] } as Turn;
    else turns.push(next);
  }
  return { system: instructions === undefined ? [] : [{ type: 'text', text: instructions }], turns };
}
