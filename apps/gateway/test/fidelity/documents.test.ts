import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { messagesFormat } from '@tollgate/wire-messages';
import { parseJsonBody } from '../../src/http/parse-json-body.js';
import { UpstreamBench } from './support/upstream-bench.js';

/** A text so long that it is copied from the body, unless it is wrapped in tags. */
const LONG = 'A line of the report.\n'.repeat(100);
const BODY = JSON.stringify({
  model: 'm', max_tokens: 10, messages: [
    { role: 'user', content: [{ type: 'document', title: 'Report', source: { type: 'text', media_type: 'text/plain', data: LONG } }, { type: 'text', text: `Sum up. ${LONG}` }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'find', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: LONG }] }] }] },
  ],
});

const picture = (name: string) => ({ type: 'image', source: { type: 'url', url: `https://images.example/${name}.png` } });
const PICTURED = JSON.stringify({
  model: 'm', max_tokens: 10, messages: [
    { role: 'user', content: [{ type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'a' }, picture('1'), { type: 'text', text: 'b' }] } }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'find', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'document', source: { type: 'content', content: [picture('2')] } }, picture('3')] }] },
  ],
});

describe.each(['openai', 'anthropic', 'responses'] as const)('documents and search results, towards an upstream of kind %s,', (kind) => {
  let bench: UpstreamBench;

  beforeAll(async () => {
    bench = await UpstreamBench.start(kind, { systemTurns: 'in-place', stopSequenceLimit: 4 });
  });
  afterAll(() => bench.close());

  it('become text, each exactly once and completely', async () => {
    const { value, source } = parseJsonBody(Buffer.from(BODY));
    const sent = await bench.sent(messagesFormat.decodeRequest(value, source).generation);
    const texts = JSON.stringify(JSON.parse(sent));
    expect(texts.split(JSON.stringify(LONG).slice(1, -1))).toHaveLength(4);
    expect(texts).toContain(JSON.stringify(`<document>\n<title>Report</title>\n${LONG}\n</document>`).slice(1, -1));
    expect(texts).toContain(JSON.stringify(`<search_result>\n<source>s</source>\n<title>t</title>\n${LONG}\n</search_result>`).slice(1, -1));
  });

  it('keep their images, each exactly once and in order', async () => {
    const { value, source } = parseJsonBody(Buffer.from(PICTURED));
    const sent = await bench.sent(messagesFormat.decodeRequest(value, source).generation);
    expect(sent.match(/images\.example\/\d/g)).toEqual(['images.example/1', 'images.example/2', 'images.example/3']);
  });
});
