const UNKNOWN_MODEL = 'no-such-model';
/** The model of the siege's own upstream. */
export const MODEL = 'siege-model';

/** A body of 160,000 object keys and 1.8 MB, which takes long to parse and much memory to hold. */
export function manyKeysBody(): string {
  const keys = Array.from({ length: 160_000 }, (_, index) => `"k${index.toString(36)}":1`);
  return `{"model":"${UNKNOWN_MODEL}","messages":[{"role":"user","content":"hi"}],"metadata":{${keys.join(',')}}}`;
}

/** A valid body just below 2 MiB that names an unknown model: read, parsed and refused. */
export function refusedLargeBody(): string {
  const content = 'The quick brown fox jumps over the lazy dog. '.repeat(220);
  const messages = Array.from({ length: 200 }, () => ({ role: 'user', content }));
  return JSON.stringify({ model: UNKNOWN_MODEL, messages });
}

/** What the other customer sends. */
export function smallBody(): string {
  return JSON.stringify({ model: MODEL, max_tokens: 16, messages: [{ role: 'user', content: 'Hello!' }] });
}

/** A request that the siege's upstream answers with 500, as llama.cpp answers a picture to a text-only model. */
export function pictureBody(): string {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
  return JSON.stringify({ model: MODEL, max_tokens: 16, messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }] });
}
