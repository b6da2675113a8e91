import type { AccountId, DecodedRequest, JsonObject, ReasoningSeal, StoredResponse, Turn } from '@tollgate/core';
import { decodeRequest } from '../decode-request.js';
import type { ResponsesEcho } from '../echo.js';

export const ALICE = 'acct_alice' as AccountId;

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

/** What `acct_alice` asks, who has these responses. */
export function decode(body: unknown, ...stored: readonly StoredResponse[]): DecodedRequest<ResponsesEcho> & { readonly echo: ResponsesEcho } {
  const terms = { accountId: ALICE, stored: new Map(stored.map((response) => [response.id, response])), exceedsStored: false, keepsReplies: true };
  const decoded = decodeRequest(body, { source: null, terms, seal: PLAIN_SEAL });
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
