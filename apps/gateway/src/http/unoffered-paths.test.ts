import { describe, expect, it } from '@jest/globals';
import { unofferedPath } from './unoffered-paths.js';

describe('the unknown path', () => {
  it.each([
    ['/v1/embeddings', 'Embeddings are not offered'],
    ['/v1/completions', 'Use POST /v1/chat/completions.'],
    ['/v1/Messages/Batches/msgbatch_1/results', 'by itself to POST /v1/messages.'],
    ['/v1/responses/compact', 'Compaction is not offered'],
    ['/v1/responses/resp_1/cancel', 'Cancelling is not offered'],
    ['/v1/chat/completions/chatcmpl-1', 'Stored chat completions are not offered'],
    ['/v1/chat/completions/chatcmpl-1/messages', 'Stored chat completions are not offered'],
    ['/v1/containers/cntr_1/files', 'the client runs all tools'],
    ['/v1/agents', 'with tools'],
    ['/v1/moderations', 'Moderations are not offered'],
    ['/v1/files', 'Send texts and images in the messages'],
    ['/v1/files/file_1/content', 'Send texts and images in the messages'],
    ['/v1/v1/messages', 'contains /v1 twice'],
    ['/v1/chat/completions/chat/completions', 'base URL must end in /v1'],
    ['/v1/messages/v1/messages', 'adds /v1/messages by itself'],
    ['/v1/responses/responses', 'base URL must end in /v1'],
    ['/v1//chat/completions', 'two slashes in a row'],
    ['//v1/messages?beta=true', 'two slashes in a row'],
    ['/chat/completions', 'base URL must end in /v1'],
    ['/messages', 'POST /v1/messages'],
    ['/api/tags', 'GET /v1/models'],
    ['http://gateway.example.test/v1/embeddings', 'Embeddings are not offered'],
  ])('%s is refused with advice: %s', (target, text) => {
    const { code, message } = unofferedPath(target);
    expect([code, message]).toEqual(['not_found', expect.stringContaining(text)]);
  });

  it.each(['/', '/v1', '/v1/nothing', '/v1/filesystem', '/v1/responses/resp_1', '/v1/responses/resp_1/other', '/v1/responses/cancel', '/v1/nothing?next=//', '/v1/chat/completions/', '/v1/messagesque'])('%s is refused without advice', (target) => {
    expect(unofferedPath(target).message).toBe('There is nothing at this address.');
  });
});
