import { GatewayError } from '@tollgate/core';
import { type Fields, invalidField } from './decode-fields.js';

/** Error details that the official SDKs of the messages format look for: they repeat the request without `thread`. */
const NO_THREADS = { error_code: 'thread_unsupported_request', unsupported: ['thread'] } as const;

const NO_THREAD_TEXT = "'thread' is not supported; send the whole conversation with every request.";

/** Fields that refer to data stored by a vendor, with their errors. Ignoring one would change the conversation. */
export const REFUSED_FIELDS: ReadonlyMap<string, string> = new Map([
  ['conversation', 'is not supported; send the whole conversation with every request'],
  ['previous_response_id', 'is a field of the responses format; send the whole conversation with every request'],
  ['prompt', 'is not supported; send the instructions with the request'],
  ['assistant', 'is not supported; send the instructions with the request'],
  ['assistant_id', 'is not supported; send the instructions with the request'],
]);

/** Refused fields of the responses format, which supports references to earlier responses. */
export const REFUSED_RESPONSES_FIELDS: ReadonlyMap<string, string> = new Map([
  ['conversation', "is not supported; use 'previous_response_id', or send the items in 'input'"],
  ['prompt', "is not supported; send the items in 'input'"],
  ['assistant', "is not supported; send its 'instructions' with the request"],
  ['assistant_id', "is not supported; send its 'instructions' with the request"],
  ['background', 'is not supported; a response is sent as it is generated'],
]);

/** Refuses these fields and `thread`, unless their value is `null` or `false`. */
export function refuseStoredState(body: Fields, refused: ReadonlyMap<string, string>): void {
  if (isAskedFor(body.values['thread'])) throw new GatewayError('invalid_request', NO_THREAD_TEXT, { param: 'thread', wireDetails: NO_THREADS });
  for (const [name, problem] of refused) if (isAskedFor(body.values[name])) throw invalidField(null, name, problem);
}

function isAskedFor(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}
