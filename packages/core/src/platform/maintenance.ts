import { GatewayError } from '../errors/gateway-error.js';
import { type Instant, rfc3339, secondsUntil } from '../primitives/time.js';

/** A time in which every request is refused; it begins and ends by itself. */
export interface Maintenance {
  readonly startsAt: Instant;
  /** `null`: until an operator ends it. */
  readonly endsAt: Instant | null;
  /** Public text for the owners of accounts; `null`: the usual words. */
  readonly message: string | null;
}

/** Maintenance with the actor who set it, and when. */
export interface RecordedMaintenance extends Maintenance {
  /** The actor's id; `null` where this was not recorded. */
  readonly setBy: string | null;
  readonly setAt: Instant;
}

export type MaintenanceState = 'off' | 'planned' | 'on';

/** `off` also for maintenance that is over. */
export function maintenanceStateAt(maintenance: Maintenance | null, now: Instant): MaintenanceState {
  if (maintenance === null || (maintenance.endsAt !== null && maintenance.endsAt <= now)) return 'off';
  return maintenance.startsAt <= now ? 'on' : 'planned';
}

const USUAL_MESSAGE = 'Please try again later.';

/** What clients read while it lasts. */
export function maintenanceText({ endsAt, message }: Maintenance): string {
  const until = endsAt === null ? '' : ` until ${rfc3339(endsAt)}`;
  return `The service is in maintenance${until}. ${message ?? USUAL_MESSAGE}`;
}

/** The refusal of a request while it lasts. It tells when to come back where the end is announced. */
export function maintenanceRefusal(maintenance: Maintenance, now: Instant): GatewayError {
  const { endsAt } = maintenance;
  return new GatewayError('maintenance_mode', maintenanceText(maintenance), endsAt === null ? {} : { retryAfterSeconds: secondsUntil(endsAt, now) });
}

/** Why maintenance cannot be set so; `null` when it can. */
export function maintenanceProblem({ startsAt, endsAt }: Maintenance, now: Instant): string | null {
  if (endsAt !== null && endsAt <= now) return 'the end is in the past';
  return endsAt !== null && endsAt <= startsAt ? 'the end is not after the start' : null;
}

/** Longest reason of a block, and longest message of maintenance. */
export const OPERATOR_TEXT_MAXIMUM_CHARACTERS = 500;

/** What is wrong with a reason or a message that an operator gives; `null` when it may be kept and shown. */
export function operatorTextProblem(text: string): string | null {
  if (text.trim() === '') return 'must not be empty';
  if (text.length > OPERATOR_TEXT_MAXIMUM_CHARACTERS) return `must have at most ${OPERATOR_TEXT_MAXIMUM_CHARACTERS} characters`;
  return /\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}/u.test(text) ? 'must be one line without control characters' : null;
}
