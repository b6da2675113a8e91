import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { GenerationRequest } from '@tollgate/core';
import { chatFormat } from '@tollgate/wire-chat';
import { parseJsonBody } from '../../src/http/parse-json-body.js';
import { UpstreamBench } from './support/upstream-bench.js';

/** Makes the body so long that it is cached. */
const FILLING = 'x'.repeat(1_024);

const INSTRUCTION = '{ "content":"Be \\u0062rief.", "role":"system" }';
const WISH = '{"role" : "user","content":"\\/ and \\n"}';
const CALL = '{"role":"assistant","reasoning_content":"Hm.","content": null,"tool_calls":[ {"type":"function","id":"c1","function":{"name":"look","arguments":"{\\"a\\": 1.0}"}} ]}';
const RESULT = '{"role":"tool","content":"seen","tool_call_id":"c1"  }';
const ANSWER = '{"role":"assistant","content":"It is\\u0020there."}';
const PICTURE = '{"role":"user","content":[ {"type":"image_url","image_url":{"url":"https://pictures.example/1.png"}},{"type":"text","text":"And this?"}]}';
const ALL = [INSTRUCTION, WISH, CALL, RESULT, ANSWER, PICTURE].join(' ,\n');

let bench: UpstreamBench;

beforeAll(async () => {
  bench = await UpstreamBench.start('openai', { systemTurns: 'in-place', stopSequenceLimit: 4 });
});

afterAll(async () => {
  await bench.close();
});

const bodyOf = (messages: string, filling = FILLING): string => `{"model":"m","metadata":{"filling":"${filling}"},"messages":[${messages}],"tools":[{"type":"function","function":{"name":"look"}}]}`;
const decoded = (body: string): GenerationRequest => {
  const { value, source } = parseJsonBody(Buffer.from(body));
  return chatFormat.decodeRequest(value, source).generation;
};

describe('messages forwarded in their own format', () => {
  it.each([['all ASCII', FILLING], ['not all ASCII', `${FILLING}é漢🙂`], ['preceded by a byte order mark', null]])('are copied verbatim if the body is %s', async (_which, filling) => {
    const body = filling === null ? `\uFEFF${bodyOf(ALL)}` : bodyOf(ALL, filling);
    expect(await bench.sent(decoded(body))).toContain(`"messages":[${ALL}]`);
  });

  it.each([
    ['has a field that is not forwarded', WISH, '{"role":"user","name":"n","content":"\\u0061"}'],
    ['has another role', WISH, '{"role":"developer","content":"\\u0061"}'],
    ['has its text in parts', WISH, '{"role":"user","content":[{"type":"text","text":"\\u0061"}]}'],
    ['has a field twice', WISH, '{"role":"user","content":"b","content":"\\u0061"}'],
    ['has a call with a field twice', CALL, CALL.replace('"name":"look"', '"name":"l","name":"look"')],
  ])('are copied verbatim except for a message that %s, which is serialised', async (_why, instead, written) => {
    const body = bodyOf(ALL.replace(instead, () => written));
    const sent = await bench.sent(decoded(body));
    expect(sent).toContain(ANSWER);
    expect(sent).not.toContain(written);
    expect(JSON.parse(sent)).toEqual(JSON.parse(await bench.sent({ ...decoded(body), source: null })));
  });

  it('are serialised, not copied, when the request is sent a second time', async () => {
    const request = decoded(bodyOf(ALL));
    const first = await bench.sent(request);
    const second = await bench.sent(request);
    expect(second).not.toContain(INSTRUCTION);
    expect(JSON.parse(second)).toEqual(JSON.parse(first));
  });

  it('mean the same as when all of them are serialised', async () => {
    const text = fc.constantFrom('"a"', '"\\u0061"', '""', '" "', '"\\n\\/"', '"é"', `"${'long \\/ '.repeat(100)}"`);
    const content = fc.oneof(text, text.map((said) => `[{"type":"text","text":${said}}]`), fc.tuple(text, text).map((said) => `[${said.map((each) => `{"text":${each},"type":"text"}`).join(', ')}]`));
    const more = fc.constantFrom('', ',"name":"n"', ',"refusal":null', ',"content":"last"', ' ,"extra":{"a":1.0}', ', "role":"user"');
    const message = fc.oneof(
      fc.tuple(fc.constantFrom('user', 'system', 'developer'), content, more).map(([role, said, rest]) => `{"role":"${role}", "content":${said}${rest}}`),
      fc.tuple(content, fc.constantFrom('', ',"refusal":null', ',"reasoning_content":"Hm."')).map(([said, rest]) => `{"role":"assistant","content":${said}${rest}}`),
    );
    const round = fc.oneof(message, message, fc.constant(`${CALL},${RESULT}`), fc.constant(`${CALL.replace('null', '""')},\n${RESULT}`));
    await fc.assert(fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 8 }), fc.constantFrom('', 'é'), async (messages, mark) => {
      const body = bodyOf(messages.join(', '), `${FILLING}${mark}`);
      expect(JSON.parse(await bench.sent(decoded(body)))).toEqual(JSON.parse(await bench.sent({ ...decoded(body), source: null })));
    }), { seed: 31, numRuns: 150 });
  });
});
