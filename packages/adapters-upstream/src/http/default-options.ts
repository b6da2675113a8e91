import type { ServerOptions, UpstreamTimeouts } from '@tollgate/core';

export const DEFAULT_TIMEOUTS: UpstreamTimeouts = {
  connectMilliseconds: 5_000,
  firstByteMilliseconds: 60_000,
  firstOutputMilliseconds: 5 * 60_000,
  silenceMilliseconds: 60_000,
  wholeMilliseconds: 15 * 60_000,
};

/** Options with the same default for all kinds of upstream; those left out differ by kind. */
export const DEFAULT_SERVER_OPTIONS: Omit<ServerOptions, 'systemTurns' | 'stopSequenceLimit' | 'toolCallIdLimit'> = {
  maxResponseBytes: 64 * 1024 * 1024,
  maxConnections: null,
  timeouts: {},
  jsonSchema: 'object',
  extraBody: null,
  attribution: 'omitted',
};
