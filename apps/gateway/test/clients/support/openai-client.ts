import type OpenAI from 'openai';
import type { ChatCompletion, ChatCompletionChunk, ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import { type Answer, type AnsweredUsage, AnswerDraft, type Client, errorAt, finishOf, memberOf, parsedArguments, type Question, textAt } from './client.js';
import { chatExtras, MAX_TOKENS, PROMPT } from './requests.js';

/** Constructor of any version of the client. */
export type OpenaiConstructor = typeof OpenAI;

type Usage = OpenAI.CompletionUsage | null | undefined;

function usageOf(usage: Usage): AnsweredUsage | null {
  if (usage === null || usage === undefined) return null;
  return { prompt: usage.prompt_tokens, cached: usage.prompt_tokens_details?.cached_tokens, output: usage.completion_tokens };
}

function readCompletion(draft: AnswerDraft, { choices: [choice], usage }: ChatCompletion): void {
  const message = choice?.message;
  draft.text = message?.content ?? '';
  draft.reasoning = textAt(message, 'reasoning_content');
  draft.finish = finishOf(choice?.finish_reason);
  draft.usage = usageOf(usage);
  draft.toolCalls = (message?.tool_calls ?? []).map((call) => ({
    id: call.id,
    name: textAt(call, 'function', 'name'),
    input: parsedArguments(textAt(call, 'function', 'arguments')),
  }));
}

interface StreamedCall {
  id: string;
  name: string;
  text: string;
}

/** Assembles chunks as the format's documentation prescribes. */
class ChunkReading {
  readonly #calls: StreamedCall[] = [];

  constructor(private readonly draft: AnswerDraft) {}

  read(chunk: ChatCompletionChunk): void {
    const { draft } = this;
    const [choice] = chunk.choices;
    draft.usage = usageOf(chunk.usage) ?? draft.usage;
    if (choice === undefined) return;
    draft.text += choice.delta.content ?? '';
    draft.reasoning += textAt(choice.delta, 'reasoning_content');
    if (choice.finish_reason !== null) draft.finish = finishOf(choice.finish_reason);
    for (const { index, id, function: named } of choice.delta.tool_calls ?? []) {
      const call = this.#calls[index] ??= { id: '', name: '', text: '' };
      call.id += id ?? '';
      call.name += named?.name ?? '';
      call.text += named?.arguments ?? '';
    }
  }

  end(): void {
    this.draft.toolCalls = this.#calls.map(({ id, name, text }) => ({ id, name, input: parsedArguments(text) }));
  }
}

/** The client's streaming helper, which version 4 keeps under `beta`. */
function accumulator(client: OpenAI, params: ChatCompletionCreateParamsNonStreaming) {
  const completions = 'stream' in client.chat.completions ? client.chat.completions : memberOf(client, 'beta', 'chat', 'completions');
  return (completions as OpenAI['chat']['completions']).stream({ ...params, stream: true });
}

async function read(client: OpenAI, { scenario, delivery }: Question, draft: AnswerDraft): Promise<void> {
  const params: ChatCompletionCreateParamsNonStreaming = {
    model: scenario.name, max_tokens: MAX_TOKENS, messages: [{ role: 'user', content: PROMPT }], ...chatExtras(scenario),
  };
  if (delivery === 'whole') {
    readCompletion(draft, await client.chat.completions.create(params));
    return;
  }
  if (delivery === 'accumulated') {
    const stream = accumulator(client, params);
    stream.on('content', (piece) => {
      draft.text += piece;
    });
    readCompletion(draft, await stream.finalChatCompletion());
    return;
  }
  const reading = new ChunkReading(draft);
  for await (const chunk of await client.chat.completions.create({ ...params, stream: true })) reading.read(chunk);
  reading.end();
}

export function openaiClient(version: string, Openai: OpenaiConstructor, transport: Client['transport']): Client {
  return {
    name: `openai ${version}`,
    format: 'chat',
    deliveries: ['whole', 'streamed', 'accumulated'],
    transport,
    ask(question: Question): Promise<Answer> {
      const client = new Openai({ baseURL: `${question.url}/v1`, apiKey: question.key, maxRetries: question.retries, ...(transport === 'platform' ? { fetch: question.fetch } : {}) });
      return AnswerDraft.of((draft) => read(client, question, draft), (thrown) => errorAt(thrown, ['status'], ['code']));
    },
  };
}
