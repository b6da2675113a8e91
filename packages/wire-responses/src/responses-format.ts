import type { StoringFormat, TokenCountFormat, WireFormat } from '@tollgate/core';
import { decodeRequest, decodeTokenCount, describeOverflow, encodeTokenCount } from './decode-request.js';
import { echoOf, encodeError, encodeResponse, type EncoderPorts, keptForm } from './encode-response.js';
import { listedInputItems } from './input-item-list.js';
import { referencesIn, StoredItems } from './stored-items.js';
import { RESPONSE_ID_PREFIX } from './item-ids.js';
import { COMMENT_FRAME, ResponsesStreamEncoder } from './stream-encoder.js';

/** The responses format. Without a seal, reasoning is sent as text only. */
export function responsesFormat(ports: EncoderPorts): WireFormat & TokenCountFormat & StoringFormat {
  const { seal, clock } = ports;
  return {
    name: 'responses',
    responseIdPrefix: RESPONSE_ID_PREFIX,
    keepAliveFrame: COMMENT_FRAME,
    decodeRequest: (body, source = null, terms) => decodeRequest(body, { source, terms, seal }),
    describeOverflow,
    encodeResponse: (generation, context) => encodeResponse(generation, context, ports),
    streamEncoder: (context) => new ResponsesStreamEncoder(context, ports),
    encodeError: (error, requestId) => encodeError(error, requestId, clock),
    decodeTokenCount: (body, terms) => decodeTokenCount(body, { source: null, terms, seal }),
    encodeTokenCount,
    referencesIn,
    textsOf: (references, found) => new StoredItems(found, references),
    wantsKeeping: (context) => echoOf(context).inputItems !== null,
    keptForm: (generation, context) => keptForm(generation, context, ports),
    inputItemsOf: listedInputItems,
    markKept: (context, { body }) => {
      echoOf(context).keptBody = body;
    },
  };
}
