import type { JsonObject } from '@tollgate/core';

/** The least a messages request must say, with differences. */
export function aMessagesRequest(differences: JsonObject = {}): JsonObject {
  return { model: 'test-model', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], ...differences };
}
