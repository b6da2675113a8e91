import type { Answer, Delivery } from './client.js';
import { USAGE } from './scenarios.js';

export interface Cell {
  readonly client: string;
  readonly delivery: Delivery;
  readonly scenario: string;
  readonly kind: string;
}

/** A known deviation of a client, and its reason. It applies to all cells that match `where`; an omitted field matches any. */
interface Deviation {
  readonly where: { readonly client: RegExp } & Partial<Omit<Cell, 'client'>>;
  readonly because: string;
  readonly shows: Partial<Answer>;
}

const NO_CODE = { status: null, code: null };

const DEVIATIONS: readonly Deviation[] = [
  {
    where: { client: /^openai [\d.]+$/, delivery: 'accumulated', scenario: 'reasoning' },
    because: 'its helper joins the pieces of fields it knows and keeps the last piece of those it does not, reasoning_content among them',
    shows: { reasoning: 'then that.' },
  },
  {
    where: { client: /@ai-sdk\/openai$/, scenario: 'reasoning' },
    because: 'its chat model has no place for reasoning; the openai-compatible provider has',
    shows: { reasoning: '' },
  },
  {
    where: { client: /^@anthropic-ai\/sdk 0\.39$/, delivery: 'accumulated' },
    because: 'its helper takes the prompt from message_start alone, where the specification puts zeros',
    shows: { usage: { prompt: 0, cached: 0, output: USAGE.output } },
  },
  {
    where: { client: /^@langchain\/anthropic$/, delivery: 'streamed' },
    because: 'it takes the prompt from message_start alone, where the specification puts zeros',
    shows: { usage: { prompt: 0, cached: 0, output: USAGE.output } },
  },
  {
    where: { client: /^@anthropic-ai\/sdk 0\.39$/, delivery: 'streamed', scenario: 'error mid-stream' },
    because: 'it keeps the body of an error within a stream as text only',
    shows: { error: NO_CODE },
  },
  {
    where: { client: /^@anthropic-ai\/sdk 0\.39$/, delivery: 'accumulated', scenario: 'error mid-stream' },
    because: 'it keeps the body of an error within a stream as text only',
    shows: { error: NO_CODE, usage: null },
  },
  {
    where: { client: /^@langchain\/anthropic$/, delivery: 'streamed', scenario: 'error mid-stream' },
    because: 'a reply that broke off has no usage at all',
    shows: { usage: null },
  },
  {
    where: { client: /^(@anthropic-ai\/sdk 0\.39|@langchain\/anthropic)$/, scenario: 'error before the first piece' },
    because: 'a refusal has no usage at all',
    shows: { usage: null },
  },
  {
    where: { client: /@ai-sdk\/openai responses$/, delivery: 'streamed', scenario: 'error mid-stream', kind: 'openai' },
    because: 'it hands over what a failed response says was charged: estimates, since such an upstream counts at the end only',
    shows: { usage: { prompt: 19, cached: 0, output: 17 } },
  },
  {
    where: { client: /@ai-sdk\/openai responses$/, delivery: 'streamed', scenario: 'error mid-stream', kind: 'responses' },
    because: 'it hands over what a failed response says was charged: estimates, since such an upstream counts at the end only',
    shows: { usage: { prompt: 19, cached: 0, output: 17 } },
  },
  {
    where: { client: /@ai-sdk\/openai responses$/, delivery: 'streamed', scenario: 'error mid-stream', kind: 'anthropic' },
    because: 'it hands over what a failed response says was charged: such an upstream counts the prompt at the beginning',
    shows: { usage: { prompt: USAGE.prompt, cached: USAGE.cached, output: 17 } },
  },
  {
    where: { client: /@ai-sdk\/anthropic$/, delivery: 'streamed', scenario: 'error mid-stream' },
    because: 'it hands over the type and the message of an error within a stream, not the code',
    shows: { error: NO_CODE },
  },
];

/** Values that replace the expected ones in this cell. */
export function deviationOf(cell: Cell): Partial<Answer> {
  const rows = DEVIATIONS.filter(({ where: { client, ...rest } }) => client.test(cell.client) && Object.entries(rest).every(([name, value]) => cell[name as keyof Cell] === value));
  return Object.assign({}, ...rows.map(({ shows }) => shows)) as Partial<Answer>;
}
