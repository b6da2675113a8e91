import type { IncomingMessage } from 'node:http';
import { expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
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

it('follows the version header, on paths common to all formats only', () => {
  const headers = { 'anthropic-version': '2023-06-01' };
  expect(nameOf('/v1/models', headers)).toBe('messages');
  expect(nameOf('/v1/chat/completions', headers)).toBe('chat');
  expect(nameOf('/admin/v1/accounts', headers)).toBe('chat');
});
