import { UpstreamFailure } from '../upstream-failure.js';

/** What undici calls its own failures to connect; its other codes are about what was sent or read. */
const CONNECTION_CODES: ReadonlySet<string> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_SOCKET']);

/** Whether it tells of the connection, or of what was sent or read over it. */
function isAboutConnection({ name, code = '' }: Error & { readonly code?: string }): boolean {
  return CONNECTION_CODES.has(code) || (!code.startsWith('UND_ERR_') && name !== 'HTTPParserError');
}

/** What an error before the head of a reply stands for. */
export function failureBeforeReply(error: Error): UpstreamFailure {
  if (!isAboutConnection(error)) return new UpstreamFailure('malformed-reply', 'the upstream did not answer in HTTP', error);
  return new UpstreamFailure('connect-failed', 'the upstream could not be reached or hung up before its reply', error);
}
