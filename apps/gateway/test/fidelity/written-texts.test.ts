import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GenerationRequest } from '@tollgate/core';
import { parseJsonBody } from '../../src/http/parse-json-body.js';
import { SPOKEN_FORMATS, UpstreamBench, type UpstreamKind } from './support/upstream-bench.js';

/** A JSON string with unusual escapes, so long that it is copied. */
function literalOf(name: string): string {
  return `"${name}: ${'\\/ and \\"é\\" and \\u00e9 and\\n'.repeat(40)}"`;
}

const CHAT = `{"model":"m","user":${literalOf('left out')},"messages":[
  {"role":"system","content":${literalOf('instruction')}},
  {"role":"user","name":${literalOf('left out')},"content":[{"type":"text","text":${literalOf('wish')}},{"type":"text","text":"and more"}]},
  {"role":"user","content":${literalOf('a word more')}},
  {"role":"assistant","content":${literalOf('an answer')},"tool_calls":[{"id":"call_1","type":"function","function":{"name":"look","arguments":"{}"}}]},
  {"role":"tool","tool_call_id":"call_1","content":${literalOf('a result')}},
  {"role":"assistant","content":${literalOf('another answer')}},
  {"role":"user","content":[{"type":"image_url","image_url":{"url":"https://pictures.example/1.png"}},{"type":"text","text":${literalOf('a picture')}}]}]}`
  .replace(/"user":"left out[^,]*,/, '');

const MESSAGES = `{"model":"m","max_tokens":9,"messages":[
  {"role":"user","content":[{"type":"text","text":${literalOf('wish')}}]},
  {"role":"assistant","content":[{"type":"text","text":${literalOf('an answer')}},{"type":"tool_use","id":"call_1","name":"look","input":{}}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":[{"type":"text","text":${literalOf('a result')}}]},{"type":"text","text":${literalOf('a word more')}}]},
  {"role":"assistant","content":${literalOf('another answer')}},
  {"role":"user","content":${literalOf('a last wish')}}],"system":${literalOf('instruction')}}`;

const RESPONSES = `{"model":"m","input":[
  {"role":"developer","content":${literalOf('instruction')}},
  {"role":"user","content":[{"type":"input_text","text":${literalOf('wish')}},{"type":"input_text","text":"and more"}]},
  {"role":"user","content":${literalOf('a word more')}},
  {"role":"assistant","content":[{"type":"output_text","text":${literalOf('an answer')}}]},
  {"type":"function_call","call_id":"call_1","name":"look","arguments":"{}"},
  {"type":"function_call_output","call_id":"call_1","output":${literalOf('a result')}},
  {"role":"assistant","content":${literalOf('another answer')}},
  {"role":"user","content":[{"type":"input_image","image_url":"https://pictures.example/1.png"},{"type":"input_text","text":${literalOf('a picture')}}]}]}`;

const BODIES: Readonly<Record<UpstreamKind, string>> = { openai: CHAT, anthropic: MESSAGES, responses: RESPONSES };
const KINDS: readonly UpstreamKind[] = ['openai', 'anthropic', 'responses'];
/** By format of the client, the texts that are copied verbatim for a chat or messages upstream. */
const COPIED: Readonly<Record<UpstreamKind, readonly string[]>> = {
  openai: ['an answer', 'a result', 'another answer', 'a picture'], anthropic: ['a result', 'an answer', 'another answer'], responses: ['an answer', 'a result', 'another answer'],
};
const CASES = KINDS.flatMap((format) => KINDS.map((kind) => [format, kind] as const));

describe.each(CASES)('long texts of a client of the %s format, sent to upstreams of kind %s,', (format, kind) => {
  let bench: UpstreamBench;
  const decoded = (): GenerationRequest => {
    const { value, source } = parseJsonBody(Buffer.from(BODIES[format]));
    return SPOKEN_FORMATS[format].decodeRequest(value, source).generation;
  };

  beforeAll(async () => {
    bench = await UpstreamBench.start(kind, { systemTurns: 'in-place', stopSequenceLimit: 4 });
  });

  afterAll(async () => {
    await bench.close();
  });

  it('keep their meaning', async () => {
    const printed = await bench.sent({ ...decoded(), source: null });
    expect(JSON.parse(await bench.sent(decoded()))).toEqual(JSON.parse(printed));
    expect(printed).not.toContain('\\/');
  });

  it('are copied verbatim unless the upstream is of kind responses', async () => {
    const sent = await bench.sent(decoded());
    expect(COPIED[format].filter((name) => sent.includes(literalOf(name)))).toEqual(kind === 'responses' ? [] : COPIED[format]);
  });

  it('keep their meaning when the request is sent a second time', async () => {
    const request = decoded();
    const first = await bench.sent(request);
    expect(JSON.parse(await bench.sent(request))).toEqual(JSON.parse(first));
  });
});
