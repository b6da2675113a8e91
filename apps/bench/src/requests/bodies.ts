import { WHOLE_MODEL } from '../upstream/reply-plan.js';

/** What a request weighs; see `docs/benchmarks.md`. */
export interface Body {
  readonly name: string;
  readonly text: string;
}

const WORDS = 'the order of a request is kept from its first message to its last and what the tool answered stands between them as the model saw it'.split(' ');
const CODE = 'export function sumOf(values: readonly number[]): number {\n  return values.reduce((sum, value) => sum + value, 0);\n}\n';

/** The model's name stands first, where the upstream looks for it. */
function chat(model: string, rest: object): string {
  return JSON.stringify({ model, ...rest });
}

/** Words in an order that repeats late; deterministic. */
export function prose(characters: number, seed: number): string {
  let text = '';
  for (let position = seed; text.length < characters; position += 1) text += `${WORDS[(position * position + seed) % WORDS.length] ?? ''} `;
  return text.slice(0, characters);
}

/** A question in a sentence: about 300 bytes. */
export function smallBody(model: string = WHOLE_MODEL): Body {
  const messages = [
    { role: 'system', content: 'You are a helpful assistant. Answer in one sentence.' },
    { role: 'user', content: prose(120, 7) },
  ];
  return { name: 'small', text: chat(model, { messages, max_tokens: 256, temperature: 0.7 }) };
}

/** The same, as a stream of so many events. */
export function streamedBody(model: string): Body {
  const messages = [{ role: 'user', content: prose(200, 3) }];
  return { name: 'streamed', text: chat(model, { messages, max_tokens: 4096, stream: true }) };
}

function tool(position: number): object {
  return {
    type: 'function',
    function: {
      name: `tool_${position}`,
      description: prose(220, position),
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string', description: prose(60, position + 1) },
          line: { type: 'integer', minimum: 1 },
          options: { type: 'object', properties: { recursive: { type: 'boolean' }, pattern: { type: 'string' } } },
        },
        required: ['path'],
      },
    },
  };
}

/** Four messages of an agent at work: a wish, a call, what it answered, a word on it. */
function agentRound(position: number, characters: number): readonly object[] {
  const id = `call_${position}`;
  const callArguments = JSON.stringify({ path: `src/part-${position}/file.ts`, line: position + 1 });
  return [
    { role: 'user', content: prose(characters / 4, position) },
    { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: `tool_${position % 20}`, arguments: callArguments } }] },
    { role: 'tool', tool_call_id: id, content: CODE.repeat(Math.ceil(characters / CODE.length)).slice(0, characters) },
    { role: 'assistant', content: prose(characters / 4, position + 5) },
  ];
}

/** A coding agent's request with 20 tools: so many messages, a multiple of four, and about so many characters. */
export function agentBody(messageCount: number, characters: number): Body {
  const tools = Array.from({ length: 20 }, (_none, position) => tool(position));
  const rounds = messageCount / 4;
  const perRound = Math.max(100, (characters - JSON.stringify(tools).length) / rounds / 1.5 - 250);
  const messages = Array.from({ length: rounds }, (_none, position) => agentRound(position, Math.floor(perRound))).flat();
  return { name: `${messageCount} messages`, text: chat(WHOLE_MODEL, { messages, tools, max_tokens: 1024 }) };
}

/** A typical agent's request: 40 messages, 20 tools, about 60 KB. */
export function typicalBody(): Body {
  return { ...agentBody(40, 60_000), name: 'agent' };
}

/** About 1.5 MB in 160 messages, of which none is longer than the service takes. */
export function largeBody(): Body {
  return { ...agentBody(160, 1_500_000), name: 'large' };
}

/** Messages in turn, each of the same length. */
export function conversationBody(messageCount: number): Body {
  const messages = Array.from({ length: messageCount }, (_none, position) => (
    { role: position % 2 === 0 ? 'user' : 'assistant', content: prose(300, position) }));
  return { name: `${messageCount} messages`, text: chat(WHOLE_MODEL, { messages, max_tokens: 256 }) };
}
