import type { NullableWhole, Whole } from './column-types.js';

/** `maintenance` is JSON with times and message; it has no row while maintenance is off. */
export interface PlatformSettingTable { name: string; value: string }

/** Blocks of accounts, keys and networks. An account or key has a row while its column `blocked` is set. */
export interface BlockTable {
  kind: string;
  subject: string;
  reason: string | null;
  blocked_by: string | null;
  blocked_at: Whole;
  expires_at: NullableWhole;
}

export interface IncidentLimitTable {
  model: string;
  set_at: Whole;
  requests_per_minute: NullableWhole;
  tokens_per_minute: NullableWhole;
  concurrent_requests: NullableWhole;
  expires_at: NullableWhole;
  set_by: string | null;
}
