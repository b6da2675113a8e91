import type { ModelSlug } from '@tollgate/core';

export interface DemoRequestFacts {
  readonly url: string;
  readonly key: string;
  readonly model: ModelSlug;
}

/** Quotes a text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll('\'', '\'\\\'\'')}'`;
}

/** One request per wire format, each a single line that can be pasted into a shell. */
export function demoRequests({ url, key, model }: DemoRequestFacts): { readonly chat: string; readonly messages: string } {
  const messages = [{ role: 'user', content: 'Say hello.' }];
  const json = `-H ${quoted('content-type: application/json')}`;
  return {
    chat: `curl -sS ${url}/v1/chat/completions -H ${quoted(`authorization: Bearer ${key}`)} ${json} -d ${quoted(JSON.stringify({ model, messages }))}`,
    messages: `curl -sS ${url}/v1/messages -H ${quoted(`x-api-key: ${key}`)} ${json} -d ${quoted(JSON.stringify({ model, max_tokens: 256, messages }))}`,
  };
}
