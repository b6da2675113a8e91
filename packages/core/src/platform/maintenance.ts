import { GatewayError } from '../errors/gateway-error.js';
import { type Instant, rfc3339, secondsUntil } from '../primitives/time.js';

/** Every request is refused. */
export interface Maintenance {
  readonly startsAt: Instant;
  /** `null` if unknown. */
  readonly endsAt: Instant | null;
  /** Public text; `null` for the default. */
  readonly message: string | null;
}

export interface RecordedMaintenance extends Maintenance {
  /** The actor's id; `null` if not recorded. */
  readonly setBy: string | null;
  readonly setAt: Instant;
}

export type MaintenanceState = 'off' | 'planned' | 'on';

/** `off` if it is over. */
export function maintenanceStateAt(maintenance: Maintenance | null, now: Instant): MaintenanceState {
  if (maintenance === null || (maintenance.endsAt !== null && maintenance.endsAt <= now)) return 'off';
  return maintenance.startsAt <= now ? 'on' : 'planned';
}

const USUAL_MESSAGE = 'Please try again later.';

export function maintenanceText({ endsAt, message }: Maintenance): string {
  const until = endsAt === null ? '' : ` until ${rfc3339(endsAt)}`;
  return `The service is in maintenance${until}. ${message ?? USUAL_MESSAGE}`;
}

/** With `retry-after` if the end is announced. */
export function maintenanceRefusal(maintenance: Maintenance, now: Instant): GatewayError {
  const { endsAt } = maintenance;
  return new GatewayError('maintenance_mode', maintenanceText(maintenance), endsAt === null ? {} : { retryAfterSeconds: secondsUntil(endsAt, now) });
}

/** `null` if it is valid. */
export function maintenanceProblem({ startsAt, endsAt }: Maintenance, now: Instant): string | null {
  if (endsAt !== null && endsAt <= now) return 'the end is in the past';
  return endsAt !== null && endsAt <= startsAt ? 'the end is not after the start' : null;
}

/** For reasons of blocks and messages of maintenance. */
export const MAX_OPERATOR_TEXT_CHARACTERS = 500;

/** `null` if it is valid. */
export function operatorTextProblem(text: string): string | null {
  if (text.trim() === '') return 'must not be empty';
  if (text.length > MAX_OPERATOR_TEXT_CHARACTERS) return `must have at most ${MAX_OPERATOR_TEXT_CHARACTERS} characters`;
  return /\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}/u.test(text) ? 'must be one line without control characters' : null;
}
