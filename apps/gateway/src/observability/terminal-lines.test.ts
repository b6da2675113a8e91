import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLog } from './create-log.js';
import { terminalLines } from './terminal-lines.js';

let show: (line: string) => string;
beforeAll(async () => {
  show = await terminalLines();
});

/** The line as a terminal shows it, without colours and time. */
function shown(facts: object, message: string): string {
  let text = '';
  createLog('info', { write: (line) => { text += stripVTControlCharacters(show(line)); } }).warn(facts, message);
  return text.replace(/^\[\d\d:\d\d:\d\d\] /, '');
}

describe('a log line in a terminal', () => {
  it('states the common facts of a request in words, and other facts by name', () => {
    const request = {
      requestId: 'req_1', method: 'POST', path: '/v1/messages', status: 200, code: null, durationMilliseconds: 34, clientLeft: false,
      accountId: 'acct_1', keyId: 'key_1', model: 'small', endReason: 'completed', charged: '0.02',
    };
    expect(shown(request, 'request')).toBe(
      'WARN: POST /v1/messages 200 in 34 ms {"model":"small","endReason":"completed","charged":"0.02","requestId":"req_1","keyId":"key_1","accountId":"acct_1"}\n');
    expect(shown({ ...request, clientLeft: true }, 'request')).toContain('POST /v1/messages 200 in 34 ms, the client disconnected {');
  });

  it('states the message and the facts if it is not about a request', () => {
    expect(shown({ step: '0001' }, 'the schema is new')).toBe('WARN: the schema is new {"step":"0001"}\n');
  });

  it('escapes control characters in clients’ text, so that the text cannot forge a line', () => {
    const hostile = '/\u009b2J\u001b[31m\r\nERROR: forged\u202e';
    const text = shown({ path: hostile, message: hostile, requestedModel: hostile, err: new Error(hostile) }, `it said ${hostile}`);
    expect(text).toMatch(/^(?:\n|\P{Cc})*$/u);
    expect(text).not.toContain('\u202e');
    expect(text).not.toMatch(/^ERROR: forged/m);
    expect(text).toContain('it said /\\u009b2J\\u001b[31m\\u000d\\u000aERROR: forged\\u202e');
  });

  it('shows the stack of an error', () => {
    expect(shown({ err: new Error('boom') }, 'it failed')).toMatch(/it failed *\n[^]*Error: boom\n +at /);
  });
});
