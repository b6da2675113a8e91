import type { AccountId, DecodedRequest, JsonObject, ReasoningSeal, StoredResponse, Turn } from '@tollgate/core';
import { JsonParser, type ParsedJson } from '@tollgate/json-text';
import { DOCUMENT_FIELDS, INPUT_FIELD, MAX_MESSAGES, MESSAGES_FIELD, RECURRING_FIELD } from '@tollgate/wire-kit';
import { decodeRequest, type ResponsesEcho } from '../decode-request.js';

export const ALICE = 'acct_alice' as AccountId;

type Decoded = DecodedRequest<ResponsesEcho> & { readonly echo: ResponsesEcho };

/** Opens `<account>|<text>` for that account. */
export const PLAIN_SEAL: ReasoningSeal = {
  seal: (accountId, text) => `${accountId}|${text}`,
  open: (accountId, sealed) => (sealed.startsWith(`${accountId}|`) ? sealed.slice(accountId.length + 1) : null),
};

/** A stored response, of one message of the user and one of the assistant. */
export function aStoredResponse(id: string, differences: Partial<StoredResponse> = {}): StoredResponse {
  const tail = id.slice('resp_'.length);
  return {
    id,
    previousId: null,
    inputItems: JSON.stringify([{ type: 'message', role: 'user', content: `Question ${tail}` }]),
    outputItems: JSON.stringify([
      { id: `rs_${tail}_0`, type: 'reasoning', status: 'completed', summary: [{ type: 'summary_text', text: `Thought ${tail}` }] },
      { id: `msg_${tail}_1`, type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: `Answer ${tail}`, annotations: [] }] },
    ]),
    body: '{}',
    ...differences,
  };
}

/** What a request of `acct_alice` says, who has these responses. */
export function decode(body: unknown, ...stored: readonly StoredResponse[]): Decoded {
  return decodeParsed({ value: body, source: null }, stored);
}

const parser = new JsonParser({
  maximumDepth: 64,
  maximumKeys: 32_768,
  maximumItems: 131_072,
  exactFields: DOCUMENT_FIELDS,
  exactDepth: 4,
  copiedList: { field: MESSAGES_FIELD, maximumMembers: MAX_MESSAGES },
  cachedField: RECURRING_FIELD,
  writtenField: INPUT_FIELD,
});

/** Like `decode`, for a body that the gateway's parser has read. */
export function decodeText(body: string, ...stored: readonly StoredResponse[]): Decoded {
  return decodeParsed(parser.parse(new TextEncoder().encode(body)), stored);
}

function decodeParsed({ value, source }: ParsedJson, stored: readonly StoredResponse[]): Decoded {
  const terms = { accountId: ALICE, stored: new Map(stored.map((response) => [response.id, response])), exceedsStored: false, keepsReplies: true };
  const decoded = decodeRequest(value, { source, terms, seal: PLAIN_SEAL });
  if (decoded.echo === undefined) throw new Error('a responses request has an echo');
  return { ...decoded, echo: decoded.echo };
}

/** The least a responses request must say, with differences. */
export function aResponsesRequest(differences: JsonObject = {}): JsonObject {
  return { model: 'test-model', input: 'Hi', ...differences };
}

/** The turns that items make. */
export function turnsOf(...input: readonly JsonObject[]): readonly Turn[] {
  return decode(aResponsesRequest({ input })).generation.conversation.turns;
}
