import type { IncomingMessage } from 'node:http';
import type { FieldFault, GatewayError, JsonObject, RequestId, StoringFormat, TokenCountFormat, WireFormat } from '@tollgate/core';
import { isUnder, pathOf } from './request-target.js';

/** Wire formats of the service, with their additional capabilities. */
export interface OfferedFormats {
  readonly chat: WireFormat;
  readonly messages: WireFormat & TokenCountFormat;
  readonly responses: WireFormat & TokenCountFormat & StoringFormat;
}

const MESSAGES_PATH = '/v1/messages';
const CHAT_PATH = '/v1/chat';
const RESPONSES_PATH = '/v1/responses';
const DASHBOARD_PATH = '/dashboard';
const ADMIN_PATH = '/admin/v1';
const PLAYGROUND_MESSAGES_PATH = '/dashboard/api/playground/messages';
const PLAYGROUND_RESPONSES_PATH = '/dashboard/api/playground/responses';

function encodeFault({ field, message, problem: { code, ...values } }: FieldFault): JsonObject {
  return { field, code, message, ...(Object.keys(values).length === 0 ? {} : { values }) };
}

/** The format with one addition for forms: its errors list all fields at fault. */
function withFaults(format: WireFormat): WireFormat {
  const encodeError = (error: GatewayError, requestId: RequestId): JsonObject => {
    const reply = format.encodeError(error, requestId);
    return error.faults.length === 0 ? reply : { ...reply, error: { ...reply['error'] as JsonObject, errors: error.faults.map(encodeFault) } };
  };
  return { ...format, encodeError };
}

/** The format of errors, by path; on paths of all formats, by the version header of messages clients. */
export function errorFormatOf(req: IncomingMessage, formats: OfferedFormats): WireFormat {
  // Routes are matched case-insensitively.
  const path = pathOf(req.url ?? '/').toLowerCase();
  if (isUnder(path, CHAT_PATH)) return formats.chat;
  if (isUnder(path, MESSAGES_PATH) || isUnder(path, PLAYGROUND_MESSAGES_PATH)) return formats.messages;
  if (isUnder(path, RESPONSES_PATH) || isUnder(path, PLAYGROUND_RESPONSES_PATH)) return formats.responses;
  if (isUnder(path, DASHBOARD_PATH) || isUnder(path, ADMIN_PATH)) return withFaults(formats.chat);
  return req.headers['anthropic-version'] === undefined ? formats.chat : formats.messages;
}
