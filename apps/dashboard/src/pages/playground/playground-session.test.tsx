import { renderPage, installDocument } from '../../test-support/render-page';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from '@jest/globals';
import { json, ScriptedApi } from '../../test-support/scripted-api';
import type { OfferedModel } from './model-order';
import { PlaygroundSession } from './playground-session';
import { DEFAULT_SETTINGS } from './preset';

installDocument();

const CHAT = 'POST /dashboard/api/playground/chat';
const MODELS = ['aster', 'birch'].map((id) => ({
  id, display_name: id, in_plan: true, reasoning: false, input_modalities: ['text'], pricing: { prompt: '1', output: '1', usd_per_service_token: '0.001' },
})) as unknown as readonly OfferedModel[];

/** A reply that arrives when the test says so. */
class Stream {
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  readonly #body = new ReadableStream<Uint8Array>({ start: (controller) => { this.#controller = controller; } });

  respond(signal: AbortSignal | null): Response {
    signal?.addEventListener('abort', () => this.#controller?.error(new DOMException('aborted', 'AbortError')));
    return new Response(this.#body, { headers: { 'content-type': 'text/event-stream', 'x-request-id': 'req_1' } });
  }

  say(content: string): void {
    this.#send({ choices: [{ index: 0, delta: { content } }] });
  }

  end(): void {
    this.#send({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 }, svc_tokens_debited: '1.5', svc_cost_usd: '0.0015', svc_balance_tokens: '10' });
    this.#controller?.close();
  }

  #send(data: object): void {
    this.#controller?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(data)}\n\n`));
  }
}

const refusal = () => json({ error: { code: 'provider_unavailable', message: 'The model is not available.' } }, 503);

async function open(...replies: readonly ((signal: AbortSignal | null) => Response)[]) {
  const waiting = [...replies];
  const api = new ScriptedApi()
    .on(CHAT, (_body, signal) => (waiting.shift() ?? refusal)(signal))
    .on('POST /dashboard/api/playground/count', () => json({ prompt_tokens: 3, covered: true, reserved: { svc_tokens: '1', usd: '0.001' } }))
    .on('GET /dashboard/api/account', () => json({ balance: { available: { svc_tokens: '10', usd: '0.01' }, usd_per_service_token: '0.001' } }))
    .on('GET /dashboard/api/models', () => json({ data: MODELS }));
  await renderPage(<PlaygroundSession models={MODELS} begin={{ text: '', lanes: [{ settings: { ...DEFAULT_SETTINGS, model: 'aster' }, turns: [] }] }} />, { path: '/playground', api });
  return { asked: () => api.sent.filter(({ route }) => route === CHAT).map(({ body }) => (body as { readonly messages: readonly { readonly content: unknown }[] }).messages.map(({ content }) => content)) };
}

const message = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
const log = () => within(screen.getByRole('log'));

function send(text: string): void {
  fireEvent.change(message(), { target: { value: text } });
  fireEvent.keyDown(message(), { key: 'Enter' });
}

it('the playground shows a reply while it arrives, and its exact charge at the end', async () => {
  const stream = new Stream();
  const { asked } = await open((signal) => stream.respond(signal));
  send('Hello');
  expect(message().value).toBe('');
  await screen.findByRole('button', { name: 'Stop' });
  stream.say('Good');
  await log().findByText(/^Good$/);
  stream.say(' day');
  stream.end();
  await log().findByText('Good day');
  expect(await log().findByRole('button', { name: /^\$0\.0015/ })).toBeTruthy();
  expect(log().getByRole('link', { name: 'View charge' }).getAttribute('href')).toBe('/dashboard/usage/req_1');
  expect(asked()).toEqual([['Hello']]);
});

it('the playground can stop a reply, and keeps what has arrived', async () => {
  const stream = new Stream();
  await open((signal) => stream.respond(signal));
  send('Hello');
  stream.say('Half');
  await log().findByText('Half');
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
  await screen.findByRole('button', { name: 'Send' });
  expect(log().getByText('Half')).toBeTruthy();
  expect(log().getByRole('button', { name: 'Answer again' })).toBeTruthy();
});

it('the playground keeps the message of a refused request in its field', async () => {
  const { asked } = await open(refusal);
  send('Hello');
  await screen.findByRole('alert');
  await waitFor(() => expect(message().value).toBe('Hello'));
  expect([asked(), log().queryAllByRole('article').length]).toEqual([[['Hello']], 0]);
});

it('the playground can send the last message again, and replaces the reply to it', async () => {
  const [first, second] = [new Stream(), new Stream()];
  const { asked } = await open((signal) => first.respond(signal), (signal) => second.respond(signal));
  send('Hello');
  first.say('One');
  first.end();
  fireEvent.click(await log().findByRole('button', { name: 'Answer again' }));
  second.say('Two');
  second.end();
  await log().findByText('Two');
  expect([log().queryByText('One'), asked()]).toEqual([null, [['Hello'], ['Hello']]]);
});

it('the playground can send an edited message again, and drops the turns after it', async () => {
  const [first, second] = [new Stream(), new Stream()];
  const { asked } = await open((signal) => first.respond(signal), (signal) => second.respond(signal));
  send('Hello');
  first.say('One');
  first.end();
  fireEvent.click(await log().findByRole('button', { name: 'Edit message 1' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Edit message' }), { target: { value: 'Good evening' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send again' }));
  second.say('Two');
  second.end();
  await log().findByText('Two');
  expect([log().queryByText('One'), log().queryByText('Hello'), asked()]).toEqual([null, null, [['Hello'], ['Good evening']]]);
});
