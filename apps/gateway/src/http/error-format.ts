import type { IncomingMessage } from 'node:http';
import type { WireFormat } from '@tollgate/core';

export interface WireFormats {
  readonly chat: WireFormat;
  readonly messages: WireFormat;
}

const MESSAGES_PATH = '/v1/messages';
const CHAT_PATH = '/v1/chat';
const DASHBOARD_PATH = '/dashboard';
const PLAYGROUND_MESSAGES_PATH = '/dashboard/api/playground/messages';

function isUnder(path: string, root: string): boolean {
  return path.startsWith(root) && (path.length === root.length || path[root.length] === '/');
}

/** What clients that take a server for a proxy put before the path. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i;

/** The path of a request target, without its query. */
export function pathOf(target: string): string {
  const url = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/**
 * Whose envelope errors have: that of the format a path belongs to.
 * On paths of both formats, the version header that only clients of the messages format send decides.
 */
export function errorFormatOf(req: IncomingMessage, formats: WireFormats): WireFormat {
  // Routes are found whatever the case of their letters.
  const path = pathOf(req.url ?? '/').toLowerCase();
  if (isUnder(path, MESSAGES_PATH) || isUnder(path, PLAYGROUND_MESSAGES_PATH)) return formats.messages;
  if (isUnder(path, CHAT_PATH) || isUnder(path, DASHBOARD_PATH)) return formats.chat;
  return req.headers['anthropic-version'] === undefined ? formats.chat : formats.messages;
}
