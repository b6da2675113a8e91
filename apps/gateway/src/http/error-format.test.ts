import type { IncomingMessage } from 'node:http';
import { expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { refuseFields, type RequestId } from '@tollgate/core';
import { chatFormat } from '@tollgate/wire-chat';
import { messagesFormat } from '@tollgate/wire-messages';
import { responsesFormat } from '@tollgate/wire-responses';
import { errorFormatOf } from './error-format.js';

const formats = { chat: chatFormat, messages: messagesFormat, responses: responsesFormat({ seal: null, clock: new ManualClock() }) };

function nameOf(url: string, headers: Readonly<Record<string, string>> = {}): string {
  return errorFormatOf({ url, headers } as unknown as IncomingMessage, formats).name;
}

it.each([
  ['/v1/messages', 'messages'], ['/v1/messages?beta=true', 'messages'], ['/v1/messages/count_tokens', 'messages'], ['/V1/Messages', 'messages'],
  ['http://gateway.example.test/v1/messages', 'messages'], ['http://gateway.example.test:80/v1/messages?beta=true', 'messages'],
  ['/dashboard/api/playground/messages', 'messages'], ['/dashboard/api/playground/chat', 'chat'], ['/dashboard/api/playground/count?format=messages', 'chat'],
  ['/dashboard/api/playground/responses', 'responses'], ['/dashboard/api/playground/count?format=responses', 'chat'],
  ['/v1/responses', 'responses'], ['/v1/responses/input_tokens', 'responses'], ['/v1/responses/resp_1', 'responses'], ['/v1/responses-of-mine', 'chat'],
  ['/v1/chat/completions', 'chat'], ['http://gateway.example.test/v1/chat/completions', 'chat'], ['/v1/messages-of-mine', 'chat'],
  ['/v1/models?path=/v1/messages', 'chat'], ['http://gateway.example.test', 'chat'], ['http://gateway.example.test?/v1/messages', 'chat'], ['*', 'chat'],
])('errors of %s are in the %s format', (url, name) => {
  expect(nameOf(url)).toBe(name);
});

it('the anthropic-version header decides the format of errors only on paths that all formats share', () => {
  const headers = { 'anthropic-version': '2023-06-01' };
  expect(nameOf('/v1/models', headers)).toBe('messages');
  expect(nameOf('/v1/chat/completions', headers)).toBe('chat');
  expect(nameOf('/admin/v1/accounts', headers)).toBe('chat');
});

const REFUSAL = refuseFields([
  { field: 'name', message: 'must have at most 200 characters', problem: { code: 'too_long', maximum: 200 } }, { field: 'email', message: 'must not be empty', problem: { code: 'empty' } },
]);

function errorOf(url: string): unknown {
  return errorFormatOf({ url, headers: {} } as unknown as IncomingMessage, formats).encodeError(REFUSAL, 'req_1' as RequestId);
}

it.each(['/dashboard/api/keys', '/admin/v1/accounts'])('errors of %s list all fields at fault', (url) => {
  expect(errorOf(url)).toEqual({
    error: {
      message: 'name: must have at most 200 characters.', type: 'invalid_request_error', code: 'invalid_request', param: 'name', request_id: 'req_1',
      errors: [
        { field: 'name', code: 'too_long', message: 'must have at most 200 characters', values: { maximum: 200 } }, { field: 'email', code: 'empty', message: 'must not be empty' },
      ],
    },
  });
});

it.each(['/v1/api-keys', '/v1/chat/completions', '/v1/messages', '/v1/responses'])('errors of %s have only the fields of their format', (url) => {
  expect(JSON.stringify(errorOf(url))).not.toContain('errors');
});
