import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { replies } from '@tollgate/testkit';
import { CLIENT_FORMATS, type ClientFormat, DELIVERIES, type Kind, KINDS, UpstreamWorld } from './support/upstream-world.js';

const PDF = 'JVBERi0xLjQKJcfs';
const NOTE = '[The document \\"report.pdf\\" was left out here, because this model cannot read it.]';
const BEFORE = 'Before the document.';

/** Requests with a document in a user turn, by format. */
const ASKED: Readonly<Record<ClientFormat, (document: Document) => JsonObject>> = {
  chat: ({ chat }) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: BEFORE }, { type: 'file', file: chat }] }] }),
  messages: ({ messages }) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: BEFORE }, { type: 'document', title: 'report.pdf', source: messages }] }] }),
  responses: ({ responses }) => ({ input: [{ role: 'user', content: [{ type: 'input_text', text: BEFORE }, { type: 'input_file', ...responses }] }] }),
};

/** Requests with a document in a tool result, by format. */
const RETURNED: Readonly<Record<ClientFormat, (document: Document) => JsonObject>> = {
  chat: ({ chat }) => ({ messages: [
    { role: 'user', content: 'Hi' }, { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: BEFORE }, { type: 'file', file: chat }] },
  ] }),
  messages: ({ messages }) => ({ messages: [
    { role: 'user', content: 'Hi' }, { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'read', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: BEFORE }, { type: 'document', title: 'report.pdf', source: messages }] }] },
  ] }),
  responses: ({ responses }) => ({ input: [
    { role: 'user', content: 'Hi' }, { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: BEFORE }, { type: 'input_file', ...responses }] },
  ] }),
};

type Document = Readonly<Record<ClientFormat, JsonObject>>;

const BYTES: Document = {
  chat: { filename: 'report.pdf', file_data: `data:application/pdf;base64,${PDF}` },
  messages: { type: 'base64', media_type: 'application/pdf', data: PDF },
  responses: { filename: 'report.pdf', file_data: PDF },
};
const LINKED: Document = {
  chat: { filename: 'report.pdf', file_url: 'https://example.com/report.pdf' },
  messages: { type: 'url', url: 'https://example.com/report.pdf' },
  responses: { filename: 'report.pdf', file_url: 'https://example.com/report.pdf' },
};
const STORED: Document = { chat: { filename: 'report.pdf', file_id: 'file_1' }, messages: { type: 'file', file_id: 'file_1' }, responses: { filename: 'report.pdf', file_id: 'file_1' } };
const OTHER: Document = {
  chat: { filename: 'report.pdf', file_data: `data:application/msword;base64,${PDF}` },
  messages: { type: 'base64', media_type: 'application/msword', data: PDF },
  responses: { filename: 'report.pdf', file_data: `data:application/msword;base64,${PDF}` },
};

/** A document in each format; a `mediaType` of `null` is omitted. */
function file(name: string, bytes: string | Uint8Array, mediaType: string | null): Document {
  const data = Buffer.from(bytes as string).toString('base64');
  return {
    chat: { filename: name, file_data: `data:${mediaType ?? ''};base64,${data}` },
    messages: { type: 'base64', ...(mediaType === null ? {} : { media_type: mediaType }), data },
    responses: { filename: name, file_data: mediaType === null ? data : `data:${mediaType};base64,${data}` },
  };
}

const TEXT = '# Zürich\n\n| a | b |\n';

let world: UpstreamWorld;
/** Key of a new account for each test. */
let key: string;
let accounts = 0;

async function start(kind: Kind): Promise<void> {
  world = await UpstreamWorld.start([{ kind }], { readsDocuments: kind === 'anthropic' });
  world.upstream().always('*', replies({ text: 'a' }));
}

async function useNewAccount(): Promise<void> {
  ({ key } = await world.gateway.addCaller(`reader-${accounts += 1}`));
}

/** Sends a request, and returns the body of the only request that the upstream received for it. */
async function ask(format: ClientFormat, body: JsonObject, stream: boolean): Promise<string> {
  const { requests } = world.upstream();
  const before = requests.length;
  expect(await world.ask(format, { ...body, stream }, key)).toContain('a');
  expect(requests.length - before).toBe(1);
  return requests.at(-1)?.rawBody ?? '';
}

describe.each(KINDS)('an upstream of kind %s', (kind) => {
  const isSent = kind === 'anthropic';

  beforeAll(() => start(kind));
  afterAll(() => world.close());
  beforeEach(() => useNewAccount());

  describe.each(CLIENT_FORMATS.flatMap((format) => DELIVERIES.map((stream) => [format, stream] as const)))('for a client of the %s format, streamed: %p,', (format, stream) => {
    it.each([['in the turn of the user', ASKED], ['in the result of a tool', RETURNED]])('receives a PDF only if the model reads documents, and a notice otherwise, %s', async (_where, requests) => {
      const body = await ask(format, requests[format](BYTES), stream);
      expect([body.includes(PDF), body.includes(NOTE)]).toEqual([isSent, !isSent]);
      expect(body.indexOf(isSent ? PDF : NOTE)).toBeGreaterThan(body.indexOf(BEFORE));
      expect(body.includes(`{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"${PDF}"},"title":"report.pdf"}`)).toBe(isSent);
    });

    it('receives a document’s URL only if the model reads documents, and a notice otherwise', async () => {
      const body = await ask(format, ASKED[format](LINKED), stream);
      expect([body.includes('"url":"https://example.com/report.pdf"'), body.includes(NOTE)]).toEqual([isSent, !isSent]);
    });

    it('receives the text of a text file, whatever its declared type', async () => {
      const text = JSON.stringify(`<document>\n<title>report.pdf</title>\n${TEXT}\n</document>`).slice(1, -1);
      for (const mediaType of ['text/plain', 'text/markdown; charset=utf-8', 'application/json', 'text/csv', 'application/octet-stream', 'application/pdf', null]) {
        for (const requests of [ASKED, RETURNED]) {
          const body = await ask(format, requests[format](file('report.pdf', TEXT, mediaType)), stream);
          expect([mediaType, body.includes(text)]).toEqual([mediaType, true]);
        }
      }
      expect(await ask(format, ASKED[format](file('report.pdf', '', 'text/plain')), stream)).toContain(String.raw`<document>\n<title>report.pdf</title>\n\n</document>`);
    });

    it('receives a notice instead of an unreadable file', async () => {
      const files = {
        'no UTF-8': file('report.pdf', Buffer.from('Z\u00fcrich', 'latin1'), 'text/plain'), 'control characters': file('report.pdf', 'a\0b', 'text/plain'),
        'more than 1,000,000 characters': file('report.pdf', 'a'.repeat(1_000_001), 'text/plain'),
        'only the name of a PDF': file('report.pdf', new Uint8Array(8), 'application/pdf'), 'nothing that is known': file('report.pdf', new Uint8Array(8), null),
      };
      for (const [name, document] of Object.entries(files)) expect([name, (await ask(format, ASKED[format](document), stream)).includes(NOTE)]).toEqual([name, true]);
    });

    it('receives a PDF that only its bytes identify like one with the media type of a PDF', async () => {
      for (const mediaType of [null, 'application/octet-stream', 'application/x-pdf']) {
        const body = await ask(format, ASKED[format](file('report.pdf', Buffer.from(PDF, 'base64'), mediaType)), stream);
        expect([mediaType, body.includes(`"media_type":"application/pdf","data":"${PDF}"`), body.includes(NOTE)]).toEqual([mediaType, isSent, !isSent]);
      }
    });

    it.each([['that only the client’s vendor stores', STORED], ['that is neither a PDF nor text', OTHER]])('receives a notice instead of a document %s', async (_which, document) => {
      const body = await ask(format, ASKED[format](document), stream);
      expect([body.includes(PDF), body.includes('file_1'), body.includes(NOTE)]).toEqual([false, false, true]);
    });
  });
});

describe('the title and context that a client of the messages format gives a document', () => {
  const document = { type: 'document', title: 'T\u{1f600}'.repeat(200), context: 'From the second quarter.', source: BYTES.messages };
  const body = { messages: [{ role: 'user', content: [document] }] };

  afterEach(() => world.close());

  async function sent(kind: Kind, asked: JsonObject): Promise<string> {
    await start(kind);
    await useNewAccount();
    return ask('messages', asked, false);
  }

  it('are sent with the document to an upstream of kind anthropic; the title is cut to the vendor’s maximum', async () => {
    const { messages } = JSON.parse(await sent('anthropic', body)) as { readonly messages: readonly { readonly content: readonly JsonObject[] }[] };
    const [{ title, context } = {}] = messages[0]?.content ?? [];
    expect([title, context]).toEqual(['T\u{1f600}'.repeat(166) + 'T', 'From the second quarter.']);
  });

  it.each(['openai', 'responses'] as const)('reach an upstream of kind %s as text', async (kind) => {
    expect(await sent(kind, body)).toContain('<context>From the second quarter.</context>');
  });
});

describe('a document', () => {
  afterEach(() => world.close());

  it.each([['of 300,000 bytes counts as a document for a model that receives it', 'anthropic', true], ['of 300,000 bytes counts as its replacement text for any other model', 'openai', false]] as const)('%s', async (_name, kind, readsDocuments) => {
    world = await UpstreamWorld.start([{ kind }], { readsDocuments });
    const count = async (data: string): Promise<number> => {
      const reply = await world.gateway.post('/v1/messages/count_tokens', { model: 'u0', ...ASKED.messages({ ...BYTES, messages: { type: 'base64', media_type: 'application/pdf', data } }) });
      return (await reply.json() as { readonly input_tokens: number }).input_tokens;
    };
    const [small, large] = [await count(PDF), await count(PDF + 'A'.repeat(400_000 - PDF.length))];
    expect(large - small).toBe(readsDocuments ? 2_999 : 0);
  });

  it('is charged as its upstream reports', async () => {
    world = await UpstreamWorld.start([{ kind: 'anthropic' }], { readsDocuments: true });
    world.upstream().always('*', replies({ text: 'a', usage: { prompt_tokens: 60_000, completion_tokens: 1, total_tokens: 60_001 } }));
    await world.ask('messages', ASKED.messages(BYTES));
    expect((await world.usage())[0]?.usage).toMatchObject({ prompt_tokens: 60_000 });
  });
});
