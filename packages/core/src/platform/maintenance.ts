import type { Flaw } from '../errors/field-fault.js';
import { GatewayError } from '../errors/gateway-error.js';
import { type Instant, rfc3339, secondsUntil } from '../primitives/time.js';

/** While maintenance lasts, all requests to the API and generations from the dashboard are refused. */
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

/** `off` without maintenance, and after its end. */
export function maintenanceStateAt(maintenance: Maintenance | null, now: Instant): MaintenanceState {
  if (maintenance === null || (maintenance.endsAt !== null && maintenance.endsAt <= now)) return 'off';
  return maintenance.startsAt <= now ? 'on' : 'planned';
}

const USUAL_MESSAGE = 'Please try again later.';

export function maintenanceText({ endsAt, message }: Maintenance): string {
  const until = endsAt === null ? '' : ` until ${rfc3339(endsAt)}`;
  return `The service is in maintenance${until}. ${message ?? USUAL_MESSAGE}`;
}

/** The refusal has a retry delay if the end of maintenance is announced. */
export function maintenanceRefusal(maintenance: Maintenance, now: Instant): GatewayError {
  const { endsAt } = maintenance;
  return new GatewayError('maintenance_mode', maintenanceText(maintenance), endsAt === null ? {} : { retryAfterSeconds: secondsUntil(endsAt, now) });
}

/** `null` if the maintenance is valid. */
export function maintenanceProblem({ startsAt, endsAt }: Maintenance, now: Instant): Flaw | null {
  if (endsAt !== null && endsAt <= now) return { message: 'the end is in the past', problem: { code: 'not_in_future' } };
  return endsAt !== null && endsAt <= startsAt ? { message: 'the end is not after the start', problem: { code: 'not_after_start' } } : null;
}

/** Maximum length of a short text that an operator writes, such as the reason of a block or the message of maintenance. */
export const MAX_OPERATOR_TEXT_CHARACTERS = 500;

/** `null` if the text is valid. */
export function operatorTextProblem(text: string): Flaw | null {
  const maximum = MAX_OPERATOR_TEXT_CHARACTERS;
  if (text.trim() === '') return { message: 'must not be empty', problem: { code: 'empty' } };
  if (text.length > maximum) return { message: `must have at most ${maximum} characters`, problem: { code: 'too_long', maximum } };
  return /\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}/u.test(text) ? { message: 'must be one line without control characters', problem: { code: 'not_one_line' } } : null;
}
