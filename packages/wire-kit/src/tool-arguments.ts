import type { JsonObject } from '@tollgate/core';

/** What a call without arguments passes: clients parse the text, and an empty text is no JSON. */
export const EMPTY_ARGUMENTS = '{}';

const SOMETHING_BESIDES_SPACE = /\S/;

export function isBlank(text: string): boolean {
  return !SOMETHING_BESIDES_SPACE.test(text);
}

/**
 * Arguments as the object they ought to be. A model may write anything: what is no JSON object is kept as
 * `{"_raw": text}`, so that the client's own validation can refuse it and the model can see what it wrote.
 */
export function parseArguments(argumentsJson: string): JsonObject {
  if (isBlank(argumentsJson)) return {};
  try {
    const parsed: unknown = JSON.parse(argumentsJson);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as JsonObject;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
  }
  return { _raw: argumentsJson };
}
