import type OpenAI from 'openai';
import type { Response, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { type Answer, AnswerDraft, type Client, errorAt, parsedArguments, type Question } from './client.js';
import type { OpenaiConstructor } from './openai-client.js';
import { MAX_TOKENS, PROMPT, responsesExtras } from './requests.js';

function readResponse(draft: AnswerDraft, { status, output, output_text: text, usage }: Response): void {
  draft.text = text;
  for (const item of output) {
    if (item.type === 'reasoning') draft.reasoning += item.summary.map((part) => part.text).join('');
    if (item.type === 'function_call') draft.toolCalls.push({ id: item.call_id, name: item.name, input: parsedArguments(item.arguments) });
  }
  readEnd(draft, status, usage);
}

/** Derives the finish reason from the status. */
function readEnd(draft: AnswerDraft, status: Response['status'], usage: Response['usage']): void {
  if (status === 'completed') draft.finish = draft.toolCalls.length > 0 ? 'tool-call' : 'end';
  else if (status !== undefined) draft.finish = `other: ${status}`;
  draft.usage = usage === undefined ? null : { prompt: usage.input_tokens, cached: usage.input_tokens_details.cached_tokens, output: usage.output_tokens };
}

function readEvent(draft: AnswerDraft, event: ResponseStreamEvent): void {
  if (event.type === 'response.output_text.delta') draft.text += event.delta;
  if (event.type === 'response.reasoning_summary_text.delta') draft.reasoning += event.delta;
  if (event.type === 'response.output_item.done' && event.item.type === 'function_call') {
    draft.toolCalls.push({ id: event.item.call_id, name: event.item.name, input: parsedArguments(event.item.arguments) });
  }
  if (event.type === 'response.completed') readEnd(draft, event.response.status, event.response.usage);
}

async function read(client: OpenAI, { scenario, delivery }: Question, draft: AnswerDraft): Promise<void> {
  const params = { model: scenario.name, max_output_tokens: MAX_TOKENS, input: PROMPT, ...responsesExtras(scenario) };
  if (delivery === 'whole') {
    readResponse(draft, await client.responses.create(params));
    return;
  }
  if (delivery === 'accumulated') {
    const stream = client.responses.stream(params);
    stream.on('response.output_text.delta', ({ delta }) => {
      draft.text += delta;
    });
    readResponse(draft, await stream.finalResponse());
    return;
  }
  for await (const event of await client.responses.create({ ...params, stream: true })) readEvent(draft, event);
}

export function responsesClient(version: string, Openai: OpenaiConstructor): Client {
  return {
    name: `openai ${version} responses`,
    format: 'responses',
    deliveries: ['whole', 'streamed', 'accumulated'],
    transport: 'platform',
    ask(question: Question): Promise<Answer> {
      const client = new Openai({ baseURL: `${question.url}/v1`, apiKey: question.key, maxRetries: question.retries, fetch: question.fetch });
      return AnswerDraft.of((draft) => read(client, question, draft), (thrown) => errorAt(thrown, ['status'], ['code']));
    },
  };
}
