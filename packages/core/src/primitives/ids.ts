import type { Brand } from './brand.js';

export type AccountId = Brand<string, 'AccountId'>;
/** `person_<id>` */
export type PersonId = Brand<string, 'PersonId'>;
/** `note_<id>` */
export type AccountNoteId = Brand<string, 'AccountNoteId'>;
/** `session_<id>`. The cookie holds a separate secret. */
export type SessionId = Brand<string, 'SessionId'>;
/** `passkey_<id>`. Differs from the authenticator's credential id. */
export type PasskeyId = Brand<string, 'PasskeyId'>;
/** `mach_<id>`. Differs from the machine's secret. */
export type MachineId = Brand<string, 'MachineId'>;
export type ApiKeyId = Brand<string, 'ApiKeyId'>;
/** `req_<id>`. Appears in headers, errors, usage record and ledger. */
export type RequestId = Brand<string, 'RequestId'>;
export type ReservationId = Brand<string, 'ReservationId'>;
export type ModelSlug = Brand<string, 'ModelSlug'>;
export type PlanId = Brand<string, 'PlanId'>;
export type PriceListId = Brand<string, 'PriceListId'>;
/** A process has a new id after each start, under which it owns its reservations. */
export type ProcessId = Brand<string, 'ProcessId'>;
