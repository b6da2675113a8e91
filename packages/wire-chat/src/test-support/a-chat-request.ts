import type { JsonObject } from '@tollgate/core';

/** The least a chat request must say, with differences. */
export function aChatRequest(differences: JsonObject = {}): JsonObject {
  return { model: 'test-model', messages: [{ role: 'user', content: 'Hi' }], ...differences };
}
